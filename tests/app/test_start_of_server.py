"""What a server has done before anybody asks for a page."""

import ast
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTED = """
import asyncio, json, sys
from pages.shared.server import starting

async def run():
    async with starting.started(None):
        await asyncio.to_thread(starting.wait)

before = "treecore" in sys.modules
asyncio.run(run())
print(json.dumps([before, sorted(sys.modules)]))
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
    before, modules = json.loads(done.stdout.splitlines()[-1])
    assert not before, "the address can be asked before the imports are done"
    wanted = set().union(*(imported_by(page) for page in (ROOT / "pages").glob("*.py")))
    of_ours = {
        name
        for name in wanted
        if name.startswith("pages.shared.") and (ROOT / name.replace(".", "/")).with_suffix(".py").is_file()
    }
    assert len(of_ours) > 20
    assert of_ours - set(modules) == set()
