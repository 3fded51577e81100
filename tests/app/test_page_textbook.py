"""The textbook tables in the app: all rows train, the algorithm is the one that the sample names."""

import re

import pytest

from treecore.data.samples import SAMPLES, TEXTBOOK
from treecore.recipe import Grow, Split


def opened(app, name, **settings):
    """The page Grow for a sample: every row trains, by the sample's preset and settings."""
    sample = SAMPLES[name]
    grow = Grow(sample.preset, tuple({**sample.settings, **settings}.items()))
    app.sample(name).put(split=Split(train=1.0, validation=0.0, test=0.0), grow=grow)
    assert app.go("grow").errors() == []
    return app


def said(app) -> str:
    return app.text().replace("**", "")


def formulas(app) -> str:
    return "\n".join(line.value for line in app.at.latex)


def listed(app) -> dict[str, float]:
    """Feature -> gain of its best split, as the bars of the splits that were possible show it."""
    bars = app.tab("Rivals").rivals()
    return {bar["feature"]: float(bar["gain"]) for bar in reversed(bars)}


@pytest.mark.parametrize("sample", TEXTBOOK, ids=lambda s: s.name)
def test_the_page_data_tells_what_to_try_and_where_it_is_from(app, sample):
    app.sample(sample.name)
    told = app.text()
    assert sample.description in told
    assert sample.source in told


@pytest.mark.parametrize(
    ("name", "split", "gain", "gains"),
    [
        ("willwait", "Patrons", "0.5409", {"Patrons": 0.541, "WaitEstimate": 0.208, "Type": 0}),
        ("play_tennis", "Outlook", "0.2467", {"Humidity": 0.152, "Wind": 0.048, "Temperature": 0.029}),
        ("play_tennis_day15", "Outlook", "0.28", {}),
        ("a_b", "A", "1", {"A": 1, "B": 0.311}),
        ("a_b_3", "A", "0.9034", {"A": 0.903, "B": 0.321}),
        ("lengths", "length", "0.1981", {"length": 0.198}),
        ("node_90_10", "query", "0.02333", {"query": 0.023}),
        ("node_50_50", "B", "0.2143", {"A": 0.18, "B": 0.214}),
        ("x1_x2", "X1", "0.5488", {"X1": 0.549, "X2": 0.049}),
        ("cars", "modelyear", "0.5826", {"modelyear": 0.583, "maker": 0}),
    ],
)
def test_the_printed_gain_is_on_the_page_grow(app, name, split, gain, gains):
    opened(app, name)
    assert re.search(rf"Split on {split}, gain {re.escape(gain)}\s", said(app))
    shown = listed(app)
    for feature, printed in gains.items():
        assert shown[feature] == pytest.approx(printed, abs=6e-4)


def test_a_noisy_day_at_sunny(app):
    opened(app, "play_tennis_day15").change(selected=1)
    assert "Outlook = Sunny" in said(app)
    assert "Split on Temperature, gain 0.585" in said(app)
    assert listed(app)["Humidity"] == pytest.approx(0.459, abs=5e-4)


def test_a_missing_humidity_at_sunny(app):
    opened(app, "play_tennis_day8").change(selected=1)
    assert "Outlook = Sunny" in said(app)
    assert "Split on Humidity, gain 0.8 " in said(app)
    assert r"\tfrac{4}{5} \cdot 1 = 0.8" in formulas(app)
    [humidity] = [bar for bar in app.tab("Rivals").rivals() if bar["feature"] == "Humidity"]
    assert "Gain 0.8" in humidity["told"]


def test_the_gain_ratio_of_outlook(app):
    opened(app, "play_tennis").set("preset", "c4.5")
    told = formulas(app)
    for number in ("= 1.5774", r"\tfrac{0.24675}{1.5774} = 0.15643", "= 0.11898"):
        assert number in told


def test_scores_in_the_list_of_splits_have_room_however_large(app):
    """Four digits, and lines as many as a question needs."""
    opened(app, "play_tennis").set("preset", "c4.5").go("step_by_step")
    shown = next(table.value for table in app.at.table if "of best" in table.value)
    for name in ("gain", "ratio"):
        assert shown[name].str.fullmatch(r"0(\\\.\d{3,5})?").all()


def test_the_empty_branch_of_low(app):
    opened(app, "play_tennis").change(selected=6)
    assert "Humidity = Low" in said(app)
    assert "0 training rows" in said(app)


def test_the_cuts_between_the_lengths(app):
    opened(app, "lengths").tab("Rivals").set("every_cut", True)
    gains = {f"{bar['feature']} {bar['asks'].strip()}": float(bar["gain"]) for bar in app.rivals()}
    assert gains == pytest.approx(
        {"length < 45": 0.198, "length < 12.5": 0.128, "length < 24.5": 0.128, "length < 30": 0.020,
         "length < 18": 0.006, "length < 36": 0.006}, abs=5e-4,
    )  # fmt: skip
    assert [bar["asks"].strip() for bar in app.rivals() if bar["own"]] == ["< 45"]


def test_misclassification_gains_nothing_at_90_to_10(app):
    opened(app, "node_90_10", criterion="misclassification")
    assert "A leaf. It predicts w1." in said(app)
    assert "No split of the root gains anything by itself" in said(app)
    assert listed(app)["query"] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("criterion", "a", "b"), [("entropy", 0.2781, 0.3958), ("misclassification", 0.3, 0.3)])
def test_two_splits_of_the_same_error(app, criterion, a, b):
    opened(app, "node_50_50", criterion=criterion)
    assert listed(app) == pytest.approx({"A": a, "B": b}, abs=5e-4)


def test_xor_stops_with_id3_and_goes_on_with_hunt(app):
    opened(app, "xor")
    assert listed(app) == pytest.approx({"X1": 0, "X2": 0}, abs=1e-12)
    assert app.leaves() == 1
    app.go("grow").set("preset", "hunt")
    assert app.leaves() == 4
    assert "Recipe:" in app.go("grow").text()
    assert "Hunt" in app.text().split("Recipe:")[1]
