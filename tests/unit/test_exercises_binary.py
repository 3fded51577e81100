"""Exercises on two branches and on unknown values: the answers against the printed rows, in fractions."""

import re
from fractions import Fraction
from itertools import combinations

import pandas as pd
import pytest

import treecore as tc
from tests.unit.test_exercises import gain, rows_of
from treecore.data.samples import read_sample
from treecore.teach.exercises import _SINGLE, KINDS, sheet

CASES = [("play_tennis", 0), ("play_tennis", 3), ("willwait", 0), ("titanic", 2), ("fruit", 1)]


def task(kind: str, name: str, variant: int = 0, measure: str = "entropy"):
    """(the question, the rows that the sheet prints, the target)."""
    table = read_sample(name)
    made = sheet(table, variant, measure, (kind,))
    rows = [{k: v for k, v in row.items() if k != "#"} for row in rows_of(made)]
    return made.tasks[0], rows, table.target


def value(of, asks: str) -> float:
    return next(blank.value for blank in of.blanks if blank.asks == asks)


def gini(rows: list[dict], target: str) -> Fraction:
    shares = [Fraction(sum(r[target] == v for r in rows), len(rows)) for v in {r[target] for r in rows}]
    return 1 - sum(p * p for p in shares)


def decrease(rows, target, feature, left) -> Fraction:
    sides = [[r for r in rows if (r[feature] in left) == side] for side in (True, False)]
    return gini(rows, target) - sum(Fraction(len(s), len(rows)) * gini(s, target) for s in sides)


def twoing(rows, target, feature, left) -> Fraction:
    sides = [[r for r in rows if (r[feature] in left) == side] for side in (True, False)]
    apart = sum(
        abs(Fraction(sum(r[target] == v for r in sides[0]), len(sides[0]))
            - Fraction(sum(r[target] == v for r in sides[1]), len(sides[1])))
        for v in {r[target] for r in rows}
    )  # fmt: skip
    return Fraction(len(sides[0]) * len(sides[1]), 4 * len(rows) ** 2) * apart**2


def ways(rows, feature) -> list[tuple[str, ...]]:
    """The left sides of all splits into two branches."""
    first, *others = dict.fromkeys(r[feature] for r in rows)
    return [(first, *chosen) for n in range(len(others)) for chosen in combinations(others, n)]


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_the_pairs_add_up_to_the_gini_index(name, variant):
    made, rows, target = task("pairs", name, variant)
    pairs = [blank.value for blank in made.blanks if blank.place]
    assert sum(pairs) == pytest.approx(float(gini(rows, target)), abs=1e-12)
    assert value(made, "their sum") == value(made, "1 − Σ p²") == pytest.approx(float(gini(rows, target)))


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_a_chain_sends_every_row_to_a_leaf_and_has_as_many(name, variant):
    made, rows, _ = task("chain", name, variant)
    feature = made.text.split(" of ")[1].split(" has ")[0]
    n = len({r[feature] for r in rows})
    yes = [blank.value for blank in made.blanks if blank.asks.endswith("say yes")]
    no = [blank.value for blank in made.blanks if blank.asks.endswith("say no")]
    assert len(yes) == n - 1
    assert sum(yes) + no[-1] == len(rows)
    assert (value(made, "leaves of the chain"), value(made, "inner nodes of the chain")) == (n, n - 1)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_every_grouping_is_judged_by_both_measures(name, variant):
    made, rows, target = task("twoing", name, variant)
    feature = re.search(r"each split of (.*) into two", made.text)[1]
    known = ways(rows, feature)
    found = sorted(b.value for b in made.blanks if b.asks.endswith("of the Gini index"))
    assert found == pytest.approx(sorted(float(decrease(rows, target, feature, left)) for left in known), abs=1e-12)
    found = sorted(b.value for b in made.blanks if b.asks.endswith(": twoing"))
    assert found == pytest.approx(sorted(float(twoing(rows, target, feature, left)) for left in known), abs=1e-12)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_cart_begins_with_the_largest_decrease_of_all(name, variant):
    made, rows, target = task("cart", name, variant)
    features = [f for f in rows[0] if f != target and 2 <= len({r[f] for r in rows}) <= 4]
    best = max(decrease(rows, target, f, left) for f in features for left in ways(rows, f))
    of_trees = [blank.value for blank in made.blanks if not blank.options]
    choice = made.blanks[-1]
    assert all(of_trees[i] == pytest.approx(float(best), abs=1e-12) for i in choice.right)
    assert all(of_trees[i] < float(best) - 1e-9 for i in range(len(of_trees)) if i not in choice.right)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_the_gain_with_unknown_values_is_that_of_the_known_rows_times_their_share(name, variant):
    made, rows, target = task("fractions", name, variant)
    feature, places = re.search(r"that (.*) is unknown in rows ([\d, ]+)\.", made.text).groups()
    lost = {int(place) - 1 for place in places.split(",")}
    known = [r for i, r in enumerate(rows) if i not in lost]
    expected = len(known) / len(rows) * gain(known, feature, target, "entropy")
    assert value(made, "gain with the unknown values") == pytest.approx(expected, abs=1e-9)
    weights = [blank.value for blank in made.blanks if ": weight of " in blank.asks]
    assert sum(weights) == pytest.approx(len(rows)), "no row is lost or counted twice"


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_a_surrogate_agrees_as_often_as_the_printed_rows_say(name, variant):
    made, rows, _ = task("surrogates", name, variant)
    feature, left = re.search(r"The split is ([^:]*): (.*?) \| ", made.text).groups()
    goes = [r[feature] in left.split(", ") for r in rows]
    counted = {}
    for other in made.blanks[-1].options:
        counted[other] = 0
        for level in {r[other] for r in rows}:
            here = [go for go, r in zip(goes, rows, strict=True) if r[other] == level]
            counted[other] += max(sum(here), len(here) - sum(here))
        assert value(made, f"{other}: rows sent the same way") == counted[other]
    options = made.blanks[-1].options
    assert {options[i] for i in made.blanks[-1].right} == {f for f, n in counted.items() if n == max(counted.values())}


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_rows_with_an_unknown_value_are_shared_among_the_branches(name, variant):
    made, rows, _ = task("unknown", name, variant)
    n = len(made.blank.columns) - len(rows[0])
    shares = [blank.value for blank in made.blanks if not blank.options]
    for i in range(0, len(shares), n):
        assert sum(shares[i : i + n]) == pytest.approx(1.0)


def test_a_share_by_hand():
    """PlayTennis, outlook unknown, hot, high, weak: sunny says no with 5/14, overcast and rain yes."""
    made, _, _ = task("unknown", "play_tennis")
    assert value(made, "?, Hot, High, Weak: share of No") == pytest.approx(5 / 14)


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_rules_cover_each_row_once(name, variant):
    made, rows, target = task("coverage", name, variant)
    covered = [blank.value for blank in made.blanks if blank.asks.endswith(": rows")]
    right = [blank.value for blank in made.blanks if blank.asks.endswith(": right")]
    lifts = [blank.value for blank in made.blanks if blank.asks.endswith(": lift")]
    assert sum(covered) == len(rows)
    answers = [blank.options[blank.right[0]] for blank in made.blanks if blank.options]
    for answer, n, k, lift in zip(answers, covered, right, lifts, strict=True):
        base = sum(r[target] == answer for r in rows) / len(rows)
        assert lift == pytest.approx(k / n / base)


@pytest.mark.parametrize("kind", _SINGLE)
def test_every_kind_has_key_hint_and_answers(kind):
    made, _, _ = task(kind, "play_tennis", 1)
    assert made.key
    assert made.hint
    assert made.blanks
    assert KINDS[kind]


@pytest.mark.parametrize("kind", ["chain", "surrogates", "cart"])
def test_rows_that_cannot_be_asked_about_are_refused_with_a_remedy(kind):
    frame = pd.DataFrame({"a": ["p", "q"] * 6, "y": ["yes", "no"] * 6})
    with pytest.raises(tc.TreecoreError) as refused:
        sheet(tc.read_table(frame, target="y"), 0, "entropy", (kind,))
    assert refused.value.remedy
