"""Names from data stay literal in every picture, and the library stays light."""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import treecore as tc
from treecore import plots
from treecore.data import Table, level_column, numeric_column
from treecore.plots.picture_style import text, texts
from treecore.study import (
    class_mix,
    column_counts,
    node_box,
    plane_points,
    regions,
    size_curve,
    step_function,
    step_points,
    target_histogram,
)
from treecore.tree.node_statistics import node_statistics

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "$x$ **b** ![i](http://x/y.png)",
    '"];evil',
    "%{x} %{customdata[0]} <a href='http://x/'>y</a>",
    "two\nlines\x00\u202e",
    "",
    "<b>bold</b> &lt;i&gt;",
    "'\"`\\",
    "2020-01-01",
    "x" * 5000,
)
OURS = re.compile(r"</?b>|<br>|<extra></extra>")


def decoded(markup: str) -> str:
    """What Plotly shows for a text without tags: it knows numeric entities and a few named ones, not &quot;."""
    assert not re.search(r"&(?!(amp|lt|gt|#\d+|#x[0-9a-f]+);)", markup)
    return html.unescape(markup)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_shown_as_it_is_and_interpreted_as_nothing(name):
    safe = text(name, None)
    assert not re.search(r"[<>$%]", safe)
    seen = name.replace("\x00", "[U+0000]").replace("\u202e", "[U+202E]")
    assert decoded(safe) == (" ".join(seen.split()) or "(blank)")


def test_names_that_become_alike_are_numbered():
    long = "the same long beginning of a name, "
    assert texts([long + "a", long + "b"], 12) == ["the same l…a", "the same l…b"]
    assert texts([long, long], 12) == [text(long, 12) + " #1", text(long, 12) + " #2"]
    assert texts(["a", "b"]) == ["a", "b"]


def hostile_table(regression=False) -> Table:
    rng = np.random.default_rng(0)
    n, levels = 400, HOSTILE[:8]
    u, v, k = rng.normal(size=n), rng.normal(size=n), rng.integers(0, 8, n)
    y = (u > 0) * 2 + (v > 0) * 1 + k / 3 + rng.normal(size=n) / 9
    columns = [
        numeric_column(HOSTILE[0], u),
        numeric_column(HOSTILE[1], v),
        level_column(HOSTILE[3], "nominal", k, levels),
    ]
    if regression:
        target = numeric_column(HOSTILE[4], y)
    else:
        target = level_column(HOSTILE[4], "nominal", np.clip(np.floor(y), 0, 7).astype(int), levels)
    return Table((*columns, target), target=HOSTILE[4], features=(HOSTILE[0], HOSTILE[1], HOSTILE[3]))


def every_figure(regression: bool) -> dict:
    table = hostile_table(regression)
    tree = tc.grow(table, "cart", max_depth=5)
    (x, y, k), tables = table.features, {"train": table, "validation": table.take(np.arange(90))}
    found = {}
    for other, axes in ((k, (x, y)), (y, (k, x))):
        fixed = {other: HOSTILE[0] if other == k else 0.0}
        plane = regions(tree, *axes, fixed)
        box = node_box(tree, 1, *axes)
        found[f"regions {axes}"] = plots.region_map(plane, plane_points(tree, plane, tables), box)
    found["curve"] = plots.size_curve(size_curve(tc.sequence(tree), tables), 1)
    found |= {f"column {name}": plots.column_histogram(column_counts(table, name)) for name in table.column_names}
    if regression:
        steps = step_function(tree, table, x, {y: 0.0, k: HOSTILE[1]})
        found["steps"] = plots.step_function(steps, step_points(tree, x, tables), np.array([[0.0, 1.0]]))
        found["target"] = plots.target_histogram(target_histogram(tree, 1, table))
    else:
        statistics = {role: node_statistics(tree, rows) for role, rows in tables.items()}
        found["mix"] = plots.class_mix(class_mix(tree, 1, statistics))
    return found


def strings_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key != "bdata":  # arrays of numbers
                yield from strings_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_of(inner)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("regression", [False, True])
def test_no_picture_holds_markup_from_the_data(regression):
    for name, figure in every_figure(regression).items():
        figure.update_layout(template="none")
        data = json.loads(figure.to_json())
        data["layout"].pop("template", None)
        for string in strings_of(data):
            if string.startswith("data:image/png;base64,"):
                continue
            bare = OURS.sub("", string)
            assert "<" not in bare, (name, string[:200])
            assert "$" not in bare, (name, string[:200])
            assert "%{x}" not in bare, (name, string[:200])
            assert "&quot;" not in bare, (name, string[:200])
            assert len(string) < 1000, (name, string[:200])


@pytest.mark.parametrize("regression", [False, True])
def test_pictures_are_transparent_and_leave_text_to_the_theme(regression):
    for figure in every_figure(regression).values():
        layout = figure.to_dict()["layout"]
        assert layout["paper_bgcolor"] == layout["plot_bgcolor"] == "rgba(0,0,0,0)"
        assert "font" not in layout
        assert "sendChartToCloud" in layout["modebar"]["remove"]


def test_neither_the_library_nor_evaluation_loads_plotly():
    code = "import sys, treecore, treecore.study; print(sorted(m for m in sys.modules if m.startswith('plotly')))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_nothing_outside_plots_imports_plotly_and_plots_import_no_streamlit():
    package = Path(tc.__file__).parent
    for path in package.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        inside = "plots" in path.relative_to(package).parts
        assert inside or not re.search(r"^\s*(import|from) (plotly|treecore\.plots)", source, re.M), path
        assert not re.search(r"^\s*(import|from) streamlit", source, re.M), path
