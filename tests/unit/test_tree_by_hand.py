"""Trees made by hand from their columns: what later growers will need, the columns can hold already.

C4.5's fractional rows, rpart's surrogates and rows that stay inside, closed thresholds in 32 bits, raising.
"""

import json

import numpy as np
import pandas as pd
import pytest

import treecore as tc
from treecore.kernels.codes import LEAF, LEVELS, SHARED, STAYS, THRESHOLD
from treecore.pruning import Cuts
from treecore.tree import FeatureSchema, Schema, Splits
from treecore.tree.predict import route


def splits(*tests) -> Splits:
    """One test per entry: {} for a leaf, or kind, feature and what differs from x < threshold."""
    leaf = {"kind": LEAF, "feature": -1, "threshold": np.nan, "closed": False, "low_branch": 0,
            "missing_branch": STAYS, "unseen_branch": STAYS}  # fmt: skip
    full = [leaf | {k: v for k, v in t.items() if k != "levels"} for t in tests]
    tables = [t.get("levels", []) for t in tests]
    return Splits(**{name: np.array([t[name] for t in full]) for name in leaf},
                  level_start=np.cumsum([0] + [len(t) for t in tables]),
                  level_branch=np.array([b for t in tables for b in t], int))  # fmt: skip


def tree(schema, parent, tests, stats, n_rows=None, **more) -> tc.Tree:
    """A tree from parents, tests and statistics; the rest follows from them."""
    parent, stats = np.array(parent), np.array(stats, float)
    n = len(parent)
    n_children = np.bincount(parent[1:], minlength=n)
    first = np.array([int(np.flatnonzero(parent == t)[0]) if n_children[t] else -1 for t in range(n)])
    depth = np.zeros(n, int)
    for t in range(1, n):
        depth[t] = depth[parent[t]] + 1
    columns = {"impurity": np.zeros(n), "gain": np.where(n_children > 0, 0.0, np.nan), "answer": np.arange(n)}
    return tc.Tree(schema=schema, parent=parent, first_child=first, n_children=n_children, node_depth=depth,
                   splits=splits(*tests), stats=stats, n_rows=np.ceil(stats.sum(axis=1)) if n_rows is None else n_rows,
                   criterion="entropy", **columns | more)  # fmt: skip


def through_json(made: tc.Tree) -> tc.Tree:
    text = json.dumps(made.to_dict(), allow_nan=False)
    again = tc.Tree.from_dict(json.loads(text))
    assert json.dumps(again.to_dict()) == text
    return again


# C4.5: PlayTennis without the humidity of day 8, minimum 1 row (Weka's J48 -M 1 grows this tree)

OUTLOOK, HUMIDITY, WIND = 0, 1, 2
TENNIS = Schema((FeatureSchema("Outlook", "nominal", ("Sunny", "Overcast", "Rain")),
                 FeatureSchema("Humidity", "nominal", ("High", "Normal")),
                 FeatureSchema("Wind", "nominal", ("Weak", "Strong"))), "Play", ("No", "Yes"))  # fmt: skip


def everywhere(feature, n_levels):
    """C4.5's multiway split: unknown values and levels go down every branch by its weight."""
    shared = {"missing_branch": SHARED, "unseen_branch": SHARED}
    return {"kind": LEVELS, "feature": feature, "levels": list(range(n_levels)), **shared}


@pytest.fixture(params=[False, True], ids=["made", "from json"])
def tennis(request):
    """Sunny has 5 rows, 2 with High and 2 with Normal: day 8 (No) goes half to High, half to Normal."""
    made = tree(
        TENNIS,
        parent=[-1, 0, 0, 0, 1, 1, 3, 3],
        tests=[everywhere(OUTLOOK, 3), everywhere(HUMIDITY, 2), {}, everywhere(WIND, 2), {}, {}, {}, {}],
        # root, Sunny, Overcast, Rain, Sunny+High, Sunny+Normal, Rain+Weak, Rain+Strong; counts of No, Yes
        stats=[[5, 9], [3, 2], [0, 4], [2, 3], [2.5, 0], [0.5, 2], [0, 3], [2, 0]],
        n_rows=[14, 5, 4, 5, 3, 3, 3, 2],
    )
    return through_json(made) if request.param else made


def test_nodes_hold_fractions_of_rows(tennis):
    assert tennis.weight.tolist() == [14, 5, 4, 5, 2.5, 2.5, 3, 2]
    assert tennis.n_rows[4] + tennis.n_rows[5] == 6  # day 8 is in both
    assert tennis.node(5).counts == {"No": 0.5, "Yes": 2}
    assert tennis.proba[5].tolist() == [0.2, 0.8]
    assert tennis.node(4).rule == "Outlook = Sunny AND Humidity = High"


def test_a_known_row_takes_one_route(tennis):
    frame = pd.DataFrame({"Outlook": ["Rain"], "Humidity": ["High"], "Wind": ["Strong"]})
    routes = route(tennis, frame)
    assert (routes.row.tolist(), routes.node.tolist(), routes.share.tolist()) == ([0], [7], [1.0])


def test_an_unknown_value_shares_the_row_by_weight(tennis):
    """Day 8: half of it ends in High (No 1), half in Normal (No .2): No .6. Other rows do not mix with it."""
    frame = pd.DataFrame({"Outlook": ["Rain", "Sunny", "Overcast"], "Humidity": ["High", None, "High"],
                          "Wind": ["Weak"] * 3})  # fmt: skip
    routes = route(tennis, frame)
    assert routes.row.tolist() == [0, 1, 1, 2]
    assert set(zip(routes.node[1:3], routes.share[1:3], strict=True)) == {(4, 0.5), (5, 0.5)}
    np.testing.assert_allclose(tennis.predict_proba(frame), [[0, 1], [0.6, 0.4], [0, 1]])
    assert tennis.predict(frame).tolist() == ["Yes", "No", "Yes"]
    assert tennis.apply(frame).tolist() == [6, 4, 2]  # of two halves the first node


def test_shares_multiply_on_the_way_down(tennis):
    """Nothing known: 5/14 Sunny (half and half), 4/14 Overcast, 5/14 Rain (3/5, 2/5): as the whole table, 5 : 9."""
    frame = pd.DataFrame({"Outlook": [None, "Hail"], "Humidity": [None, None], "Wind": [None, None]})
    routes = route(tennis, frame)
    of_first = {int(n): s for r, n, s in zip(routes.row, routes.node, routes.share, strict=True) if r == 0}
    assert of_first == pytest.approx({4: 2.5 / 14, 5: 2.5 / 14, 2: 4 / 14, 6: 3 / 14, 7: 2 / 14})
    np.testing.assert_allclose(tennis.predict_proba(frame), [[5 / 14, 9 / 14]] * 2)
    assert tennis.apply(frame).tolist() == [2, 2]


def test_many_shared_rows_fill_the_output_more_than_once(tennis):
    n = 5000
    frame = pd.DataFrame({"Outlook": [None] * n, "Humidity": [None] * n, "Wind": [None] * n})
    routes = route(tennis, frame)
    assert len(routes.row) == 5 * n
    np.testing.assert_allclose(np.bincount(routes.row, routes.share), 1)
    np.testing.assert_allclose(tennis.predict_proba(frame)[-1], [5 / 14, 9 / 14])


def test_prefixes_and_cuts_keep_the_fractions(tennis):
    small = tennis.cut(Cuts.at(tennis, [1]))
    assert small.stats[1].tolist() == [3, 2]
    frame = pd.DataFrame({"Outlook": ["Sunny", None], "Humidity": [None, None], "Wind": [None, None]})
    np.testing.assert_allclose(small.predict_proba(frame), [[0.6, 0.4], [5 / 14, 9 / 14]])
    assert tennis.after(1).n_leaves == 3


def test_raising_has_a_column():
    """Node 1 is replaced by its branch 5: the column holds it; applying it comes with C4.5's pruning."""
    cuts = Cuts(np.zeros(8), replaced_by=np.array([-1, 5, -1, -1, -1, -1, -1, -1]))
    assert cuts.replaced_by[1] == 5
    assert cuts.replaced_by.dtype == np.int32
    assert not cuts.replaced_by.flags.writeable


# rpart: age < 40 goes left; without age, income (it agrees in 9 of 10 rows), then city; else the row stays

NUMBERS = Schema((FeatureSchema("age", "numeric"), FeatureSchema("income", "numeric"),
                  FeatureSchema("city", "nominal", ("Bonn", "Köln", "Ulm"))), "class", ("a", "b"))  # fmt: skip


@pytest.fixture(params=[False, True], ids=["made", "from json"])
def surrogated(request):
    stays = {"missing_branch": STAYS, "unseen_branch": STAYS}
    made = tree(
        NUMBERS,
        parent=[-1, 0, 0, 2, 2],
        tests=[{"kind": THRESHOLD, "feature": 0, "threshold": 40.0, **stays}, {},
               {"kind": THRESHOLD, "feature": 1, "threshold": 10.0, **stays}, {}, {}],
        stats=[[6, 4], [5, 0], [1, 4], [1, 1], [0, 3]],
        surrogates=splits({"kind": THRESHOLD, "feature": 1, "threshold": 9.0, "low_branch": 1},
                          {"kind": LEVELS, "feature": 2, "levels": [0, 1, -1]}),
        surrogate_start=[0, 2, 2, 2, 2, 2],
        surrogate_agree=[0.9, 0.8],
    )  # fmt: skip
    return through_json(made) if request.param else made


@pytest.mark.parametrize(
    ("age", "income", "city", "end"),
    [
        (30, None, None, 1),
        (40, 9.5, None, 3),
        (None, 9.5, None, 1),  # first surrogate: >= 9 is its high side, which goes to branch 0
        (None, 3, "Bonn", 3),  # first surrogate again: < 9 goes to branch 1
        (None, None, "Bonn", 1),  # second surrogate
        (None, None, "Köln", 2),  # branch 1, where income is unknown and nothing helps: stays at node 2
        (None, None, "Ulm", 0),  # a level that the surrogate did not see: stays at the root
        (None, None, "Rom", 0),
        (None, None, None, 0),
    ],
)
def test_surrogates_step_in_and_a_row_may_stay_inside(age, income, city, end, surrogated):
    frame = pd.DataFrame({"age": [age], "income": [income], "city": [city]})
    assert surrogated.apply(frame).tolist() == [end]
    assert surrogated.predict_proba(frame)[0].tolist() == surrogated.proba[end].tolist()


def test_surrogates_follow_their_node_when_the_tree_is_cut(surrogated):
    rows = pd.DataFrame({"age": [None], "income": [None], "city": ["Bonn"]})
    small = surrogated.cut(Cuts.at(surrogated, [2]))
    assert small.surrogate_agree.tolist() == [0.9, 0.8]
    assert small.apply(rows).tolist() == [1]
    stump = surrogated.cut(Cuts.at(surrogated, [0]))
    assert (len(stump.surrogates), stump.surrogate_start.tolist()) == (0, [0, 0])


# closed thresholds and 32-bit precision (scikit-learn), high side first (rpart)

ONE = FeatureSchema("x", "numeric")


@pytest.mark.parametrize(("closed", "ends"), [(True, [1, 1, 2]), (False, [1, 2, 2])])
def test_the_closed_side_decides_at_the_threshold(closed, ends):
    test = {"kind": THRESHOLD, "feature": 0, "threshold": 2.0, "closed": closed}
    made = tree(Schema((ONE,), "c", ("a", "b")), [-1, 0, 0], [test, {}, {}], [[1, 1], [1, 0], [0, 1]])
    assert through_json(made).apply(pd.DataFrame({"x": [1.0, 2.0, 3.0]})).tolist() == ends
    assert made.node(1).condition == ("x ≤ 2" if closed else "x < 2")


def test_values_are_rounded_to_the_precision_of_the_thresholds():
    """0.1 rounds up to 0.100000001490116 in 32 bits: not <= 0.1 any more."""
    test = {"kind": THRESHOLD, "feature": 0, "threshold": 0.1, "closed": True}
    rows = pd.DataFrame({"x": [0.1]})
    for precision, end in (("float64", 1), ("float32", 2)):
        schema = Schema((ONE,), "c", ("a", "b"), precision)
        made = tree(schema, [-1, 0, 0], [test, {}, {}], [[1, 1], [1, 0], [0, 1]])
        assert through_json(made).apply(rows).tolist() == [end]


def test_the_low_side_may_be_the_second_branch():
    test = {"kind": THRESHOLD, "feature": 0, "threshold": 2.0, "low_branch": 1}
    made = tree(Schema((ONE,), "c", ("a", "b")), [-1, 0, 0], [test, {}, {}], [[1, 1], [1, 0], [0, 1]])
    assert made.apply(pd.DataFrame({"x": [1.0, 2.0]})).tolist() == [2, 1]
    assert made.node(1).condition == "x ≥ 2"


# no answer


def test_a_node_may_have_no_answer():
    """Weka's Id3 predicts nothing in an empty branch; a number is then NaN, whichever node comes last."""
    levels = FeatureSchema("x", "nominal", ("u", "v", "w"))
    test = {"kind": LEVELS, "feature": 0, "levels": [0, 1, 2]}
    rows = pd.DataFrame({"x": ["u", "v", "w"]})
    common = {"parent": [-1, 0, 0, 0], "tests": [test, {}, {}, {}], "answer": [0, 1, -1, 3]}
    made = tree(Schema((levels,), "c", ("a", "b")), stats=[[1, 2], [1, 0], [0, 0], [0, 2]], **common)
    assert made.predict(rows).tolist() == ["a", None, "b"]
    assert np.isnan(made.predict_proba(rows)[1]).all()
    assert made.node(2).predicted == "no answer"
    numbers = tree(Schema((levels,), "c"), stats=[[3, 6, 14], [1, 2, 4], [0, 0, 0], [2, 4, 10]], **common)
    np.testing.assert_array_equal(numbers.predict(rows), [2, np.nan, 2])


# frozen


def test_columns_are_read_only(tennis):
    for array in (tennis.stats, tennis.parent, tennis.splits.threshold, tennis.splits.level_branch):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("data", [None, 3, "tree", [], {}, {"schema_version": 3}, {"schema_version": 3, "splits": 3}])
def test_what_is_no_tree_is_refused(data):
    with pytest.raises(tc.TreecoreError, match="not a saved tree"):
        tc.Tree.from_dict(data)


def test_a_tree_of_another_version_is_refused(tennis):
    with pytest.raises(tc.TreecoreError, match="schema version 99"):
        tc.Tree.from_dict(tennis.to_dict() | {"schema_version": 99})


def test_nodes_and_prefixes_that_do_not_exist_are_refused(tennis):
    for node in (-1, 8):
        with pytest.raises(tc.TreecoreError, match="no node"):
            tennis.node(node)
    with pytest.raises(tc.TreecoreError, match="after -1"):
        tennis.after(-1)
