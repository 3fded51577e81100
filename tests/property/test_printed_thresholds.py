"""The printed tree, read again, sends every row where the tree sends it: all presets, all texts, all roles."""

import csv
import io
import json
import re
import sqlite3

import duckdb
import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.covering import Learned, learn_rules
from treecore.data.prepare import filled
from treecore.export.portable import Portable
from treecore.predicting.decision_path import story
from treecore.presets import PRESETS
from treecore.rules.cover import RuleColumns
from treecore.study import step_function

HELD = {"<": np.less, "≤": np.less_equal, "≥": np.greater_equal, ">": np.greater}


def number(text: str) -> float:
    return float(text.replace("\u2060", "").replace("−", "-"))


def holds(premise: str, frame: pd.DataFrame) -> np.ndarray:
    """bool (n_rows,): a premise as a reader takes it."""
    found = np.ones(len(frame), bool)
    for part in [] if premise == "every row" else premise.replace("\u2060", "").split(" AND "):
        if part.endswith(" or missing)") or part.endswith(" or missing"):
            known = part.strip("()").removesuffix(" or missing")
            found &= _holds(known, frame) | frame[re.search(r"x\d", known)[0]].isna().to_numpy()
        else:
            found &= _holds(part, frame)
    return found


def _holds(part: str, frame: pd.DataFrame) -> np.ndarray:
    between = re.fullmatch(r"(\S+) ([<≤]) (x\d) ([<≤]) (\S+)", part)
    if between:
        low, first, name, second, high = between.groups()
        return HELD[first](number(low), frame[name].to_numpy()) & HELD[second](frame[name].to_numpy(), number(high))
    if part.endswith(" is missing"):
        return frame[part.split()[0]].isna().to_numpy()
    if part.endswith((" is anything", " is known")):
        return frame[part.split()[0]].notna().to_numpy() | part.endswith("anything")
    name, sign, limit = re.fullmatch(r"(x\d) ([<≤≥>]) (\S+)", part).groups()
    return HELD[sign](frame[name].to_numpy(), number(limit))


def premises(tree: tc.Tree, text: str) -> dict[int, str]:
    """Leaf -> its premise, read from one of the texts."""
    if text == "nodes":
        return {leaf: tree.node(leaf).rule for leaf in np.flatnonzero(tree.is_leaf).tolist()}
    rows = list(csv.DictReader(io.StringIO(tc.export(tree, "rules_csv"))))
    leaves = [int(row["leaf"]) for row in rows]
    if text == "rules_csv":
        return dict(zip(leaves, [row["premise"] for row in rows], strict=True))
    written = tc.export(tree, text)
    if text == "rules":
        found = re.findall(r"^\d+\. (?:IF )?(.*?) THEN ", written, re.MULTILINE)
    elif text == "rules_markdown":
        found = re.findall(r"^\d+\. (?:\*\*IF\*\* )?(.*?) \*\*THEN\*\*", written.replace("\\", ""), re.MULTILINE)
    else:
        for sign, word in (("<", "<"), ("≤", r"\leq"), ("≥", r"\geq"), (">", ">")):
            written = written.replace(rf"\ensuremath{{{word}}}", sign)
        found = re.findall(r"^\d+ & (.*?) & ", written, re.MULTILINE)
    return dict(zip(leaves, found, strict=True))


TEXTS = ("nodes", "rules_csv", "rules", "rules_markdown", "rules_latex")


def frame_of(kind: str, n: int = 240, seed: int = 0) -> pd.DataFrame:
    """Two numbers that decide a noisy class."""
    rng = np.random.default_rng(seed)
    if kind == "cents":
        x = rng.gamma(3, 15000, (2, n)).round(2)
    elif kind == "coordinates":
        x = np.array([48.13 + rng.random(n) * 0.02, 11.57 + rng.random(n) * 0.02]).round(6)
    elif kind == "unix times":
        x = 1_700_000_000.0 + np.array([rng.permutation(2 * n)[:n] for _ in range(2)])
    elif kind == "whole numbers":
        x = rng.integers(-40, 40, (2, n)).astype(float)
    elif kind == "last bits":
        x = np.nextafter(0.3, 1) + np.arange(60)[rng.integers(0, 60, (2, n))] * 2.0**-54
    else:
        scale, offset = kind
        x = rng.normal(size=(2, n)) * scale + offset
    middle = np.median(x, axis=1)
    y = ((x[0] > middle[0]) & (x[1] > middle[1])) ^ (rng.random(n) < 0.15)
    return pd.DataFrame({"x0": x[0], "x1": x[1], "y": np.where(y, "p", "q")})


KINDS = ("cents", "coordinates", "unix times", "whole numbers", "last bits",
         *((10.0**power, 0.0) for power in (-300, -6, 0, 12, 300)), (1e-9, 1.0), (1e-3, 1e6))  # fmt: skip
CLASSIFYING = [preset.name for preset in PRESETS.values()]


def grown(frame: pd.DataFrame, preset: str, **settings) -> tuple[tc.Table, tc.Tree] | None:
    """(all rows, the tree of its training rows); None where the preset cannot have such numbers."""
    table = tc.read_table(frame, target="y", kinds={"x0": "numeric", "x1": "numeric"})
    train, _, _ = table.split(tc.Roles(train=0.6, validation=0.2, test=0.2, stratify=True, seed=0))
    try:
        return table, tc.grow(train, preset, **settings)
    except tc.TreecoreError as fault:
        if "32-bit" in str(fault) or "nominal" in str(fault).lower() or "numeric" in str(fault).lower():
            return None
        raise


def misplaced(tree: tc.Tree, table: tc.Table, frame: pd.DataFrame, text: str) -> int:
    ends, told = np.asarray(tree.apply(table)), premises(tree, text)
    assert set(told) == set(np.flatnonzero(tree.is_leaf).tolist())
    return sum(int((holds(premise, frame) != (ends == leaf)).sum()) for leaf, premise in told.items())


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("preset", CLASSIFYING)
def test_printed_rules_send_every_row_of_every_role_as_the_tree_does(preset, kind):
    frame = frame_of(kind)
    found = grown(frame, preset)
    if found is None:
        return
    table, tree = found
    for text in TEXTS:
        assert misplaced(tree, table, frame, text) == 0


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("digits", [None, 1, 3, 9])
def test_a_rounded_tree_sends_every_row_alike(kind, digits):
    frame = frame_of(kind)
    for preset in ("cart", "j48", "sklearn", "chaid"):
        found = grown(frame, preset)
        if found is None:
            continue
        table, tree = found
        small = tree.rounded(digits)
        assert small.apply(table).tolist() == tree.apply(table).tolist()
        assert small.apply(frame).tolist() == tree.apply(frame).tolist()
        assert misplaced(small, table, frame, "rules_csv") == 0
        if digits is None:
            assert tc.export(small, "rules") == tc.export(tree, "rules")
        else:
            assert tc.export(small, "rules") == tc.export(tree, "rules", digits=digits)


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_databases_read_thresholds_as_decimals_that_part_the_rows_alike(kind):
    frame = frame_of(kind)
    for preset in ("cart", "j48", "sklearn", "ctree"):
        found = grown(frame, preset)
        if found is None:
            continue
        wanted, statement = found[1].predict(frame).tolist(), tc.export(found[1], "sql", table="d")
        with sqlite3.connect(":memory:") as base, duckdb.connect() as other:
            frame.to_sql("d", base, index=False)
            other.execute("CREATE TABLE d AS SELECT * FROM frame")
            for engine in (base, other):
                assert [row[-1] for row in engine.execute(statement).fetchall()] == wanted
        if kind in ("cents", "coordinates", "unix times", "whole numbers"):
            assert " / " not in statement


def test_a_spreadsheet_keeps_15_digits_that_part_the_rows_alike():
    low, high = 0.123456789012344, 0.123456789012345
    frame = pd.DataFrame({"x0": [low, high] * 20, "y": ["p", "q"] * 20})
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"x0": "numeric"}), "cart")
    limit = float(re.search(r"A2(?:<|>=)([\d.]+)", tc.export(tree, "excel"))[1])
    assert low < limit <= high


@pytest.mark.parametrize("numeric", ["equal_width", "equal_frequency", "entropy_mdl"])
def test_bins_and_their_edges(numeric):
    for kind in KINDS[:-3]:
        frame = frame_of(kind)
        table, tree = grown(frame, "cart", numeric=numeric)
        bins = np.asarray(tree.apply(table))
        for leaf in np.flatnonzero(tree.is_leaf).tolist():
            assert (holds(tree.node(leaf).rule, frame) == (bins == leaf)).all()
        assert tree.rounded(2).apply(table).tolist() == bins.tolist()


@pytest.mark.parametrize("missing", ["surrogates", "majority", "own_value", "filled"])
def test_rows_with_missing_values_too(missing):
    frame = frame_of("cents")
    frame.loc[::9, "x0"] = np.nan
    table = tc.read_table(frame, target="y", kinds={"x0": "numeric", "x1": "numeric"})
    tree = tc.grow(filled(table, "mean"), "cart") if missing == "filled" else tc.grow(table, "cart", missing=missing)
    ends = np.asarray(tree.apply(table))
    for digits in (None, 1, 4):
        assert tree.rounded(digits).apply(table).tolist() == ends.tolist()
    known = frame.x0.notna().to_numpy()
    for leaf, premise in premises(tree, "nodes").items():
        assert (holds(premise, frame) == (ends == leaf))[known].all()


def test_a_saved_tree_prints_the_same_and_one_saved_without_gaps_prints_all_digits():
    for preset in ("cart", "sklearn", "j48"):
        frame = frame_of("cents")
        table, tree = grown(frame, preset)
        again = tc.Tree.from_dict(json.loads(tc.export(tree, "json")))
        assert tc.export(again, "rules") == tc.export(tree, "rules")
        assert again.rounded(2).apply(table).tolist() == tree.apply(table).tolist()
        bare = tc.Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
        assert misplaced(bare, table, frame, "rules_csv") == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda gaps: gaps | {"nobody": gaps["x0"]}, "not of its numeric features"),
        (lambda gaps: gaps | {"x0": 1}, "not columns"),
        (lambda gaps: gaps | {"x0": gaps["x0"] | {"low": gaps["x0"]["high"]}}, "does not lie in its gap"),
        (lambda gaps: gaps | {"x0": gaps["x0"] | {"low": ["a"] * len(gaps["x0"]["low"])}}, "number"),
        (lambda gaps: gaps | {"x0": gaps["x0"] | {"low": []}}, "differ in length"),
        (lambda gaps: [gaps], "not of its numeric features"),
    ],
)
def test_gaps_from_outside_are_looked_at(change, told):
    _, tree = grown(frame_of("cents"), "cart")
    data = json.loads(tc.export(tree, "json"))
    with pytest.raises(tc.TreecoreError, match=told):
        tc.Tree.from_dict(data | {"gaps": change(data["gaps"])})


@pytest.mark.parametrize("digits", [0, 18, -1, True, 2.5])
def test_no_number_of_digits(digits):
    _, tree = grown(frame_of("cents"), "cart")
    with pytest.raises(tc.TreecoreError, match="digits"):
        tree.rounded(digits)


@pytest.mark.parametrize("learner", ["prism", "ripper", "part", "depth_first"])
def test_learned_rules_as_they_are_printed(learner):
    for kind in ("cents", "coordinates", "unix times", (1e-9, 1.0)):
        frame = frame_of(kind, n=120)
        learned = learn_rules(tc.read_table(frame, target="y", kinds={"x0": "numeric", "x1": "numeric"}), learner)
        for rules in (learned, Learned.from_dict(json.loads(json.dumps(learned.to_dict())))):
            for rule, covered in zip(rules.listed.rules, learned.listed.rules, strict=True):
                wanted = np.zeros(len(frame), bool)
                wanted[covered.covered(RuleColumns(learned.tree, frame))] = True
                assert (holds(rule.premise, frame) == wanted).all(), rule.premise


def test_a_weighted_sum_as_it_is_printed():
    """Every weight and the threshold: a reader who adds them up comes to the leaves that the tree has."""
    frame = frame_of("cents")
    frame["y"] = np.where(2 * frame.x0 - 3 * frame.x1 < 1234.5, "p", "q")
    tree = tc.grow(
        tc.read_table(frame, target="y", kinds={"x0": "numeric", "x1": "numeric"}), "cart", oblique="discriminant"
    )
    assert any(feature.terms for feature in tree.schema.features)
    ends = np.asarray(tree.apply(frame))
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        found = np.ones(len(frame), bool)
        for part in tree.node(leaf).rule.split(" AND "):
            left, sign, limit = re.fullmatch(r"(.+) ([<≤≥>]) (\S+)", part).groups()
            if " " not in left:
                found &= _holds(part, frame)
                continue
            total = 0.0
            for minus, weight, name in re.findall(r"([+−]?) ?(?:([\d.e-]+)·)?(x\d)", left):
                total = (
                    total + (-1 if minus == "−" else 1) * (float(weight) if weight else 1.0) * frame[name].to_numpy()
                )
            found &= HELD[sign](total, number(limit))
        assert (found == (ends == leaf)).all()


def test_the_story_of_a_row_is_true_of_its_own_value():
    """A row to come lies between the threshold and the number in print: what is printed then is on its side."""
    frame = pd.DataFrame({"x0": [1000.0, 2000.125] * 20, "y": ["p", "q"] * 20})
    tree = tc.grow(tc.read_table(frame, target="y", kinds={"x0": "numeric"}), "cart")
    exact, shown = float(tree.splits.threshold[0]), number(tree.node(1).condition.split()[-1])
    assert exact != shown
    for value in (exact, shown, (exact + shown) / 2, 1500.0):
        said = story(Portable(tree), {"x0": value}).steps[0].text.partition(";")[0]
        name, own, condition = re.fullmatch(r"(x0) is (\S+): (x0 .*)", said).groups()
        assert number(own) == value
        assert _holds(condition, pd.DataFrame({name: [value]}))[0], said


def test_the_pieces_of_a_step_function_hold_the_rows_that_they_name():
    rng = np.random.default_rng(0)
    for preset in ("cart", "sklearn"):
        x = 100000 + rng.integers(0, 40, 200) / 10
        table = tc.read_table(pd.DataFrame({"x0": x, "y": np.floor(x) + rng.normal(size=200) / 9}), target="y")
        tree = tc.grow(table, preset, max_depth=3)
        steps, ends = step_function(tree, table, "x0", {}), np.asarray(tree.apply(table))
        assert {node for node in steps.node.tolist()} == set(ends.tolist())
        for node, low, high in zip(steps.node.tolist(), steps.printed[:-1], steps.printed[1:], strict=True):
            first, last = low == steps.printed[0], high == steps.printed[-1]
            inside = (first | (x >= float(low))) & (last | (x < float(high)))
            assert (inside == (ends == node)).all()


IMPORTED = [kind for kind in KINDS if kind != (10.0**300, 0.0)]


@pytest.mark.parametrize("kind", IMPORTED, ids=str)
def test_trees_from_elsewhere_part_the_rows_that_are_counted_as_they_are_printed(kind):
    """Those of scikit-learn and XGBoost round numbers to 32 bits, and XGBoost's thresholds are values of the data."""
    xgboost, trees = pytest.importorskip("xgboost"), pytest.importorskip("sklearn.tree")
    frame = frame_of(kind)
    table = tc.read_table(frame, target="y", kinds={"x0": "numeric", "x1": "numeric"})
    of_sklearn = trees.DecisionTreeClassifier(max_depth=5, random_state=0).fit(frame[["x0", "x1"]], frame.y)
    boosted = xgboost.XGBClassifier(n_estimators=1, max_depth=4).fit(frame[["x0", "x1"]], frame.y == "q")
    for tree in (tc.read_model(of_sklearn, table), tc.read_model(boosted, table, classes=("p", "q")).trees[0]):
        for text in TEXTS:
            assert misplaced(tree, table, frame, text) == 0
        small = tree.rounded(2)
        assert small.apply(frame).tolist() == tree.apply(frame).tolist()
        assert misplaced(small, table, frame, "rules_csv") == 0


@pytest.mark.parametrize("kind", ["cents", "unix times", (1.0, 0.0), (1e-6, 0.0)], ids=str)
def test_without_rows_a_threshold_is_printed_beside_the_number_that_rounds_to_it(kind):
    xgboost = pytest.importorskip("xgboost")
    frame = frame_of(kind)
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=4).fit(frame[["x0", "x1"]], frame.y == "q")
    tree = tc.read_model(model).trees[0]
    assert tree.n_leaves > 4
    assert misplaced(tree, frame, frame, "nodes") == 0
