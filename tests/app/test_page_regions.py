"""The Regions page with features of many levels: what is drawn stays small, and what is not is said."""

import numpy as np

from treecore.evaluation.bands import MOST


def table(n_levels: int, n: int = 6000) -> bytes:
    rng = np.random.default_rng(n_levels)
    k, m, effect = np.arange(n) % n_levels, rng.permutation(n) % n_levels, rng.normal(size=n_levels)
    y = effect[k] + effect[m] > 0
    rows = [f"zip{a},shop{b},{'yes' if c else 'no'}" for a, b, c in zip(k.tolist(), m.tolist(), y, strict=True)]
    return "\n".join(["zip,shop,y", *rows]).encode()


def test_a_feature_of_a_thousand_levels(app):
    app.upload(table(1000)).put(features=("zip", "shop"), kinds=(("zip", "nominal"), ("shop", "nominal")))
    app.go("regions")
    assert app.errors() == []
    for name in ("zip", "shop"):
        assert f"1,000 levels of {name}: those that the tree never tells apart share a band" in app.text()
    assert f"Drawn are the {MOST} bands with most rows" in app.text()
    assert len(app.at.get("plotly_chart")[0].proto.spec) < 1_000_000
    assert app.go("compare").errors() == []
