"""A notebook in a real marimo, used by hand in Chromium. marimo is no dependency, so the suite collects it not:

uv run --with marimo==0.25.2 pytest -n 0 tests/browser/marimo_notebook.py
"""

import os
import re

import pytest

from tests.browser.running import ROOT, free_port, started, stop_server, wait_for

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np
    import pandas as pd

    import treecore as tc

    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"income": rng.gamma(3.0, 12.0, 500).round(1), "age": rng.integers(19, 80, 500)})
    late = rng.random(500) < 1 / (1 + np.exp(0.09 * frame.income - 0.03 * frame.age - 1.0))
    table = tc.read_table(frame.assign(late=np.where(late, "yes", "no")), target="late")
    view = mo.ui.anywidget(tc.explore(table, recipe="cart"))
    view
    return mo, view


@app.cell
def _(mo, view):
    view.value
    mo.md(f"selected {view.selected}, leaves {view.tree.n_leaves}, last step: {view.recipe.lines()[-1]}")
    return
"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Address of the notebook, run by a server that knows nothing of this user's settings."""
    pytest.importorskip("marimo", reason="marimo is not installed")
    home = tmp_path_factory.mktemp("marimo")
    (home / "tree.py").write_text(NOTEBOOK, "utf-8")
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE")}
    env = os.environ | folders | {"PYTHONPATH": str(ROOT), "TREECORE_BACKGROUND": "0"}
    port, log = free_port(), home / "log.txt"
    with log.open("w") as out:
        process = started(
            "marimo", "-q", "run", str(home / "tree.py"), "--headless", "--no-token", "--host", "127.0.0.1",
            "--port", str(port),
            env=env, stdout=out, stderr=out,
        )  # fmt: skip
    try:
        wait_for(process, port, log, "health")
        yield f"http://127.0.0.1:{port}/"
    finally:
        stop_server(process)


@pytest.mark.browser
def test_what_is_done_by_hand_runs_the_cells_that_depend_on_it(notebook, page, outside_requests):
    page.set_default_timeout(60_000)
    page.goto(notebook)
    view = page.locator(".treecore-view")
    view.locator("#n2 .card-face").wait_for()
    page.get_by_text(re.compile(r"selected 0, leaves \d+")).wait_for()
    view.locator("#n2 .card-face").click()
    page.get_by_text(re.compile(r"selected 2, leaves \d+")).wait_for()

    view.locator(".tabs [data-tab=rivals]").click()
    view.locator(".rival:not(.own)").first.click()
    view.locator(".take:enabled").click()
    page.get_by_text(re.compile(r"selected 2, leaves \d+, last step: take .* instead of ")).wait_for()

    view.locator(".dock .slide").focus()
    page.keyboard.press("Home")
    page.get_by_text(re.compile(r"leaves 1, last step: prune: cost complexity")).wait_for()

    view.locator(".tabs [data-tab=what_if]").click()
    view.locator(".asked h4", has_text="late = ").wait_for()
    assert not outside_requests
