"""What a server has done before anybody asks for a page."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session

from pages.shared.server import engine, message_queue, starting

ROOT = Path(__file__).resolve().parents[2]
STARTED = """
import asyncio, json, sys
from streamlit.runtime import app_session
from pages.shared.server import starting

async def run():
    async with starting.started(None):
        await asyncio.to_thread(starting.wait)

before = "treecore" in sys.modules
asyncio.run(run())
print(json.dumps([before, sorted(sys.modules), app_session.ForwardMsgQueue.__module__]))
"""

FIRST_VISIT = """
import json, os, sys
from pages.shared.server import starting
from streamlit.testing.v1 import AppTest

class Imports:
    def wait(self):
        print(json.dumps(sorted(sys.modules)), flush=True)
        os._exit(0)

starting._importing.append(Imports())
AppTest.from_file("streamlit_app.py").run(timeout=60)
"""

START_PAGE = """
import json, sys
from streamlit.testing.v1 import AppTest

app = AppTest.from_file("streamlit_app.py").run(timeout=60)
cards = [button.key for button in app.button if button.key.startswith("open_")]
print(json.dumps([[fault.message for fault in app.exception], len(cards), "pandas" in sys.modules]))
"""


def imported_by(page: Path) -> set[str]:
    """Modules that a page's file imports, by their whole names."""
    found = set()
    for node in ast.walk(ast.parse(page.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{name.name}" for name in node.names} | {node.module}
    return found


def test_what_pages_import_is_there_before_the_first_visitor():
    done = subprocess.run([sys.executable, "-c", STARTED], cwd=ROOT, capture_output=True, text=True, check=True)
    before, modules, queue = json.loads(done.stdout.splitlines()[-1])
    assert queue == message_queue.__name__, "sessions send all that waits"
    assert not before, "the address can be asked before the imports are done"
    wanted = set().union(*(imported_by(page) for page in (ROOT / "pages").glob("*.py")))
    of_ours = {
        name
        for name in wanted
        if name.startswith("pages.shared.") and (ROOT / name.replace(".", "/")).with_suffix(".py").is_file()
    }
    assert len(of_ours) > 20
    assert of_ours - set(modules) == set()


def test_a_visitor_who_comes_first_imports_nothing_beside_the_server():
    """Two threads in the middle of the same packages are a deadlock at times, and both imports fail."""
    done = subprocess.run([sys.executable, "-c", FIRST_VISIT], cwd=ROOT, capture_output=True, text=True, check=True)
    modules = json.loads(done.stdout.splitlines()[-1])
    packages = {"pages", "pages.shared", "pages.shared.server", starting.__name__, message_queue.__name__}
    assert {name for name in modules if name.partition(".")[0] in ("pages", "treecore")} == packages


def test_the_start_page_waits_for_no_pandas():
    done = subprocess.run([sys.executable, "-c", START_PAGE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == [[], 6, False]


def test_kernels_are_loaded_after_the_imports(monkeypatch):
    done = []
    monkeypatch.setattr(starting, "_importing", [SimpleNamespace(wait=lambda: done.append("imports"))])
    monkeypatch.setattr(engine, "load", lambda: done.append("kernels"))
    monkeypatch.setattr(engine.compiling, "start", lambda parts: None)
    timers = []
    monkeypatch.setattr(engine, "Timer", lambda after, function: timers.append(function) or SimpleNamespace(start=int))
    engine._started.__wrapped__(starting.wait)
    [load] = timers
    load()
    assert done == ["imports", "kernels"]


def sent(path: tuple[int, ...], part: str = "", block: bool = False) -> ForwardMsg:
    """What a run sends for this place of the page. part : the fragment that it belongs to."""
    result = ForwardMsg()
    result.metadata.delta_path.extend(path)
    result.delta.fragment_id = part
    (result.delta.add_block if block else result.delta.new_element).SetInParent()
    return result


def test_what_waits_for_the_browser_has_its_containers_when_a_part_runs_alone(monkeypatch):
    """A part and another one inside it, both of a run of the whole page that the browser has not heard of yet."""
    monkeypatch.setattr(app_session, "ForwardMsgQueue", app_session.ForwardMsgQueue)
    message_queue.use()
    queue = app_session.ForwardMsgQueue()
    whole = [sent((0, 0), block=True), sent((0, 0, 0), "part", block=True), sent((0, 0, 0, 0), "part"),
             sent((0, 0, 0, 1), "inner", block=True), sent((0, 0, 0, 1, 0), "inner")]  # fmt: skip
    again = [sent((0, 0, 0), "part", block=True), sent((0, 0, 0, 0), "part")]
    for message in whole:
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    for message in again:
        queue.enqueue(message)
    assert queue.flush() == whole + again
    queue.enqueue(whole[0])
    queue.clear(retain_lifecycle_msgs=True)
    assert queue.is_empty(), "a run of the whole page sends all of it"
