"""Many users at once: how long each step of theirs takes, and whether a server that has had many is slower for it.

Every user is a websocket as a browser would open it: a sample, the page Grow, other settings, other pages, with pauses
between the steps. `uv run python -m benchmarks.many_users --users 25 --pause 3 --rounds 3`

`--servers 2` starts two processes; with `--proxy caddy` (its path) users reach them through the project's Caddyfile, as
in compose.class.yml, else each has the address of one of them.

A round is a wave of new users; between two of them all have left. Where rounds take ever longer, something of those who
left has stayed. Prints a table: seconds a step (median, 95th percentile, longest), the round's seconds and processor
seconds, and the server's memory; then memory when everybody has been gone for a while.
"""

import argparse
import asyncio
import os
import random
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

from benchmarks.interactive_server import memory, processor_seconds
from tests.browser.running import ROOT, free_port, start_server, stop_server, wait_for

APP = "streamlit_app.py"
SAMPLES = ("Titanic", "Penguins", "Iris", "Customers")
CRITERIA = ("Entropy", "Misclassification", "Gini")
PAGES = ("regions", "size_and_pruning", "rules", "grow")
PATIENCE = 120


class User:
    """One session: what its page shows, by the keys of its widgets, and what the user has set."""

    def __init__(self, socket):
        self._socket, self._ids, self._set, self._page, self._pages = socket, {}, {}, "", {}
        self.options: dict[str, list[str]] = {}

    async def step(self, page: str | None = None, **values: str) -> float:
        """Go to a page, or choose these options; the seconds until the run has ended."""
        if page is not None:
            self._page = self._pages.get(page, "")
        message = BackMsg()
        message.rerun_script.page_script_hash = self._page
        for key, value in values.items():
            self._set[self._ids[key]] = value
        for name, value in self._set.items():
            state = message.rerun_script.widget_states.widgets.add()
            state.id, state.string_value = name, value
        begin = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._until_finished(), PATIENCE)
        return time.perf_counter() - begin

    async def _until_finished(self) -> None:
        while True:
            message = ForwardMsg.FromString(await self._socket.recv())
            kind = message.WhichOneof("type")
            if kind == "navigation":
                self._pages |= {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            elif kind == "delta" and message.delta.HasField("new_element"):
                self._note(message.delta.new_element)
            elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return

    def _note(self, element) -> None:
        if element.WhichOneof("type") == "selectbox":
            box = element.selectbox
            key = box.id.split("-", 2)[-1]
            self._ids[key], self.options[key] = box.id, list(box.options)


async def visit(address: str, pause: float, seed: int) -> list[float]:
    """What one user does, from the first page to leaving; seconds of every step."""
    chance, taken = random.Random(seed), []
    await asyncio.sleep(chance.uniform(0, pause))
    cookie = await asyncio.to_thread(_cookie, address)
    async with connect(
        f"ws{address[4:]}/_stcore/stream",
        origin=address,
        max_size=None,
        subprotocols=["streamlit"],
        additional_headers={"Cookie": cookie} if cookie else None,
    ) as socket:
        user = User(socket)
        steps = [
            lambda: user.step(),
            lambda: user.step(sample=option_like(user, "sample", SAMPLES[seed % len(SAMPLES)])),
            lambda: user.step("grow"),
            *[lambda name=name: user.step(criterion=option_like(user, "criterion", name)) for name in CRITERIA],
            *[lambda page=page: user.step(page) for page in PAGES],
        ]  # fmt: skip
        for step in steps:
            taken.append(await step())
            await asyncio.sleep(chance.uniform(0.5 * pause, 1.5 * pause))
    return taken


def _cookie(address: str) -> str:
    """What keeps a browser at one process, of a proxy that does so."""
    with urllib.request.urlopen(address) as page:
        return "; ".join(value.partition(";")[0] for value in page.headers.get_all("Set-Cookie") or ())


def option_like(user: User, key: str, start: str) -> str:
    """The option that begins like this, of a box that the page shows; else another one than the first."""
    options = user.options[key]
    return next((option for option in options if option.startswith(start)), options[-1])


async def _round(addresses: list[str], users: int, pause: float) -> np.ndarray:
    found = await asyncio.gather(*[visit(addresses[i % len(addresses)], pause, i) for i in range(users)])
    return np.concatenate(found)


@contextmanager
def _server(log: Path) -> Iterator[tuple[int, str]]:
    """(its process, its address)."""
    process, address = start_server(APP, log)
    try:
        yield process.pid, address
    finally:
        stop_server(process)


@contextmanager
def _behind(caddy: str, addresses: list[str], log: Path) -> Iterator[str]:
    """The one address of these servers."""
    port = free_port()
    servers = {"TREECORE_SITE": f":{port}", "TREECORE_SERVERS": " ".join(a.removeprefix("http://") for a in addresses)}
    with log.open("w") as out:
        process = subprocess.Popen(
            [caddy, "run", "--config", str(ROOT / "Caddyfile"), "--adapter", "caddyfile"],
            env=os.environ | servers, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        wait_for(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop_server(process)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--users", type=int, default=25)
    parser.add_argument("--pause", type=float, default=3.0, help="mean seconds between two steps of a user")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--rest", type=float, default=0.0, help="seconds to wait after the last round")
    parser.add_argument("--servers", type=int, default=1, help="processes of the app")
    parser.add_argument("--proxy", help="path of caddy, which stands before them")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    with ExitStack() as running:
        servers = [running.enter_context(_server(folder / f"log{i}.txt")) for i in range(given.servers)]
        pids, addresses = (list(part) for part in zip(*servers, strict=True))
        for address in addresses:
            asyncio.run(visit(address, 0.0, 0))  # modules, kernels
        if given.proxy:
            addresses = [running.enter_context(_behind(given.proxy, addresses, folder / "proxy.txt"))]
        time.sleep(3)
        print(f"{given.users} users, {given.pause:g} s between two steps, {given.servers} processes", flush=True)
        print("round  median    p95  longest  seconds  processor  memory", flush=True)
        for number in range(1, given.rounds + 1):
            begin, used = time.perf_counter(), sum(map(processor_seconds, pids))
            taken = asyncio.run(_round(addresses, given.users, given.pause))
            seconds, used = time.perf_counter() - begin, sum(map(processor_seconds, pids)) - used
            middle, high = np.percentile(taken, [50, 95])
            row = f"{number:5d}  {middle:6.2f}  {high:5.2f}  {taken.max():7.2f}  {seconds:7.1f}  {used:9.1f}"
            print(f"{row}  {sum(map(memory, pids)):6.0f}", flush=True)
        time.sleep(given.rest)
        print(f"{given.rest:g} s later: {sum(map(memory, pids)):.0f} MB")


if __name__ == "__main__":
    main()
