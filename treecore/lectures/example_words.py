"""[001]: information gain of two bits, XOR, and the cars in classes."""

from treecore.lectures.guide import BY_HAND, Figure, Guide, Step
from treecore.recipe import Grow

ID3 = Grow("id3")
SECTION = "001: 3.1 Entropy-based gain"

TWO_FEATURES = Guide(
    "x1_x2", "Information gain of X1 and X2", "x1_x2", ID3,
    (
        Step(
            "Entropy of Y", "Five of eight rows are true.", SECTION,
            (Figure("H(Y)", "0.954", lambda o: o.impurity),),
        ),
        Step(
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
        Step(
            "After X2", "X2 leaves nearly everything open.", SECTION,
            (
                Figure("share of Y = F where X2 = T", "1/4", lambda o: o.share_of("X2", "T", "F")),
                Figure("share of Y = T where X2 = F", "1/2", lambda o: o.share_of("X2", "F", "T")),
                Figure("H(Y | X2)", "0.905", lambda o: o.expected("X2"),
                       slip="Cut off, not rounded: .9056."),
                Figure("IG(X2)", "0.049", lambda o: o.gain("X2")),
            ),
        ),
        Step(
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
        Step(
            "No column says anything by itself",
            "Every gain at the root is 0. ID3 stops with a single leaf, which is wrong on half of the rows.",
            "001: 4.0.1 0 information gain case in general",
            (
                Figure("information gain of a", "0", lambda o: o.gain("X1")),
                Figure("information gain of b", "0", lambda o: o.gain("X2")),
                Figure("share of rows answered wrongly", "0.5", lambda o: o.error, place=BY_HAND),
            ),
        ),
        Step(
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
        Step(
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
        Step(
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
