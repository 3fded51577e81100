"""The pages on how to extend treecore, followed to the letter: files, changed lines, installed packages, code."""

import json
import os
import shutil
import subprocess
import sys
import tomllib

import pytest

from docs import snippets

ROOT = snippets.DOCS.parent
PAGES = sorted((snippets.DOCS / "extend").glob("*.md"))
CODE = ("treecore", "pages", "assets", ".streamlit", "docs", "streamlit_app.py")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_followed_to_the_letter(page, tmp_path):
    found = snippets.blocks(page)
    if any(block.kind == "diff" for block in found):
        copied(tmp_path)
    for block in found:
        if block.title:
            written(block, tmp_path / block.title)
    packages = [installed(project) for project in tmp_path.glob("*/pyproject.toml")]
    for line, printed, told in shown(page, [*packages, tmp_path], tmp_path):
        assert printed == (told or ""), f"{page.name}, line {line}"


def copied(folder) -> None:
    """The code of treecore and the app, to be changed there."""
    for name in CODE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "screens"))
        else:
            shutil.copy(source, folder / name)


def written(block: snippets.Block, path) -> None:
    """The file of a block, new or changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = snippets.changed(path.read_text(), block.text) if block.kind == "diff" else block.text
    path.write_text(text)


def installed(project):
    """The folder of a package, with the notes that an installer leaves of it."""
    says = tomllib.loads(project.read_text())["project"]
    notes = project.parent / f"{says['name'].replace('-', '_')}-{says['version']}.dist-info"
    notes.mkdir()
    (notes / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {says['name']}\nVersion: {says['version']}\n")
    lines = [f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in points.items()) for group, points in
             says["entry-points"].items()]  # fmt: skip
    (notes / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return project.parent


def shown(page, path: list, folder) -> list:
    """(line, what it prints, what the page says) of every block, in a process of its own that finds modules there."""
    found = os.pathsep.join(map(str, [*path, ROOT]))
    there = {"TREECORE_UNCOMPILED": "1", "PYTHONPATH": found, "TREECORE_BACKGROUND": "0"}
    command = [sys.executable, "-W", "error:treecore", "-m", "docs.snippets", "--show", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=os.environ | there, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
