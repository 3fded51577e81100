"""[000] and [001] on thresholds of numbers, [002] on bins, [004] on roles and folds."""

from functools import lru_cache

import numpy as np

from treecore.cross_validation import make_folds
from treecore.data.roles import Roles
from treecore.data.samples import SALARY_EDGES
from treecore.fit import grow
from treecore.recipe import Grow
from treecore.study.score_tests import PairedT, paired_t, summary
from treecore.teach.example_counts import n_partitions
from treecore.teach.guide import TABLE_OF_OURS, Figure, Guide, GuideStep, OpenExample, open_example

BINS = Grow("id3", (("edges", {"salary": SALARY_EDGES}),))
PLACE_OF_BINS = "002: Splitting Continuous Attributes, Multi-Way Split"


def _number(what: str, shown: str, ours) -> Figure:
    return Figure(what, shown, ours, place=TABLE_OF_OURS)


def _edge(i: int) -> float:
    """In thousands, as the tree has it."""
    return lambda o: o.tree.schema.features[0].cuts[i] / 1000


SALARY = Guide(
    "salary", "Salary in five bins", "salary", BINS,
    (
        GuideStep(
            "One branch for each bin",
            "The notes print < 10k, 10k - 30k, 30k - 50k, 50k - 80k and > 80k, so 80k itself belongs nowhere. Here "
            "each bin includes its lower edge: 80k is in the last one. On Data you can type or drag the edges, under "
            "the histogram of salary. The table is ours.",
            PLACE_OF_BINS,
            (
                *(Figure(f"edge {i + 1}, in thousands", printed, _edge(i))
                  for i, printed in enumerate(("10", "30", "50", "80"))),
                _number("branches", "5", lambda o: float(len(o.tree.schema.features[0].cuts) + 1)),
                _number("gain of salary in bins", "0.564", lambda o: o.gain("salary")),
                _number("gain of home", "0.245", lambda o: o.gain("home")),
            ),
        ),
        GuideStep(
            "Cut in two instead",
            "The best single threshold gains less than five bins at once; the tree splits the two halves again further"
            " down.",
            "002: Splitting Continuous Attributes, Binary Split",
            (
                _number("gain of the best threshold of salary", "0.470", lambda o: o.gain("salary")),
                _number("that threshold", "17000", lambda o: o.split("salary").threshold),
            ),
            grow=Grow("id3"),
        ),
        GuideStep(
            "Four values in two groups",
            "k values have 2^(k−1) − 1 binary splits. The notes draw two of the seven: v1 against the others, and v1 "
            "or v2 against v3 or v4.",
            "002: Nominal",
            (_number("groupings of four values", "7", lambda o: float(n_partitions(4))),),
            grow=Grow("id3"),
        ),
    ),
)  # fmt: skip


def _here(o: OpenExample, *below: tuple[str, float], maker: str = "") -> np.ndarray:
    """bool (n_rows,): rows with values below these, of this origin."""
    here = np.ones(o.table.n_rows, bool)
    for name, bound in below:
        column = o.table.column(name)
        values = column.values() if column.kind == "numeric" else column.labels().astype(float)
        here &= values < bound
    return here & (o.table.column("origin").labels() == maker) if maker else here


def _mean(o: OpenExample, here: np.ndarray) -> float:
    return float(o.table.target_column.values()[here].mean())


def _sum(o: OpenExample) -> np.ndarray:
    """float64 (n_rows,): what the slanted cut asks, NaN of a car whose horsepower is not known."""
    return 20 * o.table.column("cylinders").labels().astype(float) + o.table.column("horsepower").values()


def _explained_by_slanted(o: OpenExample) -> float:
    """Share of the squared error that two means explain, of the cars on either side of the cut."""
    asked = _sum(o)
    known = ~np.isnan(asked)
    y, below = o.table.target_column.values()[known], asked[known] < 180
    left = sum(float(((y[part] - y[part].mean()) ** 2).sum()) for part in (below, ~below))
    return 1 - left / float(((y - y.mean()) ** 2).sum())


def _explained_by_upright(o: OpenExample) -> float:
    """The same of the best cut of a single feature on the same cars."""
    tree = grow(o.table.take(np.flatnonzero(~np.isnan(_sum(o)))), "cart", max_depth=1)
    return float(tree.gain[0] / tree.impurity[0])


MILES = Guide(
    "miles", "Rules of the cars, on numbers", "mpg", Grow("cart", (("max_depth", 1),)),
    (
        GuideStep(
            "IF cylinders < 5 AND horsepower < 94 AND maker = asia",
            "The rules come from a tree and a table that the notes do not print. Applied to the 398 cars of our table,"
            " the first rule finds economical cars: compare their mean mileage with that of all cars.",
            "001: 10 Rules extraction",
            (
                _number("cars of the rule", "56", lambda o: float(_first_rule(o).sum())),
                _number("mean mpg of the rule", "32.9", lambda o: _mean(o, _first_rule(o))),
                _number("mean mpg of all", "23.5", lambda o: _mean(o, _here(o))),
            ),
        ),
        GuideStep(
            "IF cylinders >= 5 AND acceleration < 19",
            "The second rule predicts bad, and the cars it covers do have a lower mileage.",
            "001: 10 Rules extraction",
            (
                _number("cars of the rule", "176", lambda o: float(_second_rule(o).sum())),
                _number("mean mpg of the rule", "17.1", lambda o: _mean(o, _second_rule(o))),
            ),
        ),
        GuideStep(
            "cylinders * 20 + horsepower < 180",
            "Compared by the share of the squared error that it explains (392 cars whose horsepower is known), the "
            "slanted split on two columns is hardly better than the best split on one column.",
            "001: 11 Multivariate tree",
            (
                _number("cars below 180", "194", lambda o: float((_sum(o) < 180).sum())),
                _number("explained by the slanted cut", "0.5804", _explained_by_slanted),
                _number("explained by the best upright cut", "0.5803", _explained_by_upright),
            ),
        ),
    ),
)  # fmt: skip


def _first_rule(o: OpenExample) -> np.ndarray:
    return _here(o, ("cylinders", 5), ("horsepower", 94), maker="japan")


def _second_rule(o: OpenExample) -> np.ndarray:
    return ~_here(o, ("cylinders", 5)) & _here(o, ("acceleration", 19))


def _share(role: str, **shares: float):
    """Per cent of the rows that a role gets."""

    def found(o: OpenExample) -> float:
        parts = dict(zip(("train", "validation", "test"), o.table.split(Roles(**shares)), strict=True))
        return 100 * parts[role].n_rows / o.table.n_rows

    return found


MUCH, LITTLE = {"train": 0.7, "validation": 0.1, "test": 0.2}, {"train": 0.9, "validation": 0.0, "test": 0.1}
TEN = 10


@lru_cache(maxsize=1)
def _accuracies() -> np.ndarray:
    """float64 (2, N): of CART and of CART with one split, on the same folds."""
    table = open_example("penguins", Grow("cart")).table
    folds = make_folds(table, TEN, 0, True)
    return np.array([[_accuracy(table, folds == k, depth) for k in range(TEN)] for depth in (None, 1)])


def _accuracy(table, judged: np.ndarray, depth: int | None) -> float:
    tree = grow(table.take(np.flatnonzero(~judged)), "cart", max_depth=depth)
    unseen = table.take(np.flatnonzero(judged))
    return float((tree.predict(unseen) == unseen.target_column.labels()).mean())


def _test() -> PairedT:
    return paired_t(*_accuracies()[::-1])


FOLDS = Guide(
    "n_fold", "Splitting the data, N folds, a t-test", "penguins", Grow("cart"),
    (
        GuideStep(
            "Three parts",
            "The notes use 70 to 90 % of the rows for training, and 10 to 20 % each for testing and development. On "
            "Data you can drag these shares.",
            "004: Experimental Machine Learning, Basics",
            (
                Figure("training at least, in per cent of the rows", "70", _share("train", **MUCH)),
                Figure("test at most", "20", _share("test", **MUCH)),
                Figure("development at least", "10", _share("validation", **MUCH)),
                Figure("training at most", "90", _share("train", **LITTLE)),
                Figure("test at least", "10", _share("test", **LITTLE)),
            ),
        ),
        GuideStep(
            "N equal parts",
            "Each of the ten parts is predicted by a tree grown on the other nine. The ten accuracies have a mean and "
            "a standard deviation.",
            "004: N-fold cross validation",
            (
                _number("mean accuracy of CART", "0.974", lambda o: summary(_accuracies()[0]).mean),
                _number("standard deviation", "0.025", lambda o: summary(_accuracies()[0]).sd),
                _number("mean accuracy of one split", "0.793", lambda o: summary(_accuracies()[1]).mean),
            ),
        ),
        GuideStep(
            "Is the difference real?",
            "For the ten differences t = √N · m / S, with N − 1 degrees of freedom. If t is outside the interval, H₀ "
            "is rejected. If it is inside, H₀ is not rejected; that does not prove it.",
            "004: Paired t-test; Rejecting H0",
            (
                Figure("significance value", "0.05", lambda o: _test().level),
                _number("degrees of freedom", "9", lambda o: float(_test().df)),
                _number("m, CART less one split", "0.180", lambda o: _test().mean),
                _number("t", "20.6", lambda o: _test().t),
                _number("H0 is rejected (1: yes)", "1", lambda o: float(_test().rejects)),
            ),
        ),
    ),
)  # fmt: skip

NUMBERS = (SALARY, MILES, FOLDS)
