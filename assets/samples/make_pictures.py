"""Write the small drawings of the samples on the start page: python assets/samples/make_pictures.py

Files, so that nothing has to be read before somebody can give a table (a test holds that they are what this makes).
"""

from pathlib import Path

import numpy as np

from treecore.data.samples import read_sample
from treecore.export.cards import PALETTE

FOLDER = Path(__file__).parent / "pictures"
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


def picture(name: str) -> str:
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


if __name__ == "__main__":
    for name in (*AXES, *TREES):
        (FOLDER / f"{name}.svg").write_text(picture(name), "utf-8")
