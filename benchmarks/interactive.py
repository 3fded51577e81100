"""How long the app takes to answer, in Chromium: from a key press to the new picture.

    uv run python benchmarks/interactive.py

Starts the app, uploads 5000 rows x 10 columns with label noise, draws 301 nodes of the full tree on the page Size &
pruning and moves its slider from step to step: milliseconds until the ghosts in the diagram have changed.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.browser.app_steps import APP, Session  # noqa: E402
from tests.browser.conftest import FLAGS, find_chromium, start_server, stop_server  # noqa: E402

N_STEPS = 15
CHANGED = """was => {
    const told = [...document.querySelectorAll("[data-testid=stCaptionContainer]")];
    return !told.some(e => e.innerText === was);
}"""


def table() -> bytes:
    """A CSV file whose full tree has more than 1000 nodes."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5000, 10)).round(3)
    y = (x[:, 0] * x[:, 1] + np.abs(x[:, 2]) + rng.normal(size=5000) > 0.8).astype(int)
    lines = [",".join([*(f"x{j}" for j in range(10)), "y"])]
    lines += [",".join([*map(str, row), "ab"[label]]) for row, label in zip(x.tolist(), y, strict=True)]
    return "\n".join(lines).encode()


def slider_steps(page: Page, address: str) -> list[float]:
    """Milliseconds of every step."""
    session = Session(page, address)
    session.upload("big.csv", table())
    session.heading("big.csv").wait_for()
    session.go("Size & pruning")
    page.get_by_role("slider", name="Nodes drawn, level by level").press("End")
    page.get_by_text("301 of").first.wait_for()
    session.settled()
    page.get_by_role("slider", name="Pruned to").press("Home")
    time.sleep(3)
    return [_step(page, session) for _ in range(N_STEPS)]


def _step(page: Page, session: Session) -> float:
    was = session.text("In force: ").inner_text()
    page.get_by_role("slider", name="Pruned to").focus()
    begin = page.evaluate("performance.now()")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(CHANGED, arg=was)
    session.settled()
    taken = page.evaluate("performance.now()") - begin
    time.sleep(2)  # the rest of the page follows a moment later
    return taken


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = start_server(APP, Path(folder) / "log.txt")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        try:
            page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
            page.set_default_timeout(120_000)
            taken = slider_steps(page, address)
        finally:
            browser.close()
            stop_server(server)
    found = statistics.median(taken)
    print(f"slider step: median {found:.0f} ms, {min(taken):.0f} to {max(taken):.0f} ({N_STEPS} steps)")


if __name__ == "__main__":
    main()
