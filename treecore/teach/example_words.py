"""[000], [003] and [004]: trees over words: waiting for a table, fruit, teeth, colours and shapes, tissues."""

import numpy as np

from treecore.growing.search.split_worth import superclass
from treecore.recipe import Grow
from treecore.teach.guide import BY_HAND, TABLE_OF_OURS, Figure, Guide, GuideStep, OpenExample


def _answer_is_no(o: OpenExample) -> float:
    """1 where the evening that is asked about is answered No."""
    evening = dict(
        Alternate="Yes", Bar="No", FriSat="Yes", Hungry="Yes", Patrons="Full", Price="$$$", Raining="No",
        Reservation="No", Type="French", WaitEstimate="10-30",
    )  # fmt: skip
    return float(o.tree.predict(o.one_row(evening)).tolist() == ["No"])


def _error_of_majorities(o: OpenExample, feature: str, level: str) -> float:
    counts = o.counts(feature, level)
    return float(1 - counts.max() / counts.sum())


def _pure(o: OpenExample, feature: str) -> float:
    """How many values of a feature leave no doubt."""
    levels = [level for branch in o.split(feature).branches for level in branch]
    return float(sum(np.count_nonzero(o.counts(feature, level)) == 1 for level in levels))


WAITING = Guide(
    "willwait", "Restaurant: a game of 20 questions", "willwait", Grow("id3"),
    (
        GuideStep(
            "Is there an alternative nearby?",
            "Whatever the answer is, both classes stay equally frequent: you might as well flip a coin.",
            "000: What happens when we ask a question?",
            (
                Figure("share of Yes where Alternate = Yes", "0.5", lambda o: o.share_of("Alternate", "Yes", "Yes")),
                Figure("share of Yes where Alternate = No", "0.5", lambda o: o.share_of("Alternate", "No", "Yes")),
            ),
        ),
        GuideStep(
            "How many patrons are there?",
            "Two of the three answers settle the matter. That is why ID3 asks for Patrons first.",
            "000: What happens when we ask a question?",
            (
                Figure("answers that leave no doubt", "2", lambda o: _pure(o, "Patrons")),
                Figure("gain of Patrons", "0.541", lambda o: o.gain("Patrons"), place=BY_HAND),
                Figure("gain of Type", "0", lambda o: o.gain("Type"), place=BY_HAND),
            ),
        ),
        GuideStep(
            "Bar is a bad choice",
            "Half of the rows are predicted wrongly before the split, and still half in each branch after it.",
            "000: Which feature is the best?",
            (
                Figure("error before the split", "0.50", lambda o: 1 - float(o.tree.proba[0].max())),
                Figure("error where Bar = No", "0.50", lambda o: _error_of_majorities(o, "Bar", "No")),
                Figure("error where Bar = Yes", "0.50", lambda o: _error_of_majorities(o, "Bar", "Yes")),
                Figure("rows with Bar = No", "6", lambda o: float(o.rows_where(Bar="No").sum())),
            ),
        ),
        GuideStep(
            "The evening that is asked about",
            "(Yes, No, Yes, Yes, Full, $$$, No, No, French, 10-30): the tree of the notes predicts No, and so does "
            "this one.",
            "000: Predicting the label for a data instance",
            (Figure("answered No (1: so it is)", "1", _answer_is_no),),
        ),
        GuideStep(
            "A rule that no row supports",
            "IF Patrons = Full AND WaitEstimate = 0-10 THEN Yes: the notes shorten this rule, but no row of the table "
            "has both values. For such a row the tree predicts the majority of the node above.",
            "000: Rule-based Post-Pruning",
            (Figure("rows with Full and 0-10", "0",
                    lambda o: float(o.rows_where(Patrons="Full", WaitEstimate="0-10").sum()), place=BY_HAND),),
        ),
    ),
)  # fmt: skip

IN_ORDER = Guide(
    "willwait_ordinal", "Restaurant: an order cut in two", "willwait_ordinal", Grow("cart"),
    (
        GuideStep(
            "Price has an order",
            "Price, Patrons and WaitEstimate are ordinal in the notes: a binary split sends the lower values to the "
            "left and the higher ones to the right. Three ordered prices have two such splits; three words without an "
            "order would have three.",
            "000: Ordinal Features, Binary Splits vs Multiway Splits",
            (
                Figure("splits of Price", "2", lambda o: float(len(o.found.of("Price"))), place=BY_HAND),
                Figure("rows with Price < $$", "7", lambda o: float(o.split("Price", 0.5).n_rows[0]), place=BY_HAND),
                Figure("Gini gain of Price < $$", "0.0143", lambda o: o.gain("Price", 0.5), place=TABLE_OF_OURS),
                Figure("Gini gain of Price < $$$", "0.0185", lambda o: o.gain("Price", 1.5), place=TABLE_OF_OURS),
                Figure("Gini gain of Patrons < Some", "0.1", lambda o: o.gain("Patrons", 0.5), place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

RESTAURANT = (WAITING, IN_ORDER)


# [003] and [004]: trees over words: fruit, teeth, colours and shapes, tissues in super-categories.

SAID = " The table is ours, the notes print only the drawing."
MALIGNANT = {"Gleason 3", "Gleason 4", "Gleason 5", "PIN"}


def _apart(o: OpenExample, here: np.ndarray, label: str) -> float:
    """How many rows are in one of the two sets alone: those chosen, and those of a class."""
    return float((here != (o.table.target_column.labels() == label)).sum())


def _rule_holds(o: OpenExample, label: str, **cells: str) -> float:
    """The share of the rows with these cells that have the class."""
    here = o.rows_where(**cells)
    return float((o.table.target_column.labels()[here] == label).mean())


def _super(o: OpenExample) -> float:
    """How many of the four malignant classes stand together, and no other."""
    inside = superclass(o.found.ranked[0].stats)
    together = {name for name, is_in in zip(o.table.classes, inside, strict=True) if is_in}
    other = set(o.table.classes) - together
    return float(len(MALIGNANT)) if MALIGNANT in (together, other) else 0.0


FRUIT = Guide(
    "fruit", "Fruit: paths as rules", "fruit", Grow("id3"),
    (
        GuideStep(
            "Color first",
            "Each branch goes on with its own question: size for green and red fruit, shape for yellow." + SAID,
            "003: Decision Tree Example",
            (
                Figure("gain of color", "1.158", lambda o: o.gain("color"), place=TABLE_OF_OURS),
                Figure("gain of size", "1.150", lambda o: o.gain("size"), place=TABLE_OF_OURS),
            ),
        ),
        GuideStep(
            "A banana is (yellow AND thin)",
            "Of x = {sweet, yellow, thin, medium} the tree asks for only two values before it reaches a leaf.",
            "003: Decision Tree Example and Terminology",
            (Figure("share of bananas among yellow and thin", "1",
                    lambda o: _rule_holds(o, "banana", color="yellow", shape="thin")),),
            node=("color = yellow", "shape = thin"),
        ),
        GuideStep(
            "Apples are (green AND medium) OR (red AND medium)",
            "Two paths end in apples.",
            "003: Categories are defined by node paths",
            (
                Figure("share of apples among green and medium", "1",
                       lambda o: _rule_holds(o, "apple", color="green", size="medium")),
                Figure("share of apples among red and medium", "1",
                       lambda o: _rule_holds(o, "apple", color="red", size="medium")),
            ),
            node=("color = green", "size = medium"),
        ),
        GuideStep(
            "Apples are also (medium AND NOT yellow)",
            "Shorter, and the same rows.",
            "003: Categories are defined by node paths",
            (Figure("rows in which the two differ", "0",
                    lambda o: _apart(o, o.rows_where(size="medium") & ~o.rows_where(color="yellow"), "apple")),),
        ),
    ),
)  # fmt: skip

TEETH = Guide(
    "teeth", "Walrus and seal: tuples of properties", "teeth", Grow("id3"),
    (
        GuideStep(
            "No distance between tusks and beaks",
            "walrus = (large, tusk, dominance), seal = (small, cusped, chewing): two values are equal or they are not;"
            " there is no distance between them. A tree needs none: it only asks which value there is." + SAID,
            "003: Metric vs. Nonmetric Features",
            (
                Figure("rows (large, tusk, dominance) that are walruses", "1",
                       lambda o: _rule_holds(o, "walrus", size="large", type="tusk", use="dominance")),
                Figure("rows (small, cusped, chewing) that are seals", "1",
                       lambda o: _rule_holds(o, "seal", size="small", type="cusped", use="chewing")),
                Figure("gain of type", "2.189", lambda o: o.gain("type"), place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

SHAPES = Guide(
    "color_shape", "Color and shape", "color_shape", Grow("id3"),
    (
        GuideStep(
            "(color = blue, shape = square, +)",
            "A square is + if it is blue and − if it is red: the answer depends on both attributes together." + SAID,
            "004: Decision Boundaries",
            (
                Figure("share of + among blue squares", "1",
                       lambda o: _rule_holds(o, "+", color="blue", shape="square")),
                Figure("gain of color", "0.242", lambda o: o.gain("color"), place=TABLE_OF_OURS),
                Figure("gain of shape", "0.075", lambda o: o.gain("shape"), place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

TISSUE = Guide(
    "tissue", "Gleason grades: super-categories by twoing", "tissue", Grow("cart", (("score", "twoing"),)),
    (
        GuideStep(
            "Two groups of seven classes",
            "Twoing chooses the split and the two groups of classes at the same time: the three Gleason grades and PIN"
            " go one way, benign epithelium, stroma and atrophy the other. The coloured squares at a branch are the "
            "classes that it gathers. The numbers are invented.",
            "003: Supercategories in Prostate Cancer",
            (
                Figure("classes that stand together: the four malignant ones", "4", _super, place=TABLE_OF_OURS),
                Figure("twoing of the best split", "0.238", lambda o: o.found.ranked[0].score, place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

FRUITS = (FRUIT, TEETH, SHAPES, TISSUE)
