"""[000] and [003]: nodes on which measures of impurity do not agree."""

from treecore.lectures.guide import BY_HAND, Figure, Guide, Step
from treecore.lectures.opened import Opened, measured
from treecore.recipe import Grow

PLACE = "003: Differences in Impurity Functions"


def _error_after(o: Opened, feature: str) -> float:
    stats = o.split(feature).stats
    return float(1 - stats.max(axis=1).sum() / stats.sum())


def _branches(feature: str, level: str, *printed: str) -> tuple[Figure, ...]:
    """The counts of the classes in a branch."""
    return tuple(
        Figure(f"rows of class {k + 1}, {feature} {level}", shown, lambda o, k=k: float(o.counts(feature, level)[k]))
        for k, shown in enumerate(printed)
    )


FIFTY = Guide(
    "node_50_50", "Two splits with the same error", "node_50_50", Grow("cart", (("criterion", "misclassification"),)),
    (
        Step(
            "The error sees no difference",
            "A makes (10, 40) and (40, 10), B makes (50, 20) and (0, 30): both leave 20 of 100 rows wrong, so the "
            "error rate cannot choose between them. Learn ▸ Impurity shows why: between the branches its curve is a "
            "straight line.",
            "000: Which feature is the best?",
            (
                *_branches("A", "left", "10", "40"), *_branches("A", "right", "40", "10"),
                *_branches("B", "left", "50", "20"), *_branches("B", "right", "0", "30"),
                Figure("error before", "0.5", lambda o: o.impurity, place=BY_HAND),
                Figure("error after A", "0.20", lambda o: _error_after(o, "A")),
                Figure("error after B", "0.20", lambda o: _error_after(o, "B")),
            ),
        ),
        Step(
            "The Gini index prefers the pure branch",
            "The curve of the Gini index bends, so one pure branch is worth more than two branches that are fairly "
            "pure.",
            "000: Gini Index",
            (
                Figure("Gini gain of A", "0.18", lambda o: o.gain("A"), place=BY_HAND),
                Figure("Gini gain of B", "0.2143", lambda o: o.gain("B"), place=BY_HAND),
            ),
            grow=Grow("cart"),
        ),
        Step(
            "And so does entropy",
            "Entropy is 1 bit if both classes are equally frequent and 0 if there is only one class (0 log 0 counts as"
            " 0). It prefers the pure branch, too.",
            "000: Entropy; 003: When is Entropy Impurity Maximum?",
            (
                Figure("entropy of equal shares", "1", lambda o: measured("entropy", 50, 50)),
                Figure("entropy of one class alone", "0", lambda o: measured("entropy", 50, 0)),
                Figure("information gain of A", "0.2781", lambda o: o.gain("A"), place=BY_HAND),
                Figure("information gain of B", "0.3958", lambda o: o.gain("B"), place=BY_HAND),
            ),
            grow=Grow("cart", (("criterion", "entropy"),)),
        ),
    ),
)  # fmt: skip

NINETY = Guide(
    "node_90_10", "A split that the error does not see", "node_90_10",
    Grow("cart", (("criterion", "misclassification"),)),
    (
        Step(
            "Misclassification gains nothing",
            "90 and 10 rows are divided into (20, 10) and (70, 0). Both branches still predict w1, so the error rate "
            "does not fall, and a tree that looks at the error alone stops here.",
            PLACE + ", misclassification",
            (
                Figure("points at N", "100", lambda o: float(o.table.n_rows)),
                *_branches("query", "left", "20", "10"), *_branches("query", "right", "70", "0"),
                Figure("share of the first class", "0.9", lambda o: float(o.tree.proba[0].max())),
                Figure("share of it in the left branch", "0.66", lambda o: o.share_of("query", "left", "w1")),
                Figure("share of the points in the left branch", "0.3",
                       lambda o: o.counts("query", "left").sum() / 100),
                Figure("i(N)", "0.1", lambda o: measured("misclassification", 90, 10)),
                Figure("i of the left branch", "0.33", lambda o: measured("misclassification", 20, 10)),
                Figure("i of the right branch", "0", lambda o: measured("misclassification", 70, 0)),
                Figure("drop of the impurity", "0", lambda o: o.gain("query"),
                       slip="The line reads .1 − .3 · .3, which is .01; .1 − .3 · ⅓ is 0."),
            ),
        ),
        Step(
            "Half the Gini index sees it",
            "[003] counts each pair of classes once, which gives half of what most books call the Gini index. The best"
            " split is the same; limits such as β and α have to be halved, too.",
            PLACE + ", Gini",
            (
                Figure("i(N)", "0.09", lambda o: o.impurity),
                Figure("i of the left branch", "0.22", lambda o: o.impurity_of("query", "left")),
                Figure("i of the right branch", "0", lambda o: o.impurity_of("query", "right")),
                Figure("drop of the impurity", "0.0234", lambda o: o.gain("query"),
                       slip="0.33 · 0.22 should be 0.3 · 0.2222: 7/300 = .02333; .0234 is from rounded figures."),
            ),
            grow=Grow("cart", (("criterion", "half_gini"),)),
        ),
        Step(
            "Twoing",
            "P_L P_R / 4 · (Σ |p_kL − p_kR|)². With two classes it equals the decrease of p(1 − p), which is half the "
            "Gini index.",
            "003: Twoing Criterion",
            (Figure("twoing of the split", "0.0233", lambda o: o.split("query").score, place=BY_HAND),),
            grow=Grow("cart", (("score", "twoing"),)),
        ),
    ),
)  # fmt: skip

MEASURES = (FIFTY, NINETY)
