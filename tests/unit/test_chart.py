"""Pictures that stand still: the marks of a figure at their places, kept as data and drawn as SVG."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import plotly.graph_objects as go
import pytest

from tests.hostile import NAMES
from treecore.errors import TreecoreError
from treecore.export.chart import Chart, ChartAxis, Mark, chart_svg
from treecore.plots.charts import chart_of
from treecore.plots.picture_style import NEUTRAL, figure, text


def lines(x, y, across: dict | None = None, up: dict | None = None, **more) -> Chart:
    drawn = figure([go.Scatter(x=x, y=y, mode="lines", name="a line")], across or {}, up or {}, **more)
    return chart_of(drawn, "A caption.")


def test_marks_are_where_the_values_are():
    chart = lines([0, 5, 10], [2, np.nan, 4], {"range": [0, 10]}, {"range": [0, 8]})
    [line] = chart.marks
    assert line == Mark("line", (0.0, None, 1.0), (0.25, None, 0.5), "a line", NEUTRAL)
    assert [label for _, label in chart.across.ticks] == ["0", "2", "4", "6", "8", "10"]
    assert [at for at, _ in chart.up.ticks] == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_logarithmic_side_and_given_ticks():
    chart = lines([1, 10, 100], [0, 1, 2], {"type": "log", "range": [0, 2], "tickvals": [1, 100], "tickformat": ",.0f"})
    assert chart.marks[0].x == (0.0, 0.5, 1.0)
    assert chart.across.ticks == ((0.0, "1"), (1.0, "100"))


def test_bars_errors_areas_and_rules():
    bars = go.Bar(x=[0.5, 1.0], y=[0, 1], orientation="h", error_x={"array": [0.1, 0.2]}, width=0.5)
    area = go.Scatter(x=[0, 1, 1], y=[0, 0, 1], fill="toself", fillcolor="rgba(128,128,128,0.18)", mode="lines")
    rule = {"type": "line", "x0": 0.5, "x1": 0.5, "y0": 0, "y1": 1, "yref": "y domain", "line": {"dash": "dot"}}
    drawn = figure([bars, area], {"range": [0, 2]}, {"range": [1.5, -0.5]}, shapes=[rule])
    first, second, *errors, band, line = chart_of(drawn, "").marks
    assert (first.kind, first.x, first.y) == ("bar", (0.0, 0.25), (0.875, 0.625)), "the first bar is on top"
    assert second.x == (0.0, 0.5)
    assert [mark.x for mark in errors] == [(0.2, 0.3), (0.4, 0.6)]
    assert (band.kind, band.color, band.opacity) == ("area", "#808080", 0.18)
    assert (line.x, line.y, line.dash) == ((0.25, 0.25), (0.0, 1.0), "2,3")


@pytest.mark.parametrize("dark", [False, True])
def test_names_stay_text_and_nothing_is_asked_for(dark):
    for name in NAMES:
        trace = go.Scatter(x=[0, 1], y=[0, 1], mode="lines+markers", name=text(name))
        drawn = chart_of(figure([trace], {"title": text(name, None)}, {"title": ""}), name)
        root = ET.fromstring(chart_svg(drawn, dark=dark))
        assert drawn.across.title in [node.text for node in root.iter() if node.tag.endswith("text")]
        assert {node.tag.split("}")[1] for node in root.iter()} <= {"svg", "text", "polyline", "circle", "rect"}
        assert not any("href" in key or key.startswith("on") for node in root.iter() for key in node.attrib)


def test_a_chart_comes_back_from_json():
    chart = lines([0, 5, 10], [2, np.nan, 4], legend=None)
    assert Chart.from_dict(json.loads(json.dumps(chart.to_dict()))) == chart


@pytest.mark.parametrize(
    "change",
    [
        {"x": [float("nan"), 0.5, 1.0]}, {"x": ["0", 0.5, 1.0]}, {"x": [0.5]}, {"color": 'red" onload="x'},
        {"kind": "html"}, {"dash": "1;2"}, {"width": 1e9}, {"opacity": True}, {"name": 5}, {"x": [1e9, 0.0, 0.0]},
        {"kind": "area"},
    ],
)  # fmt: skip
def test_a_damaged_chart_is_refused(change):
    told = lines([0, 5, 10], [2, np.nan, 4]).to_dict()
    with pytest.raises(TreecoreError, match="not a picture"):
        Chart.from_dict(told | {"marks": [told["marks"][0] | change]})
    for whole in (None, [], {}, told | {"height": "tall"}, told | {"up": {"title": "", "ticks": [[1]]}}):
        with pytest.raises(TreecoreError, match="not a picture"):
            Chart.from_dict(whole)


def test_a_chart_without_marks_is_drawn():
    ET.fromstring(chart_svg(Chart("", ChartAxis("", ()), ChartAxis("", ()), ())))


def test_no_label_of_a_tick_stands_on_another():
    ticks = tuple((n / 30, f"{n}00") for n in range(31))
    for wide in (330, 640):
        root = ET.fromstring(chart_svg(Chart("", ChartAxis("", ticks), ChartAxis("", ()), ()), wide))
        words = [node for node in root.iter() if node.tag.endswith("text") and node.text]
        places = [float(node.get("x")) for node in words]
        assert len(places) > 5
        assert min(np.diff(places)) > 25
