"""The start: a place for a file, and samples to look around in, each with a picture and what it teaches."""

from base64 import b64encode

import numpy as np
import streamlit as st

from pages import PAGES
from pages.shared.data import source
from pages.shared.database import place
from pages.shared.server import memo
from pages.shared.session import state
from treecore.data.samples import SAMPLES, read_sample
from treecore.export.cards import PALETTE

CARDS = (
    ("play_tennis", "The lecture's first tree: entropy by hand, 14 days"),
    ("titanic", "Words, numbers and gaps: who survived, and why"),
    ("iris", "Two measurements separate three flowers: see the regions"),
    ("crescents", "A curved border: how a tree over-fits, and pruning"),
    ("mpg", "Numbers to predict: means in the leaves, R²"),
    ("customers", "6,000 rows: size, validation and the rare class"),
)
"""Sample -> what it teaches."""
AXES = {"iris": ("petallength", "petalwidth"), "crescents": None, "mpg": ("weight", "mpg")}
"""Samples whose picture is a scatter of two columns; None for the first two. The others have a small tree."""
WIDE, HIGH, POINTS = 104, 62, 90
TREES = {
    "play_tennis": ((0.5, 0.12, 0.18, 0.5), (0.5, 0.12, 0.5, 0.5), (0.5, 0.12, 0.82, 0.5), (0.18, 0.5, 0.1, 0.88),
                    (0.18, 0.5, 0.3, 0.88), (0.82, 0.5, 0.7, 0.88), (0.82, 0.5, 0.9, 0.88)),
    "titanic": ((0.5, 0.12, 0.25, 0.5), (0.5, 0.12, 0.75, 0.5), (0.25, 0.5, 0.1, 0.88), (0.25, 0.5, 0.4, 0.88),
                (0.75, 0.5, 0.62, 0.88), (0.75, 0.5, 0.9, 0.88)),
    "customers": ((0.5, 0.12, 0.2, 0.4), (0.5, 0.12, 0.7, 0.4), (0.7, 0.4, 0.5, 0.65), (0.7, 0.4, 0.88, 0.65),
                  (0.5, 0.65, 0.36, 0.9), (0.5, 0.65, 0.62, 0.9)),
}  # fmt: skip
"""Lines from parents to children, as shares of the picture."""


def show() -> None:
    """What this is for; then a place for a file, what is wrong with it and what helps, six samples, all of them."""
    st.markdown("**Grow a decision tree from your table: see every split, check every number, prune and compare.**")
    source.upload()
    place.ask()
    source.read()
    st.markdown("**Or look around in a sample**")
    gallery()
    source.samples()


def gallery() -> None:
    """The samples that most is to be seen in."""
    for first in range(0, len(CARDS), 3):
        for column, (name, teaches) in zip(st.columns(3), CARDS[first : first + 3], strict=True):
            with column:
                _card(name, teaches)


def without_table(page: str) -> None:
    """What a page would show if there were a table, and where to get one; the page ends here. With a table: nothing."""
    if state.raw() is not None:
        st.empty()  # else what comes next would stand among the samples for a moment when a tab's work comes back
        return
    with st.container(key="without_table"):
        st.markdown(f"**{PAGES[page].purpose}**")
        st.info("Load a table first: a file of yours or a sample.")
        st.page_link("pages/data.py", label="Data", icon=":material/upload_file:")
        gallery()
    st.stop()


def _card(name: str, teaches: str) -> None:
    with st.container(border=True, key=f"card {name}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            drawn = memo.get(("picture", name), lambda: b64encode(_picture(name).encode()).decode())
            st.markdown(f"![a small drawing of {SAMPLES[name].label}](data:image/svg+xml;base64,{drawn})", width=WIDE)
            with st.container(gap=None):
                st.markdown(f"**{SAMPLES[name].label}**")
                st.caption(teaches)
        st.button("Open", key=f"open_{name}", on_click=source.open_sample, args=(name,), width="stretch")


def _picture(name: str) -> str:
    """A small drawing as SVG; nothing of the data's text is in it."""
    inner = _scatter(name) if name in AXES else _tree(TREES[name])
    space = "http://www.w3.org/2000/svg"
    return f'<svg xmlns="{space}" width="{WIDE}" height="{HIGH}" viewBox="0 0 {WIDE} {HIGH}">{inner}</svg>'


def _scatter(name: str) -> str:
    table = read_sample(name)
    names = AXES[name] or table.features[:2]
    x, y = (table.column(n).values() for n in names)
    known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    some = known[np.linspace(0, len(known) - 1, min(POINTS, len(known))).astype(int)]
    codes = table.target_column.codes if table.classes else np.zeros(table.n_rows, int)
    place = lambda v, size: 5 + (size - 10) * (v[some] - v[known].min()) / (np.ptp(v[known]) or 1)  # noqa: E731
    return "".join(
        f'<circle cx="{a:.1f}" cy="{HIGH - b:.1f}" r="2.1" fill="{PALETTE[codes[i] % len(PALETTE)]}"/>'
        for i, a, b in zip(some, place(x, WIDE), place(y, HIGH), strict=True)
    )


def _tree(lines: tuple) -> str:
    at = lambda x, y: (x * WIDE, y * HIGH)  # noqa: E731
    drawn, parents = [], {line[:2] for line in lines}
    for x0, y0, x1, y1 in lines:
        (a, b), (c, d) = at(x0, y0), at(x1, y1)
        drawn.append(f'<path d="M{a:.1f} {b:.1f}C{a:.1f} {(b + d) / 2:.1f} {c:.1f} {(b + d) / 2:.1f} {c:.1f} {d:.1f}" '
                     'fill="none" stroke="#8a9099" stroke-width="2"/>')  # fmt: skip
    for i, (x, y) in enumerate(sorted(parents | {line[2:] for line in lines})):
        (a, b), leaf = at(x, y), (x, y) not in parents
        fill = PALETTE[i % 2] if leaf else "#8a9099"
        drawn.append(f'<rect x="{a - 8:.1f}" y="{b - 4:.1f}" width="16" height="8" rx="2.5" fill="{fill}"/>')
    return "".join(drawn)
