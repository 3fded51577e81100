"""[000], [001] and [003]: gains of two bits, XOR and the cars, and nodes on which measures of impurity do not agree."""

from treecore.recipe import Grow
from treecore.teach.guide import BY_HAND, Figure, Guide, GuideStep, OpenExample, node_impurity

PLACE = "003: Differences in Impurity Functions"


def _error_after(o: OpenExample, feature: str) -> float:
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
        GuideStep(
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
        GuideStep(
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
        GuideStep(
            "And so does entropy",
            "Entropy is 1 bit if both classes are equally frequent and 0 if there is only one class (0 log 0 counts as"
            " 0). It prefers the pure branch, too.",
            "000: Entropy; 003: When is Entropy Impurity Maximum?",
            (
                Figure("entropy of equal shares", "1", lambda o: node_impurity("entropy", 50, 50)),
                Figure("entropy of one class alone", "0", lambda o: node_impurity("entropy", 50, 0)),
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
        GuideStep(
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
                Figure("i(N)", "0.1", lambda o: node_impurity("misclassification", 90, 10)),
                Figure("i of the left branch", "0.33", lambda o: node_impurity("misclassification", 20, 10)),
                Figure("i of the right branch", "0", lambda o: node_impurity("misclassification", 70, 0)),
                Figure("drop of the impurity", "0", lambda o: o.gain("query"),
                       slip="The line reads .1 − .3 · .3, which is .01; .1 − .3 · ⅓ is 0."),
            ),
        ),
        GuideStep(
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
        GuideStep(
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


# [001]: information gain of two bits, XOR, and the cars in classes.

ID3 = Grow("id3")
SECTION = "001: 3.1 Entropy-based gain"

TWO_FEATURES = Guide(
    "x1_x2", "Information gain of X1 and X2", "x1_x2", ID3,
    (
        GuideStep(
            "Entropy of Y", "Five of eight rows are true.", SECTION,
            (Figure("H(Y)", "0.954", lambda o: o.impurity),),
        ),
        GuideStep(
            "After X1", "Whenever X1 is true, Y is true. In the other half one of four rows is true.", SECTION,
            (
                Figure("share of the rows where X1 = F", "1/2", lambda o: float(o.counts("X1", "F").sum() / 8)),
                Figure("share of Y = T there", "1/4", lambda o: o.share_of("X1", "F", "T")),
                Figure("share of Y = F there", "3/4", lambda o: o.share_of("X1", "F", "F")),
                Figure("H(Y | X1)", "0.405", lambda o: o.expected("X1"),
                       slip="Cut off, not rounded: .4056."),
                Figure("IG(X1)", "0.549", lambda o: o.gain("X1")),
            ),
        ),
        GuideStep(
            "After X2", "X2 leaves nearly everything open.", SECTION,
            (
                Figure("share of Y = F where X2 = T", "1/4", lambda o: o.share_of("X2", "T", "F")),
                Figure("share of Y = T where X2 = F", "1/2", lambda o: o.share_of("X2", "F", "T")),
                Figure("H(Y | X2)", "0.905", lambda o: o.expected("X2"),
                       slip="Cut off, not rounded: .9056."),
                Figure("IG(X2)", "0.049", lambda o: o.gain("X2")),
            ),
        ),
        GuideStep(
            "When to stop",
            "A node becomes a leaf when all its rows have the same target, H(Y) = 0. The notes say “the same attribute"
            " value”, which is a slip: here X1 is the same for all rows, and H(Y) is not 0.",
            "001: 4 When to stop splitting",
            (Figure("H(Y) where X1 is true", "0", lambda o: o.impurity_of("X1", "T")),),
        ),
    ),
)  # fmt: skip

XOR = Guide(
    "xor", "XOR: when the best gain is 0", "xor", ID3,
    (
        GuideStep(
            "No column says anything by itself",
            "Every gain at the root is 0. ID3 stops with a single leaf, which is wrong on half of the rows.",
            "001: 4.0.1 0 information gain case in general",
            (
                Figure("information gain of a", "0", lambda o: o.gain("X1")),
                Figure("information gain of b", "0", lambda o: o.gain("X2")),
                Figure("share of rows answered wrongly", "0.5", lambda o: o.error, place=BY_HAND),
            ),
        ),
        GuideStep(
            "Split all the same",
            "With “split even when the best gain is 0” two levels separate the classes completely: stopping at gain 0 "
            "is short-sighted.",
            "001: Figure 8, “Do not split” VS “split”",
            (
                Figure("share of rows answered wrongly", "0", lambda o: o.error, place=BY_HAND),
                Figure("leaves", "4", lambda o: float(o.tree.n_leaves), place=BY_HAND),
            ),
            grow=Grow("id3", (("zero_gain", "split"),)),
        ),
    ),
)  # fmt: skip

CARS = Guide(
    "cars", "Cars: good or bad mileage", "cars", ID3,
    (
        GuideStep(
            "18 of 40 rows are left",
            "Of the 40 records that the notes print 18 can be read. Their tree has cylinders at the root and asks for "
            "horsepower < 94; neither follows from these rows. In the 18 rows the model year has the largest gain.",
            "001: Figure 1, 40 records",
            (
                Figure("records", "40", lambda o: float(o.table.n_rows), slip="22 of them are dots in the notes."),
                Figure("records with four cylinders, of Asia", "7",
                       lambda o: float(o.rows_where(cylinders="4", maker="asia").sum()),
                       slip="Three of the seven can be read.", place="001: Figure 2"),
                Figure("gain of the model year", "0.583", lambda o: o.gain("modelyear"), place=BY_HAND),
            ),
        ),
        GuideStep(
            "A node with fewer than 5 % of the rows",
            "The notes stop at nodes with fewer than 5 % of the rows. 5 % of 18 rows is less than one row, so the rule"
            " has no effect here; of 40 rows it would be two.",
            "001: 9 Pruning",
            (Figure("least share of the rows, in per cent", "5", lambda o: 100 * o.tree.growth["min_share_split"]),),
            grow=Grow("id3", (("min_share_split", 0.05),)),
        ),
    ),
)  # fmt: skip

WORDS = (TWO_FEATURES, XOR, CARS)
