"""A target of counts told: its guess, its test of two rates, its arithmetic, its figures."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import treecore as tc
from tests.unit.exported_page import data_of
from treecore import plots
from treecore.data import read_raw, why_target
from treecore.data.samples import read_sample
from treecore.explaining.measure_arithmetic import measure_lines
from treecore.explaining.node_arithmetic import leaf_lines, split_arithmetic
from treecore.judging.answers import answers_of
from treecore.judging.interest import FlagRule
from treecore.judging.measures import MEASURES, measures_for
from treecore.presets import PRESETS
from treecore.study.homogeneity import rate_ratio
from treecore.study.metrics import score
from treecore.study.plane import default_fixed, plot_ranges
from treecore.study.points import plane_points
from treecore.study.questions.partial_dependence import partial_dependence
from treecore.study.regions import regions
from treecore.study.segments import segments
from treecore.study.twins import RATES, node_tests
from treecore.target import ClassTarget, Counts, CountTarget, NumberTarget
from treecore.tree.node_statistics import node_statistics


@pytest.fixture(scope="module")
def claims():
    return read_sample("claims").split(tc.Roles(0.6, 0.2, 0.2, seed=0))


@pytest.fixture(scope="module")
def tree(claims):
    return tc.grow(claims[0], "cart", min_rows_leaf=60)


def guess(**columns):
    return why_target(read_raw(pd.DataFrame(columns)).guesses)


def test_a_count_is_guessed_beside_an_exposure_alone():
    x, y = np.arange(40) % 7, np.arange(40) % 5
    e = np.linspace(0.5, 3.0, 40)
    assert guess(x=x, claims=y, exposure=e).predicted == Counts("claims", "exposure")
    assert guess(x=x, n_claims=y, PersonYears=e).predicted == Counts("n_claims", "PersonYears")
    assert guess(x=x, claims=y, height=e).exposure is None
    assert guess(x=x, claims=y - 1, exposure=e).exposure is None, "below 0"
    assert guess(x=x, claims=y + 0.5, exposure=e).exposure is None, "with decimals"
    assert guess(x=x, claims=y, exposure=e, churn=["yes", "no"] * 20).name == "churn", "a column named as targets are"


@pytest.mark.parametrize(("first", "second"), [((10.0, 4), (20.0, 30)), ((5.0, 0), (5.0, 3)), ((1.0, 7), (9.0, 0))])
def test_two_rates_are_compared_as_a_binomial_share_of_all_events(first, second):
    ratio, p = rate_ratio(np.array([[first, second]], float))
    d, n, share = first[1], first[1] + second[1], first[0] / (first[0] + second[0])
    tails = stats.binom.cdf(d, n, share), stats.binom.sf(d - 1, n, share)
    assert p[0] == pytest.approx(min(1.0, 2 * min(tails)), rel=1e-9)
    if first[1]:
        assert ratio[0] == pytest.approx((second[1] / second[0]) / (first[1] / first[0]))


def test_rates_without_any_event_are_not_compared():
    ratio, p = rate_ratio(np.array([[[5.0, 0.0], [3.0, 0.0]]]))
    assert np.isnan(ratio[0])
    assert np.isnan(p[0])


def test_nodes_are_tested_by_their_rates(claims, tree):
    sides = [node_statistics(tree, part) for part in claims[:2]]
    found = node_tests(tree, *sides)
    assert (found.method[found.tested] == RATES).all()
    assert found.tested.all()


def test_presets_and_settings_that_mean_nothing_are_known():
    target = CountTarget("years")
    assert [name for name, preset in PRESETS.items() if preset.serves(target)] == ["cart", "rpart", "sklearn"]
    assert not target.allows("min_weight_leaf", 2.0)
    assert CountTarget("").allows("min_weight_leaf", 2.0)
    assert not target.leaves_open("test")
    assert NumberTarget().leaves_open("test")
    assert {m.name for m in measures_for(target)} == {"deviance", "explained"}
    assert "auc" in {m.name for m in measures_for(ClassTarget(("a", "b")))}


def test_the_headline_is_the_deviance_and_what_it_explains(claims, tree):
    found = score(tree, claims[1])
    head = found.headline
    assert (head.short, head.value, head.baseline) == ("deviance", found.error, found.baseline)
    assert head.beside.endswith("explained")


def test_the_arithmetic_of_a_leaf_ends_with_its_interval(claims, tree):
    leaf = int(np.flatnonzero(tree.is_leaf)[0])
    low, high = (float(line.parts[-1].split("=")[-1]) if hasattr(line, "parts") else line
                 for line in leaf_lines(tree, leaf, claims[0])[-2:])  # fmt: skip
    _, exposure, events, _ = tree.stats[leaf]
    wanted = stats.chi2.ppf(0.025, 2 * events) / 2 / exposure, stats.chi2.ppf(0.975, 2 * events + 2) / 2 / exposure
    told = [str(line) for line in (low, high)]
    assert all(f"{w:.3g}"[:4] in t for w, t in zip(wanted, told, strict=True)), told


def test_the_gain_of_a_split_is_written_out(claims, tree):
    lines = split_arithmetic(tree, 0, tc.candidates(tree, 0, claims[0]), claims[0])
    assert lines
    assert "nan" not in str(lines)


@pytest.mark.parametrize("name", ["deviance", "explained"])
def test_a_measure_is_opened_to_its_value(claims, tree, name):
    answers = answers_of(tree, claims[1])
    assert f"{MEASURES[name](answers):.6f}"[:6] in str(measure_lines(answers, name)[-1])


def test_segments_tell_the_rate_of_the_rows_before_the_line(claims, tree):
    of = segments(tree, {"validation": claims[1]})
    whole = of.first(claims[1].n_rows, "validation")
    events, years = (claims[1].column(name).values().sum() for name in ("claims", "years"))
    assert whole.rate == pytest.approx(events / years)
    assert whole.text.startswith(f"The 600 highest of 600: claims per 10 years {10 * whole.rate:.4g}")
    assert "rate_validation" in of.columns()
    assert "mean_validation" not in of.columns()


def test_every_text_of_a_rate_has_the_unit_that_cards_have(claims, tree):
    kind, of = tree.target_kind, segments(tree, {"validation": claims[1]})
    told, unit = 10 * float(of.told[0]), "claims per 10 years"
    assert kind.figure_text(tree, float(of.told[0])) == f"{told:.4g}"
    assert unit in str(of)
    assert f"{10 * of.held['train'].rate[0]:.4g}" in str(of)
    rule = FlagRule(0.14, None)
    assert rule.text(tree=tree) == f"flag rows whose {unit} is at least 1.4"
    node = int(of.node[0])
    assert rule.verdict(tree, [node], [1.0]).startswith(f"Flagged: {unit} {told:.4g}, at least 1.4")
    x, y = [tree.schema.features[f].name for f in np.unique(tree.splits.feature[~tree.is_leaf])[:2].tolist()]
    numbers = {"x": x, "y": y, "fixed": default_fixed(tree, claims[0])}
    plane = regions(tree, **numbers, ranges=plot_ranges([x, y], claims[0]))
    picture = plots.region_map(plane, plane_points(tree, plane, {"train": claims[0]}))
    axis = picture.layout.coloraxis
    assert (axis.cmin, axis.cmax) == pytest.approx((10 * np.nanmin(tree.value), 10 * np.nanmax(tree.value)))
    assert axis.colorbar.title.text == unit
    shown = {trace.hovertext[0] for trace in picture.data if trace.hovertext is not None and len(trace.hovertext)}
    assert shown
    assert all(f"<br>{unit}: " in text for text in shown)
    effect = partial_dependence(tree, claims[1], x)
    assert set(effect.each.round(9).ravel().tolist()) <= set((10 * tree.value).round(9).tolist())
    rate = kind.figures(tree, 0, tree.stats[0])["per 10 years"]
    assert kind.answer_text(tree, 0) == f"{rate} per 10 years"
    page = tc.export(tree, "html")
    page = page if isinstance(page, str) else page.decode()
    assert 'const SCALE = {"units": 10.0, "name": "claims per 10 years", ' in page


def test_cards_say_the_rate_and_its_unit(tree):
    root, leaf = 0, int(np.flatnonzero(tree.is_leaf)[0])
    kind = tree.target_kind
    assert kind.card_text(tree, root) == f"{10 * tree.value[0]:.4g}"
    assert kind.card_text(tree, leaf).endswith("/ 10 years")
    assert kind.scale_name(tree) == "claims per 10 years"
    assert kind.quantity(tree) == "claims per 10 years"
    named = dict(kind.details(tree, leaf))
    assert list(named) == ["claims", "years", "95 % interval"]
    assert named["95 % interval"].endswith("per 10 years")


def test_the_html_page_says_rates_and_weighs_them_by_their_exposure(tree):
    page = tc.export(tree, "html")
    page = page if isinstance(page, str) else page.decode()
    said = data_of(page)["SAID"]
    assert [node["per"] for node in said] == pytest.approx(tree.stats[:, 1])
    assert 'const NOUN = "rate";' in page
    assert ["95 % interval", dict(tree.target_kind.details(tree, 0))["95 % interval"]] in said[0]["figures"]
