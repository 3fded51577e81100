"""What each picture draws from its numbers."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import treecore as tc
from tests.unit.test_evaluation_metrics import ROLES, grown
from treecore import plots
from treecore.export.cards import PALETTE as CLASS_COLORS
from treecore.export.pictures import palette_png
from treecore.plots import decision_regions as drawing
from treecore.plots import picture_style
from treecore.plots.error_curves import many_trees
from treecore.plots.picture_style import feature_axis, upward_axis
from treecore.study import (
    class_mix,
    column_counts,
    default_fixed,
    node_box,
    plane_points,
    plot_ranges,
    regions,
    size_curve,
    step_function,
    step_points,
    target_histogram,
)
from treecore.study.curves import SizeCurve
from treecore.study.plane import Axis
from treecore.study.questions.many_trees import OUT_OF_BAG
from treecore.tree.node_statistics import node_statistics


def plane(name, x, y, **settings):
    tree, tables = grown(name, **settings)
    ranges = plot_ranges([x, y], *tables.values())
    found = regions(tree, x, y, default_fixed(tree, tables["train"]), ranges=ranges)
    return tree, tables, found, ranges


def curve_of(name):
    tree, tables = grown(name)
    return size_curve(tc.sequence(tree), tables)


def renders(figure):
    assert json.loads(figure.to_json())["data"]
    return figure


def rectangles(figure):
    return [s for s in figure.layout.shapes if s.layer == "below"]


@pytest.mark.parametrize(("name", "x", "y"), [("iris", "petallength", "petalwidth"), ("titanic", "age", "sex")])
def test_few_regions_are_shapes_below_the_rows(name, x, y):
    tree, tables, found, _ = plane(name, x, y)
    figure = renders(plots.region_map(found, plane_points(tree, found, tables)))
    boxes = [(s.x0, s.x1, s.y0, s.y1) for s in rectangles(figure)]
    assert boxes == list(zip(found.x0, found.x1, found.y0, found.y1, strict=True))
    colors = [tuple(int(c) for c in s.fillcolor[5:-1].split(",")[:3]) for s in rectangles(figure)]
    assert colors == [picture_style.rgb(int(k)) for k in found.value]
    assert not figure.layout.images


def test_many_regions_are_one_small_image_of_the_same_place(monkeypatch):
    tree, tables, found, _ = plane("crescents", "x1", "x2")
    monkeypatch.setattr(drawing, "MOST_SHAPES", 10)
    figure = renders(plots.region_map(found, plane_points(tree, found, tables), node_box(tree, 1, "x1", "x2")))
    (image,) = figure.layout.images
    assert (image.x, image.y) == (found.x.low, found.y.high)
    assert (image.x + image.sizex, image.y - image.sizey) == pytest.approx((found.x.high, found.y.low))
    assert image.layer == "below"
    assert len(image.source) < 12_000
    assert not rectangles(figure)
    assert len(figure.layout.shapes) == 2, "the selected node's box stays a shape"


def test_the_selected_box_is_drawn_twice_so_that_it_shows_on_any_page():
    tree, _, found, ranges = plane("iris", "petallength", "petalwidth")
    box = node_box(tree, 1, "petallength", "petalwidth", ranges)
    above = [s for s in plots.region_map(found, None, box).layout.shapes if s.layer == "above"]
    assert [(s.x0, s.x1, s.y0, s.y1) for s in above] == [tuple(box[0])] * 2
    assert above[0].line.width > above[1].line.width
    assert above[0].line.color != above[1].line.color


def test_every_row_is_drawn_once_with_its_row_and_node():
    tree, tables, found, _ = plane("titanic", "age", "sex")
    points = plane_points(tree, found, tables)
    figure = renders(plots.region_map(found, points))
    data = [t.customdata for t in figure.data if t.type == "scatter" and t.customdata is not None]
    drawn = {(int(row), int(node)) for part in data for row, node in part}
    assert drawn == set(zip(points.row.tolist(), points.node.tolist(), strict=True))
    assert sum(len(part) for part in data) == len(points)
    rings = [t for t in figure.data if t.name == "wrong" and t.x[0] is not None]
    assert sum(len(t.x) for t in rings) == points.wrong.sum() > 0
    pale = [t for t in figure.data if t.customdata is not None and t.opacity < 1]
    assert sum(len(t.x) for t in pale) == (~points.in_plane).sum()


def test_classes_and_roles_differ_in_more_than_colour():
    tree, tables, found, _ = plane("iris", "petallength", "petalwidth")
    figure = plots.region_map(found, plane_points(tree, found, tables))
    symbols = {}
    for trace in figure.data:
        if trace.type == "scatter" and trace.customdata is not None:
            symbols.setdefault(trace.marker.symbol, trace.marker.color)
    assert len(symbols) == 9, "three classes in three roles"
    shown = {t.name for t in figure.data if t.type == "scatter" and t.showlegend is not False}
    assert {*tree.classes, *ROLES, "wrong"} <= shown
    assert {a.text for a in figure.layout.annotations} <= set(tree.classes)
    assert len(figure.layout.annotations) >= 3


def test_hovering_tells_the_node_and_its_answer():
    tree, _, found, _ = plane("iris", "petallength", "petalwidth")
    (layer,) = plots.region_map(found).data
    assert layer.opacity == 0
    i = found.index_at(np.array([1.0]), np.array([0.3]))[0]
    assert layer.text[0][0].startswith("<b>Iris-setosa</b><br>100.0 &#37; Iris-setosa<br>")
    assert f"node {found.node[i]}, {tree.n_rows[found.node[i]]} training rows" in layer.text[0][0]


def test_means_share_one_scale_with_the_rows():
    tree, tables, found, _ = plane("mpg", "weight", "horsepower")
    figure = renders(plots.region_map(found, plane_points(tree, found, tables)))
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == found.limits
    assert figure.layout.coloraxis.colorbar.title.text == "mpg"
    assert all(t.marker.coloraxis == "coloraxis" for t in figure.data if t.customdata is not None)


def test_axes_of_levels_have_a_tick_per_level():
    _, _, found, _ = plane("titanic", "pclass", "embarked")
    figure = plots.region_map(found)
    assert figure.layout.xaxis.ticktext == ("1", "2", "3")
    assert figure.layout.xaxis.tickvals == (0, 1, 2)
    assert figure.layout.xaxis.range == (-0.5, 2.5)
    assert figure.layout.xaxis.type == "linear"


def test_the_title_of_an_axis_is_as_long_as_a_small_plane_is_wide_or_high():
    side = Axis("n" * 48, "numeric", 0.0, 1.0)
    assert (len(feature_axis(side)["title"]), len(upward_axis(side)["title"])) == (36, 24)
    assert {**feature_axis(side), "title": ""} == {**upward_axis(side), "title": ""}


def test_the_errors_of_one_tree_have_one_key_and_their_roles_beside_them():
    errors = {role: np.array([0.3, 0.2]) for role in ("train", "validation", OUT_OF_BAG)}
    drawn = many_trees(errors, {"validation": 0.25, "train": 0.1}, share=True, name="error rate")
    keys = [trace.name for trace in drawn.data if trace.showlegend is not False]
    assert keys == [*errors, "your tree"]
    assert [(a.text, a.y, a.yanchor) for a in drawn.layout.annotations] == [
        ("validation", 0.25, "bottom"), ("train", 0.1, "top"),
    ]  # fmt: skip


def test_more_classes_than_colours_still_draw():
    _, _, found, _ = plane("iris", "petallength", "petalwidth")
    names = tuple(f"class {k}" for k in range(300))
    many = replace(found, classes=names, value=np.arange(len(found)) * 60 % 300)
    assert [s.fillcolor for s in rectangles(plots.region_map(many))]
    renders(plots.region_map(replace(many, value=np.full(len(found), -1), share=np.full(len(found), np.nan))))


def test_no_picture_sends_lists_of_numbers_or_copies():
    tree, tables, found, _ = plane("crescents", "x1", "x2")
    figure = plots.region_map(found, plane_points(tree, found, tables))
    assert all(isinstance(t.x, np.ndarray) for t in figure.data if t.customdata is not None)
    assert len(figure.to_json()) < 250_000


@pytest.mark.parametrize("name", ["iris", "titanic", "mpg"])
@pytest.mark.parametrize("size", ["leaves", "nodes", "depth"])
def test_the_curve_goes_from_small_to_large_and_knows_its_steps(name, size):
    curve = curve_of(name)
    figure = renders(plots.size_curve(curve, chosen=1, size=size))
    sizes = {"leaves": curve.n_leaves, "nodes": curve.n_nodes, "depth": curve.depth}[size]
    for role in ROLES:
        (line,) = (t for t in figure.data if t.name == role)
        step = line.customdata[:, 0].astype(int)
        assert step.tolist() == list(range(len(curve)))[::-1]
        assert np.array_equal(line.x, sizes[step])
        assert np.array_equal(line.y, curve.shown[role][step])
        assert (np.diff(line.x) >= 0).all()
        assert line.line.shape == "hv"


def long_curve() -> SizeCurve:
    n, rng = 30_000, np.random.default_rng(0)
    leaves, depth = np.arange(n, 0, -1), np.sort(rng.integers(0, 40, n))[::-1]
    error = {"train": np.linspace(0.0, 0.5, n), "validation": 0.3 + 0.1 * rng.random(n), "test": np.full(n, np.nan)}
    root = {role: value[-1] for role, value in error.items()}
    return SizeCurve("classification", np.arange(n) / n, leaves, 2 * leaves - 1, depth, error, root, "error rate")


@pytest.mark.parametrize("size", ["leaves", "depth"])
def test_of_a_long_curve_the_steps_that_can_be_told_apart_are_drawn(size):
    curve = long_curve()
    figure = renders(plots.size_curve(curve, chosen=777, size=size, marks=[(888, "0-SE")]))
    for role in ("train", "validation"):
        (line,) = (t for t in figure.data if t.name == role)
        step = line.customdata[:, 0].astype(int)
        assert (np.diff(step) < 0).all()
        assert {0, 777, 888, curve.best("validation"), len(curve) - 1} <= {*step}
        assert 38 < len(step) < 2000
        assert np.array_equal(line.y, curve.shown[role][step])
        if size == "leaves":
            assert np.diff(np.log(line.x)).max() <= max(2 * np.log(30_000) / 200, np.log(2)), "a gap that can be seen"
        else:  # as many strips as depths
            for depth in range(40):
                all_of_it, drawn = curve.shown[role][curve.depth == depth], line.y[line.x == depth]
                assert (drawn.min(), drawn.max()) == (all_of_it.min(), all_of_it.max())


def test_accuracy_is_one_less_the_error_and_regression_has_none():
    curve = curve_of("titanic")
    line = next(t for t in plots.size_curve(curve, measure="accuracy").data if t.name == "test")
    assert line.y == pytest.approx(1 - curve.error["test"][::-1])
    with pytest.raises(tc.TreecoreError, match="no accuracy"):
        plots.size_curve(curve_of("mpg"), measure="accuracy")
    with pytest.raises(tc.TreecoreError, match="'colour'"):
        plots.size_curve(curve, size="colour")


def test_chosen_and_best_sizes_are_marked():
    curve = curve_of("titanic")
    figure = plots.size_curve(curve, chosen=3)
    (line,) = figure.layout.shapes
    assert line.x0 == line.x1 == curve.n_leaves[3]
    (rings,) = (t for t in figure.data if t.name == "chosen")
    assert list(rings.y) == [curve.shown[role][3] for role in ROLES]
    best = curve.best("validation")
    (star,) = (t for t in figure.data if t.marker.symbol == "star")
    assert (star.x[0], star.y[0]) == (curve.n_leaves[best], curve.shown["validation"][best])
    assert star.customdata[0][0] == best
    assert not plots.size_curve(curve).layout.shapes


def test_baselines_are_dotted():
    curve = curve_of("titanic")
    dotted = [t for t in plots.size_curve(curve).data if t.line.dash == "dot"]
    assert [t.y[0] for t in dotted] == list(curve.baseline.values())


def test_lines_are_named_at_their_ends_and_told_apart_without_colour():
    figure = plots.size_curve(curve_of("titanic"))
    lines = [t for t in figure.data if t.name in ROLES]
    assert len({t.line.color for t in lines}) == len(lines)
    assert not {t.line.color for t in lines} & set(CLASS_COLORS)
    assert len({(t.line.dash, t.line.width) for t in lines}) == len({t.marker.symbol for t in lines}) == len(ROLES)
    ends = {a.text: a.y for a in figure.layout.annotations}
    assert {role for role in ROLES if any(role in text for text in ends)} == set(ROLES)
    places = sorted(ends.values())
    low, high = min(min(t.y) for t in lines), max(max(t.y) for t in lines)
    assert min(b - a for a, b in pairwise(places)) > 0.04 * (high - low), "names do not lie on each other"


def test_a_long_axis_is_logarithmic_unless_told_otherwise():
    small, large = curve_of("iris"), curve_of("mpg")
    assert plots.size_curve(small).layout.xaxis.type is None
    assert plots.size_curve(large).layout.xaxis.type == "log"
    assert plots.size_curve(large).layout.xaxis.tickfont.size >= 12, "to be read from a chair"
    assert plots.size_curve(large, log_x=False).layout.xaxis.type is None
    assert plots.size_curve(large, size="depth", log_x=True).layout.xaxis.type is None, "a lone root has depth 0"


def test_a_curve_without_validation_rows_draws_the_rest():
    tree, tables = grown("iris")
    nobody = tables["validation"].take(np.array([], int))
    curve = size_curve(tc.sequence(tree), {"train": tables["train"], "validation": nobody})
    figure = renders(plots.size_curve(curve, chosen=0))
    assert not [t for t in figure.data if t.name == "validation" or t.marker.symbol == "star"]


def test_the_step_function_has_a_gap_at_every_jump():
    tree, tables = grown("curve")
    steps = step_function(tree, tables["train"], "x", {})
    figure = renders(plots.step_function(steps, step_points(tree, "x", tables)))
    line = next(t for t in figure.data if t.name == "prediction")
    assert np.array_equal(line.x[0::3], steps.edges[:-1])
    assert np.array_equal(line.x[1::3], steps.edges[1:])
    assert np.isnan(line.x[2::3]).all()
    assert np.array_equal(line.y[0::3], steps.value)
    assert {t.name for t in figure.data} == {*ROLES, "prediction"}


def test_class_mix_bars_are_shares_side_by_side():
    tree, tables = grown("iris")
    statistics = {role: node_statistics(tree, tables[role]) for role in ("train", "validation")}
    mix = class_mix(tree, 2, statistics)
    figure = renders(plots.class_mix(mix))
    bars = [t for t in figure.data if t.x[0] is not None]
    for bar, role in zip(bars, statistics, strict=True):
        assert np.array_equal(bar.x, mix.shares(role))
        assert bar.marker.pattern.shape == picture_style.ROLE_HATCHES[role]
    assert bars[0].marker.pattern.shape != bars[1].marker.pattern.shape
    assert figure.layout.yaxis.ticktext == tree.classes
    empty = class_mix(tree, 2, {"validation": np.zeros_like(statistics["train"])})
    assert renders(plots.class_mix(empty)).data[0].x.tolist() == [0, 0, 0]


def test_target_histogram_shows_the_node_before_everybody():
    tree, tables = grown("mpg")
    found = target_histogram(tree, 1, tables["train"])
    figure = renders(plots.target_histogram(found))
    everyone, here = figure.data[:2]
    assert np.array_equal(everyone.y, found.everyone)
    assert np.array_equal(here.y, found.here)
    assert figure.layout.barmode == "overlay"
    assert [s.x0 for s in figure.layout.shapes] == [found.prediction, found.mean]
    nobody = target_histogram(tree, 1, tables["train"].take(np.array([], int)))
    assert len(renders(plots.target_histogram(nobody)).layout.shapes) == 1


def test_column_histograms_stack_the_classes():
    table = grown("titanic")[1]["train"]
    for name in ("age", "embarked"):
        counts = column_counts(table, name)
        figure = renders(plots.column_histogram(counts))
        assert [t.y.tolist() for t in figure.data] == counts.counts.tolist()
        assert len({t.marker.pattern.shape for t in figure.data}) == len(counts.groups)
        assert figure.layout.barmode == "stack"
        assert figure.layout.xaxis.title.text.endswith(" missing)")
    alone = plots.column_histogram(column_counts(table, "age", by_class=False))
    assert alone.layout.showlegend is False


def test_the_palette_is_the_diagrams():
    from treecore.export.cards import PALETTE

    assert picture_style.COLORS is PALETTE
    assert len(picture_style.COLORS) == len(picture_style.SYMBOLS) == len(picture_style.HATCHES) == 10
    assert len(set(picture_style.SYMBOLS)) == 10
    assert picture_style.number_rgb().shape == (250, 3)


def test_the_png_decodes_to_the_indices_it_was_given():
    import base64
    import io

    image = pytest.importorskip("PIL.Image")
    index = np.random.default_rng(0).integers(0, 256, (7, 11), dtype=np.uint8)
    rgba = np.random.default_rng(1).integers(0, 256, (256, 4), dtype=np.uint8)
    source = palette_png(index, rgba)
    decoded = image.open(io.BytesIO(base64.b64decode(source.partition(",")[2])))
    assert np.array_equal(np.asarray(decoded.convert("RGBA")), rgba[index])
