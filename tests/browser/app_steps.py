"""What a user does in the app, as steps for the browser tests."""

import base64
import random
import re
from contextlib import suppress

from pages import PAGES

APP = "streamlit_app.py"
DROP = """(zone, [name, base64]) => {
    const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], name, { type: "text/csv" }));
    for (const type of ["dragenter", "dragover", "drop"])
        zone.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""
TITLES = {page.label: page.heading for page in PAGES.values()}
GROUPS = {page.label: page.group for page in PAGES.values()}
DRAWN = ".bench .world[transform]"
"""A tree that is drawn on its canvas."""

NEXT_FRAMES = "() => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(shown)))"
"""Until what has another size now has been told so."""

FORGET = """() => {
    if (!location.protocol.startsWith("http")) return;
    Storage.prototype.setItem = () => {}; // the page may still be at work
    localStorage.clear();
    sessionStorage.clear();
}"""

TOO_WIDE = """all => all.filter(e => [...e.querySelectorAll(".katex-html .base")].some(part =>
    part.getBoundingClientRect().right > e.getBoundingClientRect().right + 1)).length"""


class Session:
    """One tab of the app."""

    def __init__(self, page, address: str, path: str = ""):
        self.page, self.address = page, address
        page.goto(f"{address}/{path}")
        self.heading(TITLES["Data"] if not path else None).wait_for()

    def anew(self) -> None:
        """Load the page as somebody who was never here."""
        self.page.evaluate(FORGET)
        self.page.goto("about:blank")
        self.page.goto(self.address)

    def heading(self, text: str | None = None):
        return self.page.get_by_role("heading", **({"name": text, "exact": True} if text else {})).first

    def text(self, text: str):
        """The first that is seen: tables are read aloud from hidden ones, which may come before it."""
        return self.page.get_by_text(text).filter(visible=True).first

    def button(self, name: str):
        return self.page.get_by_role("button", name=name, exact=True)

    def settled(self) -> None:
        """Until the server has nothing more to send, and has had nothing for a quarter of a second: what somebody has
        just done is sent with the next frames only."""
        self.page.wait_for_function(
            """() => {
                const app = document.querySelector("[data-testid=stApp]");
                const idle = app && app.dataset.testScriptState !== "running"
                    && !document.querySelector("[data-stale=true]");
                if (!idle) window.idleFor = 0;
                else window.idleFor = (window.idleFor ?? 0) + 1;
                if (window.idleFor < 5) return false;
                window.idleFor = 0;
                return true;
            }""",
            polling=50,  # milliseconds; at every frame it would have the page drawn all the time
        )

    def upload(self, name: str, content: bytes) -> None:
        given = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(given)

    def drop(self, name: str, content: bytes) -> None:
        zone = self.page.locator("[data-testid=stFileUploaderDropzone]")
        zone.evaluate(DROP, [name, base64.b64encode(content).decode()])

    def named(self, source: str) -> None:
        """Until the strip names this table; of a long name it has the beginning."""
        self.page.get_by_test_id("strip").get_by_text(source[:8]).first.wait_for()

    def open_sidebar(self) -> None:
        """The settings, which are closed at first."""
        button = self.page.get_by_test_id("stExpandSidebarButton")
        self.page.wait_for_function(
            "() => document.querySelector('[data-testid=stExpandSidebarButton], [data-testid=stSidebarCollapseButton]')"
        )
        if button.is_visible():
            button.click()
            self.page.get_by_test_id("stSidebarCollapseButton").wait_for(state="attached")
            self.fitted()

    def tab(self, name: str) -> None:
        """A tab of the drawer beside the tree."""
        self.page.locator(".st-key-drawer_tab").get_by_text(name, exact=True).click()
        self.settled()
        self.page.wait_for_timeout(300)  # the part of the page that has changed asks for the rest of it
        self.settled()

    def pick(self, box, name: str, typed: str = "") -> None:
        """Choose an option of a select box; a page that is still moving closes its list again."""
        from playwright.sync_api import TimeoutError  # where it is not installed, the tests are skipped

        option = self.page.get_by_role("option", name=name).first
        box.scroll_into_view_if_needed()
        self.settled()
        for _ in range(5):
            box.click()
            if typed:
                box.fill(typed)
            with suppress(TimeoutError):
                option.wait_for(timeout=2000)
            self.page.wait_for_timeout(300)  # a list that is closed again is so by then
            if option.is_visible():
                break
            self.page.keyboard.press("Escape")
        option.click()

    def sample(self, label: str) -> None:
        another, box = self.page.get_by_text("Another table", exact=True), self.page.get_by_label("All samples")
        if another.is_visible() and not box.first.is_visible():
            another.click()
            box.first.wait_for()
            self.settled()
        box = self.page.get_by_role("combobox", name="All samples")
        self.pick(box, label, label)
        self.text("Show the tree").wait_for()

    def go(self, page: str) -> None:
        self.open_page(page)
        self.heading(TITLES[page]).wait_for()
        self.settled()

    def open_page(self, page: str) -> None:
        """Choose it in the navigation."""
        if not GROUPS[page]:
            self.page.get_by_test_id("stTopNavLink").filter(has_text=page).click()
            return
        self.page.get_by_test_id("stTopNavSection").filter(has_text=GROUPS[page]).click()
        self.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=page).click()

    def tree(self):
        """Go to the tree that was just grown and wait for its drawing."""
        self.go("Explore")
        self.drawn()

    def drawn(self):
        """Until a tree of the page is drawn, for the room it has, and stands still."""
        self.page.locator(DRAWN).first.wait_for()
        self.counts(".bench[data-unfitted], .bench[data-moving]", 0)

    def fitted(self) -> None:
        """Until each tree of the page is drawn for the room that something else has just left to it."""
        self.settled()
        self.page.evaluate(NEXT_FRAMES)
        self.counts(".bench[data-unfitted], .bench[data-moving]", 0)
        self.settled()

    def companion(self) -> None:
        """Until the page's own picture has its room, and the tree beside it is drawn for what that leaves to it."""
        tree = self.page.locator(".bench").first
        while tree.evaluate("e => e.clientWidth / innerWidth") > 0.45:
            self.page.wait_for_timeout(50)
        self.page.locator(".st-key-drawer").first.wait_for()
        self.page.wait_for_timeout(2000)  # on a busy machine the canvas sees the drawer only when it looks again
        self.fitted()

    def counts(self, selector: str, n: int) -> None:
        """Until so many of these are on the page."""
        from playwright.sync_api import expect  # where it is not installed, the tests are skipped

        expect(self.page.locator(selector)).to_have_count(n, timeout=60_000)

    def card(self, node: int):
        return self.page.locator(f".bench #n{node}").first

    def click_card(self, node: int) -> None:
        self.card(node).locator(".card-face").first.click()

    def rival(self, start: str):
        """The bar of a split that was possible, by what it asks."""
        return self.page.get_by_role("option", name=re.compile(f"^{start}"))

    def node_is(self, node: int) -> None:
        self.heading(f"Node {node}").wait_for()

    def stop(self) -> None:
        """Stop a long fit, with the only Stop there is."""
        button = self.button("Stop")
        self.page.get_by_test_id("stMain").get_by_role("button", name="Stop").wait_for(timeout=60_000)
        button.click()

    def press(self, *keys: str) -> None:
        self.page.locator(".bench .stage").first.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def scale(self) -> float:
        self.page.wait_for_timeout(80)  # the camera moves with the next frame
        return float(re.search(r"scale\(([\d.]+)", self.camera())[1])

    def camera(self) -> str:
        return self.page.locator(".bench .world").first.get_attribute("transform")

    def ghosts(self):
        return self.page.locator(".bench .node.fallen")

    def wide_formulas(self) -> int:
        """How many are wider than their place, in the fonts that they are set in."""
        self.page.locator(".katex-display").first.wait_for()
        self.settled()
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        return self.page.locator(".katex-display").evaluate_all(TOO_WIDE)

    def faults(self) -> list[str]:
        """Messages on the page that are faults."""
        return self.page.get_by_test_id("stAlertContentError").all_inner_texts()


def csv(header: str, n: int = 60, row: str = "{a},{b},{c}") -> bytes:
    """A table in which the class follows from the first column, with a few rows against the rule."""
    lines = [
        row.format(i=i, a=f"{i % 20}.5", b=f"{i * 7 % 13}.25", c="yes" if (i % 20 > 9) != (i % 17 == 0) else "no")
        for i in range(n)
    ]
    return "\n".join([header, *lines]).encode() + b"\n"


def loans(n: int = 3000) -> bytes:
    """Ten columns, two classes of which one has about a seventh of the rows."""
    draw = random.Random(3)
    lines = ["age,income,region,amount,term,score,owns,children,job,defaulted"]
    for _ in range(n):
        age, income, score = draw.randint(18, 75), draw.randint(12, 90) * 1000, draw.gauss(640, 80)
        job, amount = draw.choice(["salaried", "self-employed", "retired", "student"]), draw.randint(1, 60) * 500
        risk = 0.04 + 0.3 * (score < 590) + 0.3 * (amount > income / 3) + 0.1 * (job == "student")
        row = (age, income, draw.choice("NSEW"), amount, draw.choice((12, 24)), round(score),
               draw.choice("yn"), draw.randint(0, 3), job, "bad" if draw.random() < risk else "good")  # fmt: skip
        lines.append(",".join(map(str, row)))
    return "\n".join(lines).encode()
