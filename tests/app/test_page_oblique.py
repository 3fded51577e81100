"""Oblique splits on every page: shown where they can be, and a plain word where they cannot."""

import json

import numpy as np

from pages import PAGES


def slanted(n: int = 160) -> bytes:
    rng = np.random.default_rng(4)
    width, height, colour = rng.uniform(1, 9, n), rng.uniform(1, 9, n), rng.integers(0, 3, n)
    kind = np.where(width - 0.6 * height > 1.5 + (colour == 1), "late", "early")
    cells = zip(width.round(2), height.round(2), np.array(["red", "blue", "green"])[colour], kind, strict=True)
    return "\n".join(["width,height,colour,kind", *(",".join(map(str, row)) for row in cells)]).encode()


def test_every_page_lives_with_oblique_splits(app):
    app.upload(slanted()).go("grow").set("oblique", "discriminant")
    assert "width − 0." in app.text()
    for page in PAGES:
        assert app.go(page).errors() == [], page
    told = app.go("predict").text()
    assert "·height is " in told, "the way of a row adds the sum up"


def test_regions_are_drawn_as_polygons(app):
    app.upload(slanted()).go("grow").set("oblique", "discriminant").go("regions")
    figure = json.loads(app.at.get("plotly_chart")[0].proto.spec)
    assert {shape["type"] for shape in figure["layout"]["shapes"]} == {"path"}


def test_regions_of_sums_alone_have_no_third_feature_to_go_along(app):
    table = b"\n".join(b",".join(line.split(b",")[i] for i in (0, 1, 3)) for line in slanted().splitlines())
    app.upload(table).go("grow").set("oblique", "ridge").set("max_depth", 1).go("regions")
    assert app.errors() == []


def test_nothing_to_add_up_is_said(app):
    app.sample("willwait").go("grow")
    assert app.widget("oblique").disabled
