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
from treecore.data.fill import filled
from treecore.presets import PRESETS

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
