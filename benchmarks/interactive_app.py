"""The app as the README starts it, in one tab of Chromium, and what a user does there with a hand on the mouse."""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

from benchmarks.interactive_server import processor_seconds
from benchmarks.interactive_watch import Watch
from tests.browser.app_steps import APP, Session
from tests.browser.running import FLAGS, find_chromium, start_server, stop_server

LONG = 300_000  # ms a step may take before it counts as failed
FRAME = 0.016  # seconds between two places of a hand
DEPTHS = [*range(1, 13), 15, 20, 30, None]


@dataclass
class App:
    """A server of its own, a tab, and the clock in it."""

    pid: int
    page: Page
    session: Session

    def upload(self, path: Path) -> None:
        """Give a file of any size to the page Data and wait for its table."""
        self.page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(path)
        self.session.heading(path.name).wait_for()

    def grow_page(self) -> Watch:
        """Go to the page Grow and wait until nothing moves any more."""
        self.session.tree()
        self.session.settled()
        self.rest()
        return Watch(self.page, self.pid)

    def rest(self) -> None:
        """Until the server has been idle for a while, so that one measurement does not pay for another."""
        while True:
            used = processor_seconds(self.pid)
            time.sleep(0.5)
            if processor_seconds(self.pid) - used < 0.04:
                return

    def slider(self, name: str) -> Locator:
        return self.page.get_by_role("slider", name=name)

    def drag_depth(self, depth: int | None) -> None:
        """Take the slider of the depth limit to a value with the mouse, and let go."""
        slider = self.slider("Maximum depth")
        slider.scroll_into_view_if_needed()
        text = slider.get_attribute("aria-valuetext")
        steps = DEPTHS.index(depth) - DEPTHS.index(int(text) if text.isdigit() else None)
        thumb, track = (slider.locator(f"xpath={above}").bounding_box() for above in ("../..", "../../.."))
        x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
        far = steps * track["width"] / (len(DEPTHS) - 1)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for part in (0.3, 0.6, 0.9, 1.0):
            self.page.mouse.move(x + part * far, y)
            time.sleep(FRAME)
        self.page.mouse.up()

    def limited_before_growing(self, depth: int) -> None:
        """Choose the depth limit while the first tree still grows, and wait for the tree."""
        self.page.get_by_test_id("stSidebarNav").get_by_role("link", name="Grow", exact=True).click()
        self.slider("Maximum depth").wait_for()
        self.drag_depth(depth)

    def at_least_in_a_branch(self, n_rows: int) -> None:
        """The limit on the rows of each branch."""
        box = self.page.get_by_role("spinbutton", name="Smallest leaf (rows)")
        box.fill(str(n_rows))
        box.press("Enter")
        self.rest()
        self.session.settled()

    def is_selected(self, node: int) -> bool:
        return self.page.get_by_role("heading", name=f"Node {node}", exact=True).count() > 0

    def warm_up(self, folder: Path) -> None:
        """A tree of a small table: what the server loads and compiles once is there afterwards."""
        path = folder / "warm.csv"
        path.write_text("a,b,c\n" + "".join(f"{i % 20}.5,{i * 7 % 13},{'yn'[i % 20 > 9]}\n" for i in range(200)))
        self.upload(path)
        self.session.tree()
        self.session.settled()
        self.rest()
        self.session.go("Data")


@contextmanager
def running_app() -> Iterator[App]:
    """The app on a free port with a fresh tab on its first page; both end with the block."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = start_server(APP, Path(folder) / "log.txt")
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        try:
            page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
            page.set_default_timeout(LONG)
            yield App(server.pid, page, Session(page, address))
        finally:
            browser.close()
            stop_server(server)
