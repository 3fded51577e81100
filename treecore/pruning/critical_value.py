"""Critical-value pruning: a split stays only if chance would hardly make one as good, or one below it is."""

from collections.abc import Callable

import numpy as np

from treecore.criteria.significance import SignificanceTest, chi_square, f_test, permutation_test
from treecore.errors import TreecoreError
from treecore.pruning.cuts import CUT, KEEP, Cuts, Reason, above_leaves
from treecore.pruning.pruner import Parameter, Pruner, PruningContext
from treecore.pruning.risk import snapped_threshold
from treecore.pruning.rows_at_nodes import RowsAtNodes
from treecore.tree.node_statistics import children_statistics, refuse_counts
from treecore.tree.tree import Tree


def critical_value(
    tree: Tree,
    given: PruningContext,
    alpha: float = 0.05,
    test: str = "chi-square",
    n_permutations: int = 999,
    seed: int = 0,
) -> Cuts:
    """From the bottom up, a node whose children are all leaves by then becomes one when its split is not significant.

    alpha : level of the test, above 0 and at most 1.
    test : "chi-square" of branches by classes, without a continuity correction, df = (branches with rows - 1) (classes
        with rows - 1); for numbers the F test. A node goes when the statistic is at most the critical value.
        "permutation" deals the targets of the node's rows to its branches at random, n_permutations times, whatever
        their sizes; a node goes when p = (1 + as extreme ones) / (1 + n_permutations) is above alpha. It needs the
        training rows; parts of a row that went down two branches are dealt as rows of their own.
    Tests count case weights as so many rows, without what priors and costs do; rows that stay at a node for want of a
    value take no part. The level does not pay for the choice among many splits. Source: Mingers (1987).
    """
    refuse_counts(tree, "the test of a split")
    by_chance = test == "permutation"
    judge = _permutation(tree, given, alpha, int(n_permutations), int(seed)) if by_chance else _analytic(tree, alpha)
    verdict, reasons = np.full(tree.n_nodes, KEEP), {}
    for t in given.told(np.flatnonzero(~tree.is_leaf)[::-1].tolist()):
        if not above_leaves(tree, verdict, t):
            reasons[t] = Reason("critical value", "not tested: a split below it is significant")
            continue
        reasons[t] = judge(t)
        verdict[t] = CUT if reasons[t].cuts else KEEP
    return Cuts(verdict, reasons=reasons)


def _analytic(tree: Tree, alpha: float) -> Callable[[int], Reason]:
    """node -> chi-square (or F) against its critical value."""

    def judge(t: int) -> Reason:
        branches = children_statistics(tree, t)
        result = chi_square(branches) if tree.classes else f_test(branches)
        limit = snapped_threshold(result.statistic, critical(result, alpha))
        name = "chi-square" if tree.classes else "F"
        text = (
            f"{name} {result.statistic:.6g} with {_degrees(result)} degrees of freedom, critical value {limit:.6g} at "
            f"level {alpha:g} (p = {result.p_value:.3g})"
        )
        details = (("p-value", result.p_value), *_df_details(result))
        return Reason("critical value", text, result.statistic, limit, details=details)

    return judge


def critical(test: SignificanceTest, alpha: float) -> float:
    """The statistic that chance exceeds with probability alpha; 0 where there is nothing to test.

    test : of chi-square or F, for its degrees of freedom.
    """
    from scipy import special

    if isinstance(test.df, tuple):
        between, within = test.df
        share = float(special.betaincinv(within / 2, between / 2, alpha))  # within / (within + between F)
        return within * (1 - share) / (between * share) if share > 0 else np.inf
    return 2 * float(special.gammainccinv(test.df / 2, alpha)) if test.df > 0 else 0.0


def _degrees(test: SignificanceTest) -> str:
    return " and ".join(f"{df:g}" for df in test.df) if isinstance(test.df, tuple) else f"{test.df:g}"


def _df_details(test: SignificanceTest) -> tuple[tuple[str, float], ...]:
    if isinstance(test.df, tuple):
        return ("df between", test.df[0]), ("df within", test.df[1])
    return (("df", test.df),)


def _permutation(tree: Tree, given: PruningContext, alpha: float, m: int, seed: int) -> Callable[[int], Reason]:
    """node -> p of a permutation test against alpha."""
    train = given.need_train("The permutation test")
    if alpha * (m + 1) < 1 - 1e-9:
        raise TreecoreError(
            f"With {m} permutations no p-value is as small as {alpha:g}",
            where="n_permutations",
            remedy=f"Ask for a larger alpha, or for {int(np.ceil(1 / alpha - 1e-9)) - 1} permutations or more",
        )
    passing, column = RowsAtNodes.of(tree, train), train.column(tree.schema.target)
    target = column.codes.astype(np.int64) if tree.classes else column.values()

    def judge(t: int) -> Reason:
        parts = [passing.at(c) for c in tree.children(t)]
        rows, weight = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
        branch = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
        result = permutation_test(target[rows], branch, weight, m, seed)
        text = f"permutation test: p = {result.p_value:.4g} of {m} permutations, the level is {alpha:g}"
        details = (("statistic", result.statistic), ("permutations", float(m)))
        return Reason(
            "critical value", text, result.p_value, snapped_threshold(result.p_value, alpha), more=True, details=details
        )

    return judge


CRITICAL_VALUE = Pruner(
    name="critical_value",
    label="Critical value (test of the split)",
    formula=r"\chi^2(t) \le \chi^2_{1-\alpha} \text{ and no significant split below}",
    source="Mingers (1987)",
    cuts=critical_value,
    not_for=("counts", "effects", "row loss"),
    why_task="its tests are of classes and of means",
    parameters=(
        Parameter("alpha", "Level of the test α", 0.05, 0.0, most=1.0, above=True),
        Parameter(
            "test", "Test", "chi-square", note="of numbers, the F test instead of chi-square",
            choices=(("chi-square", "Chi-square, or F"), ("permutation", "Permutations")),
        ),
        Parameter("n_permutations", "Permutations", 999, 1.0, "of the permutation test", most=1e6, whole=True),
        Parameter("seed", "Seed of the permutations", 0, 0.0, whole=True),
    ),
)  # fmt: skip
