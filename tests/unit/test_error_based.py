"""C4.5's pruning by hand: a leaf, a raised branch, the collapse before it; and against a twin that sends every row."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treecore as tc
from tests.property.twin_settings import many_rows
from tests.unit.naive_raising import Naive
from treecore.data import level_column
from treecore.engine import compiling
from treecore.growing.forced_splits import ForcedSplit
from treecore.growing.grower import grow_tree
from treecore.pruning import CUT, KEEP, RAISED, Cuts, error_based
from treecore.pruning.error_based import METHOD, estimated_errors
from treecore.pruning.j48 import largest_class
from treecore.pruning.rerouting import are_whole, ground_of

MULTIWAY = tc.GrowSettings(criterion="entropy", nominal="multiway")


def table(rows: str, **levels) -> tc.Table:
    """One word per row, one letter per column, the last one the target y; ? is missing."""
    words = rows.split()
    columns = [
        level_column(name, "nominal", [None if w[i] == "?" else w[i] for w in words], tuple(found))
        for i, (name, found) in enumerate(levels.items())
    ]
    return tc.Table(tuple(columns), target="y", features=tuple(n for n in levels if n != "y"))


def numbers(cuts: Cuts, node: int) -> dict:
    return dict(cuts.reasons[node].details)


# Quinlan (1993), ch. 4: branches of 6, 9 and 1 rows without errors, 1 error among the 16 rows of their node

VOTES = table("ay " * 6 + "by " * 9 + "cn", x="abc", y="yn")


@pytest.mark.parametrize(
    ("estimate", "leaf"),
    [("weka", 2.4757146318372634), ("c45", 2.50689395838556), ("binomial", 16 * 0.1596107137218113)],
)
def test_quinlans_example_becomes_a_leaf(estimate, leaf):
    tree = tc.grow(VOTES, MULTIWAY)
    assert tree.n_leaves == 3
    cuts = tc.prune(tree, "error_based", train=VOTES, estimate=estimate)
    assert cuts.cut_nodes.tolist() == [0]
    assert numbers(cuts, 0)["as a leaf"] == pytest.approx(leaf, rel=1e-12)
    assert numbers(cuts, 0)["with its branches"] == pytest.approx(3.272600998417746, rel=1e-12)
    assert numbers(cuts, 0)["with its largest branch in its place"] == pytest.approx(leaf, rel=1e-12)
    assert numbers(cuts, 0)["largest branch"] == 2
    reason = cuts.reasons[0]
    assert (reason.method, reason.more) == (METHOD, False)
    assert reason.number == pytest.approx(leaf)
    assert reason.threshold == pytest.approx(min(leaf, 3.272600998417746) + 0.1)
    assert "2.47571 as a leaf, 3.2726 with its branches" in reason.text or estimate != "weka"
    assert cuts.judged_by == "training rows"


def test_a_larger_cf_keeps_quinlans_branches():
    # at CF = 0.5: 6 (1 - 0.5^(1/6)) + 9 (1 - 0.5^(1/9)) + 0.5 = 1.82 against 1.5 errors
    tree = tc.grow(VOTES, MULTIWAY)
    cuts = tc.prune(tree, "error_based", raising=False, cf=0.5)
    branches = 6 * (1 - 0.5 ** (1 / 6)) + 9 * (1 - 0.5 ** (1 / 9)) + 0.5
    assert numbers(cuts, 0) == pytest.approx({"as a leaf": 1.5, "with its branches": branches}, rel=1e-12)
    assert cuts.cut_nodes.tolist() == [0]
    assert tc.prune(tree, "error_based", raising=False, cf=0.5, slack=0.0).cut_nodes.tolist() == [0]
    many = table("ay " * 20 + "bn " * 20, x="ab", y="yn")
    assert not tc.prune(tc.grow(many, MULTIWAY), "error_based", train=many).changes


# x parts a row of each class from twenty others, which z parts; z would do it for all

RAISE = table("apy aqn " + "bpy " * 10 + "bqn " * 10, x="ab", z="pq", y="yn")


def raise_tree() -> tc.Tree:
    return grow_tree(RAISE, MULTIWAY, imposed=(ForcedSplit((), "x", branches=(("a",), ("b",))),))


def test_a_branch_takes_its_parents_place():
    tree = raise_tree()
    assert [tree.node(i).feature for i in range(7)] == ["x", "z", "z", None, None, None, None]
    cuts = tc.prune(tree, "error_based", train=RAISE)
    assert cuts.verdict.tolist() == [RAISED, KEEP, KEEP, KEEP, KEEP, KEEP, KEEP]
    assert cuts.replaced_by[0] == 2
    one, ten, eleven = (n * (1 - 0.25 ** (1 / n)) for n in (1, 10, 11))
    assert numbers(cuts, 0)["with its branches"] == pytest.approx(2 * one + 2 * ten, rel=1e-12)
    assert numbers(cuts, 0)["with its largest branch in its place"] == pytest.approx(2 * eleven, rel=1e-12)
    assert cuts.reasons[0].number == pytest.approx(2 * eleven)
    assert cuts.reasons[0].threshold == pytest.approx(2 * one + 2 * ten + 0.1)
    assert "with branch 2 in its place" in cuts.reasons[0].text


def test_the_steps_are_logged_in_their_order_and_the_raised_branch_is_judged_again():
    cuts = tc.prune(raise_tree(), "error_based", train=RAISE, collapse=False)
    assert [(d.node, d.verdict) for d in cuts.decisions] == [(1, KEEP), (2, KEEP), (0, RAISED), (2, KEEP)]
    first, again = (dict(cuts.decisions[i].reason.details)["with its branches"] for i in (1, 3))
    assert first == pytest.approx(20 * (1 - 0.25**0.1), rel=1e-12)
    assert again == pytest.approx(22 * (1 - 0.25 ** (1 / 11)), rel=1e-12)
    assert cuts.reasons[2] == cuts.decisions[3].reason


def test_the_raised_tree_has_the_rows_of_the_place():
    tree = raise_tree()
    pruned = tree.cut(tc.prune(tree, "error_based", train=RAISE))
    assert (pruned.n_nodes, pruned.node(0).feature) == (3, "z")
    assert pruned.stats.tolist() == [[11, 11], [11, 0], [0, 11]]
    assert pruned.n_rows.tolist() == [22, 11, 11]
    assert pruned.impurity.tolist() == [1, 0, 0]
    assert pruned.gain[0] == 1
    assert tree.n_nodes == 7


def test_without_raising_the_branches_stay_and_no_rows_are_needed():
    tree = raise_tree()
    cuts = tc.prune(tree, "error_based", raising=False)
    assert not cuts.changes
    assert "largest branch" not in numbers(cuts, 0)
    assert cuts.train is None


def test_the_collapse_comes_first_and_says_so():
    # x saves an error, z below x = a none
    rows = table("apy apy apy aqy aqy aqn " + "bpn " * 30 + "bqn " * 30, x="ab", z="pq", y="yn")
    tree = tc.grow(rows, MULTIWAY)
    assert tree.node(1).feature == "z"
    cuts = tc.prune(tree, "error_based", train=rows)
    assert (cuts.verdict[1], cuts.reasons[1].method) == (CUT, "J48 collapse")
    assert [(d.node, d.reason.method) for d in cuts.decisions] == [
        (0, "J48 collapse"), (1, "J48 collapse"), (0, METHOD),
    ]  # fmt: skip
    judged = tc.prune(tree, "error_based", train=rows, collapse=False)
    assert judged.reasons[1].method == METHOD
    assert {d.reason.method for d in judged.decisions} == {METHOD}


def test_collapse_alone_is_the_first_step_of_both():
    rows = many_rows(np.random.default_rng(1), 2, 0.1).table()
    tree = tc.grow(rows, "j48", min_weight_split=0, min_weight_leaf=0)
    alone = tc.prune(tree, "j48_collapse").cut_nodes
    assert len(alone) > 0
    assert set(alone) <= set(tc.prune(tree, "error_based", train=rows).cut_nodes)


# against a twin


class Twin(Naive):
    """C4.5's pruning with the rows of every node at hand. log : (node, verdict, the three estimates)."""

    def __init__(self, tree, table, collapsed, cf):
        super().__init__(tree, table, collapsed)
        self.replaced_by, self.cf, self.log = self.replaced_by.copy(), cf, []
        self.everywhere()

    def estimate(self, parts, label) -> float:
        counts = self.counts(parts)
        return float(estimated_errors([counts.sum()], [counts.sum() - counts[label]], self.cf)[0])

    def label(self, parts) -> int:
        return int(largest_class(self.counts(parts)[None])[0])

    def as_leaf(self, parts) -> float:
        return self.estimate(parts, self.label(parts))

    def branched(self, place, parts) -> float:
        """Estimate of what stands in a place, with these rows."""
        node = self.node_at(place)
        if self.is_leaf(node):
            return self.as_leaf(parts)
        down, _, staying = self.parted(node, parts)
        below = (self.branched(child, down[b]) for b, child in enumerate(self.tree.children(node)))
        return math.fsum(below) + self.estimate(staying, self.label(parts))

    def prune(self, place, parts) -> None:
        node = self.node_at(place)
        if self.is_leaf(node):
            return
        down, _, _ = self.parted(node, parts)
        for b, child in enumerate(self.tree.children(node)):
            self.prune(child, down[b])
        sizes = [self.weight(down[b]) for b in down]
        largest = max(b for b in down if max(sizes) - sizes[b] < 1e-6)
        child = self.tree.children(node)[largest]
        leaf, branched, raised = self.as_leaf(parts), self.branched(place, parts), self.branched(child, parts)
        keep = len(self.log)
        self.log.append([node, KEEP, leaf, branched, raised])
        if leaf - branched - 0.1 < 1e-6 and leaf - raised - 0.1 < 1e-6:
            self.log[keep][1], self.cut[node] = CUT, True
        elif raised - branched - 0.1 < 1e-6:
            self.log[keep][1], self.replaced_by[node] = RAISED, child
            self.prune(place, parts)


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.sampled_from([0.0, 0.1, 0.3]), st.sampled_from([0.25, 0.1]),
       st.sampled_from(["j48", "fractional", "surrogates", "stay", "majority"]), st.booleans())  # fmt: skip
@settings(max_examples=50)
def test_every_step_is_that_of_the_twin(seed, n_classes, missing, cf, growth, binary):
    rows = many_rows(np.random.default_rng(seed), n_classes, missing, n=60).table()
    nominal = "one_level" if binary else "multiway"
    if growth == "j48":
        tree = tc.grow(rows, "j48", nominal=nominal, min_weight_split=2, min_weight_leaf=1)
    else:
        tree = tc.grow(rows, MULTIWAY, nominal=nominal, missing=growth)
    cuts = tc.prune(tree, "error_based", train=rows, cf=cf)
    twin = Twin(tree, rows, tc.prune(tree, "j48_collapse"), cf)
    twin.prune(0, twin.at[twin.node_at(0)])
    steps = [d for d in cuts.decisions if d.reason.method == METHOD]
    assert [(d.node, d.verdict) for d in steps] == [(node, verdict) for node, verdict, *_ in twin.log]
    for step, (_, _, *expected) in zip(steps, twin.log, strict=True):
        np.testing.assert_allclose([v for _, v in step.reason.details[:3]], expected, rtol=1e-9, atol=1e-9)
        verdict, reason = step.verdict, step.reason
        assert (verdict != KEEP) == (reason.number <= reason.threshold)
    assert (cuts.verdict == CUT).tolist() == twin.cut.tolist()
    assert cuts.replaced_by.tolist() == twin.replaced_by.tolist()
    twin.everywhere()
    standing, pruned = cuts.standing(tree), tree.cut(cuts)
    for i, node in enumerate(standing.tolist()):
        np.testing.assert_allclose(pruned.stats[i], twin.counts(twin.at[node]), rtol=1e-9, atol=1e-9)


@given(
    st.integers(0, 10**6), st.sampled_from([2, 3]), st.sampled_from([0.0, 0.0, 0.2]), st.sampled_from([0.25, 0.1, 0.5]),
    st.sampled_from(["j48", "majority", "surrogates", "stay"]), st.sampled_from(["weka", "c45", "binomial"]),
)  # fmt: skip
@settings(max_examples=100)
def test_sending_only_the_rows_beside_the_branch_gives_the_same_to_the_last_bit(
    seed, n_classes, missing, cf, growth, estimate
):
    rows = many_rows(np.random.default_rng(seed), n_classes, missing, n=80).table()
    rows = rows.with_weights(np.random.default_rng(seed).integers(0, 3, 80)) if seed % 3 == 0 else rows
    tree = tc.grow(rows, "j48" if growth == "j48" else MULTIWAY, min_weight_split=2, min_weight_leaf=1,
                   **({} if growth == "j48" else {"missing": growth}))  # fmt: skip
    with pytest.MonkeyPatch.context() as patch, compiling.forced():
        fast = tc.prune(tree, "error_based", train=rows, cf=cf, estimate=estimate)
        patch.setattr(error_based, "are_whole", lambda *_: False)
        slow = tc.prune(tree, "error_based", train=rows, cf=cf, estimate=estimate)
    assert fast.decisions == slow.decisions
    assert fast.reasons == slow.reasons
    assert fast.replaced_by.tolist() == slow.replaced_by.tolist()


def test_only_the_rows_beside_the_branch_are_sent_where_rows_are_whole(monkeypatch):
    sent = []
    count = error_based.count_more
    monkeypatch.setattr(error_based, "count_more", lambda *args: (sent.append(len(args[-1])), count(*args))[1])
    blocks = tc.from_arrays(np.arange(60.0)[:, None], np.arange(60) // 10 % 2, classes=("a", "b"))
    with compiling.forced():
        cuts = tc.prune(tc.grow(blocks), "error_based", train=blocks, collapse=False)
    assert cuts.decisions
    assert set(sent) == {10}


def test_rows_that_are_shared_or_stay_or_weigh_parts_are_no_whole_ones():
    whole, gap = (table(text, x="ab", z="pq", y="yn") for text in ("apy bpn aqy bqn apy bqn", "apy ?pn aqy bqn apy"))
    of = lambda rows, growth: are_whole(tree := tc.grow(rows, growth), ground_of(tree, rows))  # noqa: E731
    shared = replace(MULTIWAY, missing="fractional")
    assert of(whole, shared)
    assert of(gap, replace(MULTIWAY, missing="majority"))
    assert not of(gap, shared)
    assert not of(gap, replace(MULTIWAY, missing="stay"))
    assert not of(whole.with_weights(np.array([1, 1, 0.5, 1, 1, 1])), shared)


# what is refused


@pytest.mark.parametrize("cf", [0, -0.1, 0.51, float("nan"), "0.25", None, True])
def test_a_confidence_factor_outside_its_limits_is_refused(cf):
    with pytest.raises(tc.TreecoreError, match="not possible") as caught:
        tc.prune(raise_tree(), "error_based", train=RAISE, cf=cf)
    assert "above 0, at most 0.5" in caught.value.remedy


def test_raising_asks_for_the_training_rows():
    with pytest.raises(tc.TreecoreError, match="subtree raising looks at the training rows"):
        tc.prune(raise_tree(), "error_based")
    with pytest.raises(tc.TreecoreError, match="not the rows that the tree was grown on"):
        tc.prune(raise_tree(), "error_based", train=RAISE.take(np.arange(10)))


def test_numbers_are_refused():
    rows = many_rows(np.random.default_rng(0), 0, 0.0).table()
    for method in ("error_based", "j48_reduced_error"):
        with pytest.raises(tc.TreecoreError, match="classification errors"):
            tc.prune(tc.grow(rows), method, train=rows, validation=rows)


def test_a_lone_root_is_left_alone():
    stump = tc.grow(RAISE, max_depth=0)
    cuts = tc.prune(stump, "error_based", train=RAISE)
    assert (cuts.changes, cuts.reasons, cuts.decisions) == (False, {}, ())


def test_errors_are_of_the_answers_where_costs_decide_them():
    # an "n" called "y" costs 5: a leaf of 2 n and 4 y answers n and makes 4 errors
    rows = table("py py pn qy qy qn", z="pq", y="yn")
    loss = ((0.0, 1.0), (5.0, 0.0))
    tree = grow_tree(rows, tc.GrowSettings(criterion="entropy", nominal="multiway", loss=loss),
                     imposed=(ForcedSplit((), "z", branches=(("p",), ("q",))),))  # fmt: skip
    cuts = tc.prune(tree, "error_based", raising=False, collapse=False)
    expected = estimated_errors([6], [4])[0]
    assert numbers(cuts, 0)["as a leaf"] == pytest.approx(expected)
