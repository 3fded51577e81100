"""The trap museum: what breaks a method, in numbers, and what helps."""

import numpy as np

from treecore.detectors import findings
from treecore.fit import grow
from treecore.growing.inspect.candidates import candidates
from treecore.recipe import Grow
from treecore.teach.guide import TABLE_OF_OURS, Figure, Guide, GuideStep, OpenExample


def _number(what: str, shown: str, ours) -> Figure:
    return Figure(what, shown, ours, place=TABLE_OF_OURS)


def _gain(feature: str, shown: str) -> Figure:
    return _number(f"gain of {feature}", shown, lambda o: o.gain(feature))


def _ratio(feature: str, shown: str) -> Figure:
    return _number(f"gain ratio of {feature}", shown, lambda o: o.split(feature).score)


def _leaves(shown: str) -> Figure:
    return _number("leaves", shown, lambda o: float(o.tree.n_leaves))


def _error(shown: str) -> Figure:
    return _number("share of training rows answered wrongly", shown, lambda o: o.error)


def _spoken_for(detector: str, shown: str) -> Figure:
    def number(o: OpenExample) -> float:
        return next(f.number for f in findings(o.table) if f.detector == detector)

    return _number("what the detector counts", shown, number)


def _without_last(feature: str):
    """The gain of a feature at the root of the tree without the last row."""

    def gain(o: OpenExample) -> float:
        rows = o.table.take(np.arange(o.table.n_rows - 1))
        tree = grow(rows, "cart")
        return next(c.gain for c in candidates(tree, 0, rows).per_feature() if c.feature == feature)

    return gain


def _share_of_hits(o: OpenExample, label: str) -> float:
    """The share of a class's rows that the tree finds."""
    there = o.table.target_column.labels() == label
    return float((o.tree.predict(o.table)[there] == label).mean())


def _share_missing(o: OpenExample, label: str) -> float:
    there = o.table.target_column.labels() == label
    return float(o.table.column("income").missing[there].mean())


def _trap(name: str, label: str, preset: str, *steps: GuideStep) -> Guide:
    return Guide(f"trap_{name}", f"Trap: {label}", f"trap_{name}", Grow(preset), steps)


TRAP_GUIDES = (
    _trap(
        "identifier", "an identifier", "id3",
        GuideStep("ID3 asks for the ticket",
             "Every ticket gets a branch of its own: no error on these rows, and nothing learned for new ones.", "",
             (_gain("ticket", "0.991"), _gain("weather", "0.357"), _spoken_for("identifier", "0.944"))),
        GuideStep("The ratio asks for the weather",
             "The gain ratio divides by the entropy of the branch sizes, and the ticket falls behind. C4.5 compares "
             "only attributes whose gain is at least average, though, and the ticket raises the average above the gain"
             " of the weather: C4.5 still falls into the trap.", "",
             (_ratio("ticket", "0.244"), _ratio("weather", "0.357")),
             grow=Grow("id3", (("score", "gain_ratio"),))),
    ),
    _trap(
        "leak", "a leak", "cart",
        GuideStep("One question answers all",
             "Too good to be true: the fee is only charged to those who have failed already, so it gives the answer"
             " away. Leave the column out on Data.", "", (_spoken_for("leak", "1"), _leaves("2"), _error("0"))),
    ),
    _trap(
        "duplicate", "a column twice", "cart",
        GuideStep("Two columns, one gain",
             "Two columns say the same. The rule for ties takes the first one, so which of them looks important is "
             "a matter of chance.", "", (_gain("height_cm", "0.346"), _gain("height_in", "0.346"))),
    ),
    _trap(
        "noisy_class", "wrong labels", "cart",
        GuideStep("Every wrong label has its leaf",
             "The unpruned tree is right on all 300 rows, but it has only memorised the noise.", "",
             (_leaves("88"), _error("0"))),
        GuideStep("Two leaves are the truth",
             "A single split is right: x < 0.5. One label in five is noise and stays wrong.", "",
             (_leaves("2"), _number("threshold of x", "0.4995", lambda o: o.split("x").threshold)),
             grow=Grow("cart", (("max_depth", 1),))),
    ),
    _trap(
        "rare_class", "a rare class", "cart",
        GuideStep("Always no is nearly always right",
             "The tree has one split and still predicts no everywhere: it finds no fraud at all.", "",
             (_number("share of no", "0.972", lambda o: float(o.tree.proba[0].max())),
              _number("share of frauds found", "0", lambda o: _share_of_hits(o, "yes"))),
             grow=Grow("cart", (("max_depth", 1),))),
        GuideStep("Let both classes weigh the same",
             "With equal prior probabilities the tree finds frauds, at the price of false alarms.", "",
             (_number("share of frauds found", "0.75", lambda o: _share_of_hits(o, "yes")),),
             grow=Grow("cart", (("max_depth", 1), ("priors", (0.5, 0.5))))),
    ),
    _trap(
        "many_levels", "many levels", "id3",
        GuideStep("Forty shops gain more than the season",
             "With forty levels many small branches are pure by chance alone.", "",
             (_gain("shop", "0.286"), _gain("season", "0.180"))),
        GuideStep("Against the number of branches", "The gain ratio sees through it.", "",
             (_ratio("shop", "0.057"), _ratio("season", "0.180")), grow=Grow("id3", (("score", "gain_ratio"),))),
    ),
    _trap(
        "not_at_random", "not missing at random", "cart",
        GuideStep("What is missing tells more than what is there", "Who fails does not tell his income.", "",
             (_number("missing incomes where failed = yes", "0.72", lambda o: _share_missing(o, "yes")),
              _number("missing incomes where failed = no", "0.05", lambda o: _share_missing(o, "no")),
              _gain("income", "0.002"))),
        GuideStep("Missing as a value of its own",
             "Filling the gaps in would hide this. Treated as a value of its own, “missing” is the best split.", "",
             (_gain("income", "0.204"),), grow=Grow("cart", (("missing", "own_value"),))),
    ),
    _trap(
        "two_equal", "two equal splits", "cart",
        GuideStep("A rule decides",
             "Both columns gain the same, and the first one is taken. With the columns in another order the tree is"
             " a different one.", "",
             (_gain("left", "0.32"), _gain("right", "0.32"))),
    ),
    Guide(
        "trap_xor", "Trap: XOR", "xor", Grow("id3"),
        (GuideStep("Neither column alone", "Every gain is 0. A greedy method sees no reason to split, and stops.", "",
              (_gain("X1", "0"), _gain("X2", "0"), _error("0.5"))),
         GuideStep("One step farther",
              "Splitting although the gain is 0 finds all four answers. No impurity measure would have shown the "
              "way.", "",
              (_error("0"), _leaves("4")), grow=Grow("id3", (("zero_gain", "split"),)))),
    ),
    Guide(
        "trap_oblique", "Trap: a slanted border", "oblique", Grow("cart"),
        (GuideStep("A staircase",
              "One slanted line separates the classes. Splits on one column at a time imitate it by a staircase, "
              "and every stair needs enough rows.", "", (_leaves("13"), _error("0"))),
         GuideStep("Few steps are not enough",
              "With two splits in a row one row in twelve is still on the wrong side.", "",
              (_leaves("4"), _error("0.083")), grow=Grow("cart", (("max_depth", 2),)))),
    ),
    _trap(
        "horizon", "the horizon", "cart",
        GuideStep("Nothing to be gained by one question",
             "CART stops at the root and is wrong on half of the board.", "",
             (_gain("x", "0"), _gain("y", "0"), _error("0.5"))),
        GuideStep("Grow on, then prune",
             "If the tree may split although the best gain is 0, the next splits separate the board completely.", "",
             (_error("0"),), grow=Grow("cart", (("zero_gain", "split"),))),
    ),
    _trap(
        "unstable_root", "an unstable root", "cart",
        GuideStep("One row more or less",
             "With all 31 rows the tree asks for a first. Without the last row both gain the same, and it asks for "
             "b.", "",
             (_gain("a", "0.280"), _gain("b", "0.239"),
              _number("gain of a without the last row", "0.274", _without_last("a")),
              _number("gain of b without the last row", "0.274", _without_last("b")))),
    ),
)  # fmt: skip
