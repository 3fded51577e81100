"""[003] and [004]: trees over words: fruit, teeth, colours and shapes, tissues in super-categories."""

import numpy as np

from treecore.growing.search.split_worth import superclass
from treecore.lectures.guide import TABLE_OF_OURS, Figure, Guide, Step
from treecore.lectures.opened import Opened
from treecore.recipe import Grow

SAID = " The table is ours, the notes print only the drawing."
MALIGNANT = {"Gleason 3", "Gleason 4", "Gleason 5", "PIN"}


def _apart(o: Opened, here: np.ndarray, label: str) -> float:
    """How many rows are in one of the two sets alone: those chosen, and those of a class."""
    return float((here != (o.table.target_column.labels() == label)).sum())


def _rule_holds(o: Opened, label: str, **cells: str) -> float:
    """The share of the rows with these cells that have the class."""
    here = o.rows_where(**cells)
    return float((o.table.target_column.labels()[here] == label).mean())


def _super(o: Opened) -> float:
    """How many of the four malignant classes stand together, and no other."""
    inside = superclass(o.found.ranked[0].stats)
    together = {name for name, is_in in zip(o.table.classes, inside, strict=True) if is_in}
    other = set(o.table.classes) - together
    return float(len(MALIGNANT)) if MALIGNANT in (together, other) else 0.0


FRUIT = Guide(
    "fruit", "Fruit: paths as rules", "fruit", Grow("id3"),
    (
        Step(
            "Color first",
            "Each branch goes on with its own question: size for green and red fruit, shape for yellow." + SAID,
            "003: Decision Tree Example",
            (
                Figure("gain of color", "1.158", lambda o: o.gain("color"), place=TABLE_OF_OURS),
                Figure("gain of size", "1.150", lambda o: o.gain("size"), place=TABLE_OF_OURS),
            ),
        ),
        Step(
            "A banana is (yellow AND thin)",
            "Of x = {sweet, yellow, thin, medium} the tree asks for only two values before it reaches a leaf.",
            "003: Decision Tree Example and Terminology",
            (Figure("share of bananas among yellow and thin", "1",
                    lambda o: _rule_holds(o, "banana", color="yellow", shape="thin")),),
            node=("color = yellow", "shape = thin"),
        ),
        Step(
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
        Step(
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
        Step(
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
        Step(
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
        Step(
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
