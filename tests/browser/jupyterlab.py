"""A notebook in a real JupyterLab, used by hand in Chromium. JupyterLab is no dependency, so the suite collects it not:

uv run --with jupyterlab==4.6.6 pytest -n 0 tests/browser/jupyterlab.py
"""

import json
import os
import re
from importlib.metadata import files
from pathlib import Path

import pytest

from tests.browser.running import ROOT, free_port, started, stop_server, wait_for

LEVEL = "<img src=x onerror=hurt()>"
CELLS = (
    f"""
import numpy as np, pandas as pd, treecore as tc
rng = np.random.default_rng(5)
frame = pd.DataFrame({{"income": rng.gamma(3.0, 12.0, 500).round(1), "age": rng.integers(19, 80, 500)}})
frame["region"] = rng.choice(["north", {LEVEL!r}, "west"], 500)
late = rng.random(500) < 1 / (1 + np.exp(0.09 * frame.income - 1.6 * (frame.region == {LEVEL!r}) - 2.0))
table = tc.read_table(frame.assign(late=np.where(late, "yes", "no")), target="late")
view = tc.explore(table, recipe="cart")
view""",
    """
print("selected", view.selected, "leaves", view.tree.n_leaves)
print("last step:", view.recipe.lines()[-1])""",
)
UNRUN = {"metadata": {}, "execution_count": None, "outputs": []}
QUIET = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Address of a notebook in a server of its own, which knows nothing of this user's settings."""
    pytest.importorskip("jupyterlab", reason="JupyterLab is not installed")
    home = tmp_path_factory.mktemp("lab")
    cells = [{"cell_type": "code", "id": f"c{i}", "source": text.strip(), **UNRUN} for i, text in enumerate(CELLS)]
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    written = {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    (home / "tree.ipynb").write_text(json.dumps(written), "utf-8")
    (home / "config" / "labconfig").mkdir(parents=True)
    (home / "config" / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(QUIET), "utf-8")
    folders = {f"JUPYTER_{name}_DIR": str(home / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    env = os.environ | folders | {"IPYTHONDIR": str(home / "ipython"), "PYTHONPATH": str(ROOT)}
    env |= {"JUPYTER_PATH": str(_shared("anywidget")), "TREECORE_BACKGROUND": "0"}
    port = free_port()
    address, log = f"http://127.0.0.1:{port}", home / "log.txt"
    with log.open("w") as out:
        process = started(
            "jupyterlab", "--no-browser", f"--port={port}", "--port-retries=0", "--ip=127.0.0.1", "--allow-root",
            "--IdentityProvider.token=", f"--ServerApp.root_dir={home}",
            env=env, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        wait_for(process, port, log, "api")
        yield f"{address}/lab/tree/tree.ipynb"
    finally:
        stop_server(process)


def _shared(package: str) -> Path:
    """Where the parts of a package lie that run in JupyterLab: it may be installed beside the server's own packages."""
    found = next(file for file in files(package) if "labextensions" in file.parts)
    place = Path(found.locate()).resolve()
    return next(folder for folder in place.parents if folder.name == "jupyter")


@pytest.mark.browser
def test_a_split_taken_by_hand_comes_back_to_the_notebook(lab, page, outside_requests):
    page.set_default_timeout(60_000)
    page.goto(lab)
    page.get_by_title(re.compile("Python 3.*Idle|Kernel status: Idle")).or_(page.get_by_text("| Idle")).first.wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).first.click()
    view = page.locator(".treecore-view")
    view.locator("#n2 .card-face").wait_for()
    told = page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".jp-OutputArea-output")
    told.get_by_text("selected 0").wait_for()

    view.locator("#n2 .card-face").click()
    view.locator(".side h3", has_text="Node 2").wait_for()
    view.locator(".tabs [data-tab=rivals]").click()
    view.locator(".rival:not(.own)").first.click()
    view.locator(".take:enabled").click()
    view.locator(".notice", has_text="is split by").wait_for()
    _run_last_cell(page)
    told.get_by_text(re.compile(r"selected 2 leaves \d+\s+last step: take .* instead of ")).wait_for()

    page.keyboard.press("Escape")
    view.locator(".dock .slide").focus()
    page.keyboard.press("Home")  # of JupyterLab's own keys none hears it
    view.locator(".notice", has_text="Pruned to 1 leaf").wait_for()
    _run_last_cell(page)
    told.get_by_text(re.compile(r"leaves 1\s+last step: prune: cost complexity")).wait_for()

    view.locator("#n0 .card-face").click()
    view.locator(".tabs [data-tab=rows]").click()
    view.locator("td", has_text=LEVEL).first.wait_for()
    assert view.locator("img").count() == 0
    view.locator("#n0 .card-face").click()
    cells = page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    for key in ("x", "a", "b", "f"):  # cut, insert above, insert below: commands of JupyterLab
        page.keyboard.press(key)
    page.wait_for_timeout(500)
    assert cells.count() == before
    assert not outside_requests


def _run_last_cell(page) -> None:
    page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
