"""What leaves the app from the strip: the picture as it is shown, and the tree in every registered format."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import streamlit as st

import treecore as tc
from pages.shared.bench import tree
from pages.shared.controls import bin_edges
from pages.shared.data import source
from pages.shared.experiments import findings
from pages.shared.learn import guides
from pages.shared.session import saved_session, state
from pages.shared.trees import interest, work
from pages.shared.widgets import fold
from pages.shared.widgets.messages import plain
from treecore.errors import TreecoreError
from treecore.export.code import to_notebook, to_script
from treecore.export.format import ExportRequest, Format
from treecore.export.formats import FORMATS
from treecore.export.layout import MAX_NODES
from treecore.export.pictures import picture_size, why_not_pixels
from treecore.export.report import to_report
from treecore.export.row_sample import MOST_ROWS, SAMPLINGS
from treecore.pruning import PRUNERS
from treecore.recipe import Recipe, lowered
from treecore.teach.guide import Guide
from treecore.teach.index import worked_example

GROUPS = {"picture": "Picture of the whole tree", "rules": "Rules", "model": "Model", "table": "Tables"}
SHOWN = {"SVG as shown": "svg", "PNG as shown": "png"}
SCALES = (1, 2, 4)
PAPER = "picture paper"
ROWS, N_ROWS, SAMPLING, WITHOUT = "page rows", "page rows count", "page rows drawn", "page rows without"
SIZES = {"": "As large as the tree", "slide": "Slide (16:9)", "a4": "A4"}
LEAVES_OF_A_WIDE = 60


def menu(page: str) -> None:
    """On a page that shows the tree; from that of worked examples, the HTML page takes the example's steps along."""
    fold.menu("Export", "export", lambda: _formats(page), type="tertiary", icon=":material/download:", width="content")


def _formats(page: str) -> None:
    _as_shown()
    try:
        made = work.pruned()
    except TreecoreError:  # the page says what is wrong
        return
    guide = guides.in_hand() if page == "worked_examples" else None
    refused = work.cached_cut("refusals", make=lambda: _refusals(made))
    _describe_tree(made)
    for group, title in GROUPS.items():
        st.caption(title)
        if group == "picture":
            _size()
        with st.container(horizontal=True, gap="small"):
            for entry in FORMATS.values():
                if entry.group == group:
                    _offer(entry, made, refused[entry.name], guide)
        if group == "picture":
            if guide is not None:
                st.caption(f"The HTML page holds the steps of this example, {plain(guide.label)}.")
            _rows_of_page()
    _how()


def _rows_of_page() -> None:
    """Whether rows go into the HTML page, how many, and which columns stay out."""
    state.controlled(
        st.toggle, "Rows in the HTML page", state.choice(ROWS), lambda on: state.choose(ROWS, on), "page_rows",
        help="Off: no row of the table is in the page. On: whoever has the file can read these rows",
    )  # fmt: skip
    if not state.choice(ROWS):
        return
    table = work.own_rows()
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        state.controlled(
            st.number_input, "Rows", min(state.choice(N_ROWS), MOST_ROWS), lambda n: state.choose(N_ROWS, int(n or 1)),
            "page_rows_count", min_value=1, max_value=MOST_ROWS, step=50, width=130,
        )  # fmt: skip
        state.controlled(
            st.segmented_control, "Drawn", state.choice(SAMPLING), lambda how: state.choose(SAMPLING, how or "leaves"),
            "page_rows_drawn", options=list(SAMPLINGS), format_func=SAMPLINGS.get,
        )  # fmt: skip
    state.controlled(
        st.multiselect, "Columns that stay out", _left_out(table), lambda names: state.choose(WITHOUT, tuple(names)),
        "page_rows_without", options=list(table.column_names),
        placeholder="Names, addresses, whatever is nobody's business",
    )  # fmt: skip


def _left_out(table: tc.Table) -> list[str]:
    """The chosen columns that this table has."""
    return [name for name in state.choice(WITHOUT) if name in table.column_names]


def _page_options() -> dict:
    """The rows that go into the HTML page; none unless somebody asked for them."""
    if not state.choice(ROWS):
        return {}
    without, sampling = tuple(_left_out(work.own_rows())), state.choice(SAMPLING)
    return {"sample_rows": min(state.choice(N_ROWS), MOST_ROWS), "without": without, "sampling": sampling}


def _size() -> None:
    """Of a picture of the whole tree: its own, or that of a sheet."""
    state.controlled(
        st.segmented_control, "Size of the picture", state.choice(PAPER),
        lambda paper: state.choose(PAPER, paper or ""), "picture_paper", options=list(SIZES),
        format_func=SIZES.get, help="On a slide or a sheet, a large tree is drawn small: fold or prune it first",
    )  # fmt: skip


def _as_shown() -> None:
    """The browser makes these from what is on its canvas."""
    st.caption("Current view")
    with st.container(horizontal=True, gap="small"):
        for label, kind in SHOWN.items():
            st.button(label, key=f"shown {kind}", on_click=tree.save, args=(kind,))


def _how() -> None:
    """How the tree was made, on one page; what opens it again is under Share."""
    st.caption("How it was made")
    st.download_button(
        "Report", _report(work.recipe()), f"{stem()}-report.html", "text/html", key="report", on_click="ignore",
        help="One page for print: recipe, tree, size, errors, rules, data",
    )  # fmt: skip


def _report(recipe: Recipe) -> Callable[[], bytes]:
    rows, name = work.roles(), state.raw().source
    held = (rows["train"], rows["validation"], rows["test"])
    fit = tc.Fit(recipe, *held, work.trained(), work.cuts(), rows.get("pruning"), work.estimation().get("estimation"))
    more = [*bin_edges.refinement_section(), *findings.report_sections()]
    looked_for = interest.value(fit.tree)
    return lambda: to_report(fit, name, more, looked_for).encode("utf-8", "replace")


def _describe_tree(made: tc.Tree) -> None:
    method = PRUNERS[state.record().prune.method]
    leaves = "1 leaf" if made.n_leaves == 1 else f"{made.n_leaves:,} leaves"
    st.caption(f"Exported: **{leaves}**, {'as it grew' if method.name == 'none' else lowered(method.label)}:")


def _refusals(made: tc.Tree) -> dict[str, str]:
    return {entry.name: entry.reason(ExportRequest(made)) for entry in FORMATS.values()}


def _offer(entry: Format, made: tc.Tree, refused: str, guide: Guide | None) -> None:
    """One button for a format; pixels come in three sizes."""
    more = {"paper": state.choice(PAPER)} if "paper" in dict(entry.options) else {}
    more |= _page_options() if "sample_rows" in dict(entry.options) else {}
    more |= {"guide": guide} if guide is not None and "example" in dict(entry.options) else {}
    if "scale" not in dict(entry.options):
        _button(entry, made, refused, entry.label.removeprefix(f"{GROUPS[entry.group]}, "), "", **more)
        return
    size = work.cached_cut("picture size", make=lambda: picture_size(ExportRequest(made))) if _is_wide(made) else (0, 0)
    for scale in SCALES:
        why_not = refused or ("" if state.choice(PAPER) else why_not_pixels(size, scale))
        _button(entry, made, why_not, f"{entry.label} {scale}×", f"-{scale}x", scale=scale, **more)


def _is_wide(made: tc.Tree) -> bool:
    """May its picture be too wide at some scale? Only then it is laid out to be measured."""
    return made.n_leaves >= LEAVES_OF_A_WIDE and made.n_nodes <= MAX_NODES


def _button(entry: Format, made: tc.Tree, refused: str, label: str, suffix: str, **options) -> None:
    st.download_button(
        label, _writer(entry, made, options), f"{stem()}-{entry.name}{suffix}{entry.suffix}", entry.media,
        key=f"export {entry.name}{suffix}", on_click="ignore", disabled=bool(refused),
        help=plain(refused or entry.limits) or None,
    )  # fmt: skip


def _writer(entry: Format, made: tc.Tree, options: dict) -> Callable[[], bytes]:
    """Called when somebody asks for the file, outside of any run: it must not look at the session."""
    name, rows = state.raw().source, work.own_rows()
    looked_for, flag = interest.value(made), work.flag_rule()
    if flag is not None and "flag" in dict(entry.options):
        options = {**options, "flag": flag}

    guide = options.pop("guide", None)

    def write() -> bytes:
        more = {} if guide is None else {"example": worked_example(guide)}
        content = tc.export(made, entry.name, name=name, rows=rows, interest=looked_for, **options, **more)
        return content.encode("utf-8", "replace") if isinstance(content, str) else content

    return write


def stem() -> str:
    """The table's name as part of a file's name."""
    return re.sub(r"[^\w-]+", "-", Path(state.raw().source).stem).strip("-")[:40] or "tree"


# How the tree was made, to be passed on: a link, a recipe, a script; all of the work; and opening it again.

RECIPES = (
    ("Recipe", lambda recipe: recipe.to_json(indent=1), ".json", "application/json"),
    ("Python script", to_script, ".py", "text/x-python"),
    ("Notebook", to_notebook, ".ipynb", "application/x-ipynb+json"),
)


def share_menu(page: str) -> None:
    """On a page that shows the tree. page : its name."""
    fold.menu("Share", "share", lambda: _offered(page), type="tertiary", icon=":material/link:", width="content")


def _offered(page: str) -> None:
    try:
        recipe = work.recipe()
    except TreecoreError:  # the page says what is wrong
        return
    st.caption("A link to this tree. It contains your steps and column names, but no rows")
    st.code(saved_session.recipe_address(recipe), language=None)
    st.caption("Your steps as a file")
    with st.container(horizontal=True, gap="small"):
        for label, write, suffix, media in RECIPES:
            st.download_button(
                label, partial(write, recipe), f"{stem()}-recipe{suffix}", media, key=f"recipe {suffix}",
                on_click="ignore",
            )  # fmt: skip
    st.caption("Everything except the table: steps, undo history, choices, results of experiments")
    st.download_button(
        "Work file", saved_session.work_file(page), f"{stem()}-work.json", "application/json", key="work file",
        on_click="ignore",
    )  # fmt: skip
    source.upload_recipe()
