"""Everything that leaves the app from its menus, in a real browser, of a file that is no sample."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import onnx
import pytest

import treecore as tc
from tests.browser.app_steps import loans
from tests.browser.bench import BENCH
from tests.unit.test_pictures import long_tree, of_size
from treecore.export.format import ExportRequest

pytestmark = pytest.mark.browser


def taken(app, button) -> tuple[str, bytes]:
    """Name and bytes of what it downloads; Chromium gives no more than ten files a second."""
    app.page.wait_for_timeout(120)
    with app.page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def check_kind(suffix: str, written: bytes, app) -> None:
    """Fails where it is no file of its kind."""
    text = "" if suffix in (".png", ".pdf", ".onnx") else written.decode("utf-8-sig")
    if suffix in (".svg", ".pmml"):
        assert ET.fromstring(text).tag.lower().endswith(suffix[1:])
    elif suffix in (".json", ".ipynb"):
        assert json.loads(text)
    elif suffix == ".py":
        compile(text, "export", "exec")
    elif suffix == ".js":
        app.page.evaluate(f"() => {{ {text} }}")
    elif suffix == ".onnx":
        onnx.checker.check_model(onnx.load_from_string(written))
    elif suffix == ".csv":
        rows = list(csv.reader(io.StringIO(text)))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1
    elif suffix == ".html":
        reader = app.page.context.new_page()
        reader.set_content(text)
        assert reader.get_by_text("defaulted").count()
        reader.close()
    else:
        assert written.startswith({".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-"}.get(suffix, b""))
        assert text.count("{") == text.count("}")
        assert len(written) > 100


CAMERA = f"() => JSON.stringify({BENCH}.pane.camera.at)"

ON_PAPER = f"""() => {{
    const box = part => part.getBoundingClientRect(), bench = {BENCH}, sheet = box(bench.querySelector(".canvas"));
    const faces = [...bench.querySelectorAll(".card-face")].map(box);
    return [faces.every(face => face.left >= sheet.left && face.right <= sheet.right && face.top >= sheet.top
        && face.bottom <= sheet.bottom), box(bench.querySelector(".tools")).height > 0];
}}"""
"""Whether all cards are on the sheet, and whether the tools are."""


def the_page_is_printed_without_the_app(app) -> None:
    """Its tree, whole, and what stands beside it; the page is as it was afterwards."""
    pypdf = pytest.importorskip("pypdf")
    app.drawn()
    app.fitted()
    before = app.page.evaluate(CAMERA)
    names = app.page.evaluate(f"() => [...{BENCH}.pane.nodes.values()].map(node => node.row.title)")
    sheets = pypdf.PdfReader(io.BytesIO(app.page.pdf(format="A4", landscape=True, print_background=True))).pages
    told = [sheet.extract_text() for sheet in sheets]
    assert all(name in told[0] for name in names), "all of the tree is on the first sheet"
    for word in ("Undo", "Redo", "Export", "Share", "Present", "Find…", "Step by step", "✂"):
        assert word not in "".join(told)
    assert "Recipe: " in told[-1]
    app.page.emulate_media(media="print")
    app.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    app.page.wait_for_timeout(500)  # a page that has another size now may look for its tree
    assert app.page.evaluate(ON_PAPER) == [True, False]
    app.page.emulate_media(media="screen")
    app.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    app.page.wait_for_timeout(500)
    assert app.page.evaluate(CAMERA) == before
    assert app.page.evaluate(f"() => {BENCH}.querySelector('.picture').hasAttribute('viewBox')") is False


def test_what_is_grown_and_asked_leaves_as_files(app, faults):
    every_format_leaves_from_the_menus(app)
    the_page_is_printed_without_the_app(app)
    exercise_sheets_leave_as_files(app)
    assert faults == []


def every_format_leaves_from_the_menus(app) -> None:
    """Each whole and of its kind, as the library writes it; what cannot be said is refused."""
    app.upload("my loans.csv", loans())
    app.page.get_by_test_id("tree").wait_for()
    app.drawn()
    app.settled()
    app.button("Export").click()
    app.button("JSON").wait_for()
    found, expected = {}, {}
    for button in app.page.locator("[class*='st-key-export-']").get_by_role("button", disabled=False).all():
        name, written = taken(app, button)
        found[name.removeprefix("my-loans-").split(".")[0]] = written
        check_kind(Path(name).suffix, written, app)
    tree = tc.Tree.from_dict(json.loads(found["json"]))
    for entry in tc.FORMATS.values():
        suffixes = ["-1x", "-2x", "-4x"] if entry.name == "png" else [""]
        expected |= (
            {} if entry.refuse(ExportRequest(tree, rows="given")) else dict.fromkeys(entry.name + s for s in suffixes)
        )
    assert found.keys() == expected.keys()
    for name in ("json", "sql", "nodes_csv"):
        titled = int(name == "sql")  # its first line names the file
        assert found[name].decode("utf-8").splitlines()[titled:] == tc.export(tree, name).splitlines()[titled:]
    _, shown = taken(app, app.button("SVG as shown"))
    for label in ("PNG as shown", "Report"):
        name, written = taken(app, app.button(label))
        check_kind(Path(name).suffix, written, app)
    words = "".join(ET.fromstring(shown).itertext())
    assert "good" in words
    assert "bad" in words
    assert b"<script" not in shown
    assert re.sub(rb"http://www\.w3\.org/\d+/\w+", b"", shown).count(b"http") == 0
    app.page.keyboard.press("Escape")
    app.button("Share").click()
    for label in ("Recipe", "Python script", "Notebook"):
        name, written = taken(app, app.button(label))
        check_kind(Path(name).suffix, written, app)
    app.page.keyboard.press("Escape")


def exercise_sheets_leave_as_files(app) -> None:
    app.go("Exercises")
    for label in ("PDF", "HTML, A4 print", "Markdown", "LaTeX"):
        sheet, key = (taken(app, app.button(f"{which}: {label}")) for which in ("Sheet", "Key"))
        check_kind(Path(sheet[0]).suffix, sheet[1], app)
        assert sheet[1] != key[1]


CROSSED = """() => {
    const box = part => part.getBoundingClientRect(), frame = box(document.querySelector("svg"));
    const texts = [...document.querySelectorAll("svg text")].filter(text => text.textContent.trim());
    const found = [], seen = [];
    for (const text of texts) {
        const own = box(text);
        if (own.left < frame.left - 1 || own.right > frame.right + 1 || own.top < frame.top - 1
            || own.bottom > frame.bottom + 1) found.push([text.textContent, "is cut"]);
        for (const [name, other] of seen) {
            const wide = Math.min(own.right, other.right) - Math.max(own.left, other.left);
            const high = Math.min(own.bottom, other.bottom) - Math.max(own.top, other.top);
            if (wide > 1.5 && high > 2.5) found.push([text.textContent, name]);
        }
        seen.push([text.textContent, own]);
    }
    return [texts.length, found];
}"""
"""How many texts there are, and those that are cut or lie over another one."""


@pytest.mark.parametrize("target", ["defaulted", "amount", "repaid"])
def test_no_text_of_a_picture_is_cut_or_crossed(page, target):
    """With the font of the file, and with another one where a program reads no fonts from files."""
    full = long_tree() if target == "repaid" else grown_loans(target)
    for n_leaves in (5, 30, 150):
        tree = of_size(full, n_leaves)
        for options in ({}, {"orientation": "LR"}, {"paper": "slide"} if n_leaves < 150 else {"title": False}):
            svg = tc.export(tree, "svg", name="my loans.csv", **options).decode()
            for shown in (svg, re.sub("<style>.*?</style>", "", svg)):
                page.set_content(shown)
                page.evaluate("() => document.fonts.ready.then(() => null)")
                n_texts, crossed = page.evaluate(CROSSED)
                assert n_texts > 3 * tree.n_nodes
                assert crossed == [], (tree.n_leaves, options)


def grown_loans(target: str) -> tc.Tree:
    return tc.grow(tc.read_table(io.BytesIO(loans()), target=target), "cart", max_leaves=170)
