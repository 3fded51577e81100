"""What each kind of step costs the server in processor time: one user at a time, by websocket as a browser opens it.

`uv run python -m benchmarks.steps --users 8 --beside ../other` prints milliseconds of processor a step (median, mean)
of this checkout and, user by user in turn, of another one. Only figures of one run compare: a busy machine is slower
for both. What a browser sends back by itself, and folds and menus that it opens, are not part of it.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from websockets.asyncio.client import connect

from benchmarks.many_users import CRITERIA, SAMPLES, User, option_like
from tests.browser.running import ROOT, free_port, settings, stop_server, wait_for

PAGES = ("regions", "size_and_pruning", "rules", "predict", "compare", "grow")
SETTLED = 0.15
"""Seconds after a step in which the server sends what it has made."""


def process_seconds(pid: int) -> float:
    """Processor seconds of all threads, those that have ended too, to the nanosecond (Linux)."""
    return time.clock_gettime((~pid << 3) | 2)


def steps_of(user: User, seed: int) -> list:
    """(kind, what the user does), in order."""
    sample = SAMPLES[seed % len(SAMPLES)]
    return [
        ("first page", user.step),
        ("open a sample", lambda: user.step(sample=option_like(user, "sample", sample))),
        ("page grow, first", lambda: user.step("grow")),
        *[("a setting", lambda c=c: user.step(criterion=option_like(user, "criterion", c))) for c in CRITERIA],
        *[(f"page {page}", lambda page=page: user.step(page)) for page in PAGES],
    ]  # fmt: skip


async def visit(address: str, pid: int, seed: int, taken: dict[str, list]) -> None:
    """One user from the first page to leaving; adds milliseconds of processor under every kind of step."""
    link = f"ws{address[4:]}/_stcore/stream"
    async with connect(link, origin=address, max_size=None, subprotocols=["streamlit"]) as socket:
        for kind, step in steps_of(User(socket), seed):
            before = process_seconds(pid)
            await step()
            await asyncio.sleep(SETTLED)
            taken[kind].append(1e3 * (process_seconds(pid) - before))


def server_of(checkout: Path, stack: ExitStack) -> tuple[int, str]:
    """(process, address) of this checkout's app, ended with the stack."""
    port, log = free_port(), Path(tempfile.mkdtemp()) / "log.txt"
    env = os.environ | settings(port) | {"PYTHONPATH": str(checkout)}
    command = [sys.executable, "-m", "streamlit", "run", str(checkout / "streamlit_app.py")]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=checkout, env=env, stdout=out, stderr=out)
    stack.callback(stop_server, process)
    wait_for(process, port, log)
    return process.pid, f"http://127.0.0.1:{port}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--users", type=int, default=8, help="of every checkout, one after another")
    parser.add_argument("--beside", type=Path, help="another checkout of this project")
    given = parser.parse_args()
    checkouts = [ROOT, *([given.beside.resolve()] if given.beside else [])]
    with ExitStack() as stack:
        servers = [server_of(checkout, stack) for checkout in checkouts]
        found = [defaultdict(list) for _ in servers]
        for seed in range(-len(SAMPLES), given.users):  # first what is loaded, compiled and grown once
            for (pid, address), taken in zip(servers, found, strict=True):
                asyncio.run(visit(address, pid, seed, taken if seed >= 0 else defaultdict(list)))
    names = [checkout.name for checkout in checkouts]
    print(f"{'milliseconds of processor':26s}" + "".join(f"{name[:20]:>22s}" for name in names))
    for kind in found[0]:
        row = "".join(f"{np.median(taken[kind]):11.1f} {np.mean(taken[kind]):10.1f}" for taken in found)
        print(f"{kind:26s}{row}")


if __name__ == "__main__":
    main()
