"""What the curves of bias and variance say, in a sentence, a table and the formula behind them."""

from collections.abc import Callable

from treecore.experiments.bias_variance import ManyTrees
from treecore.experiments.decompose import DOMINGOS, KOHAVI, SQUARED
from treecore.explaining.lines import Formula, Grid, Line, Words
from treecore.figures import brief, percent

FORMULAS = {
    SQUARED: r"E(y-\hat y)^2=(\bar y-f)^2+E(\hat y-\bar y)^2+\sigma^2",
    DOMINGOS: r"E[\hat y\neq y]=B+c_2V+c_1N",
    KOHAVI: r"E[\hat y\neq y]=\tfrac12\textstyle\sum(p-\hat p)^2+\tfrac12(1-\sum\hat p^2)+\tfrac12(1-\sum p^2)",
}
MEANINGS = {
    SQUARED: "f is the mean of the target, ȳ the mean answer of the trees, σ² the noise.",
    DOMINGOS: "B: is the trees' most frequent answer wrong? V: how often another is given; where B is 1 that may be "
    "right, so c₂ is negative there.",
    KOHAVI: "p: chance of each class, p̂: share of the trees that say it.",
}


def bias_lines(found: ManyTrees, definition: str) -> list[Line]:
    """The size of least error, what it is made of beside a smaller and the largest one, and the formula."""
    parts, sizes = found.parts(definition), found.sizes.tolist()
    told = percent if found.task == "classification" else brief
    best = min(range(len(parts)), key=lambda i: parts[i].error)
    least, last = parts[best], parts[-1]
    said = f"Least error of new rows with {_leaves(sizes[best])}: {told(least.error)}"
    rest = (
        f", of which {told(least.variance)} is variance. With up to {_leaves(sizes[-1])}: {told(last.error)}, of which "
        f"{told(last.variance)} is variance."
    )
    unknown = "" if found.is_known else " The target is taken for the truth, so noise is counted as bias."
    rows = tuple(
        (str(n), told(p.error), told(p.bias), told(p.variance), told(p.noise))
        for n, p in zip(sizes, parts, strict=True)
    )
    grid = Grid(("leaves", "error", "bias", "variance", "noise"), rows)
    return [
        Words(overfitting_told(found)),
        Words(said + rest + unknown),
        grid,
        Formula(FORMULAS[definition]),
        Words(MEANINGS[definition]),
    ]


def overfitting_told(found: ManyTrees) -> str:
    """From which size on the trees fit their rows ever better and new rows ever worse."""
    told = percent if found.task == "classification" else brief
    train, new, sizes = found.train.mean(axis=1), found.errors.mean(axis=1), found.sizes.tolist()
    best = int(new.argmin())
    if best == len(sizes) - 1:
        return f"Up to {_leaves(sizes[-1])} there is no over-fitting: new rows gain from every leaf."
    first = "At once" if best == 0 else f"Beyond {_leaves(sizes[best])}"
    own = f"error on their own rows {_from_to(train[best], train[-1], told)}"
    return f"{first} the trees over-fit: {own}, of new rows {_from_to(new[best], new[-1], told)}."


def _from_to(first: float, last: float, told: Callable[[float], str]) -> str:
    return f"from {told(float(first))} to {told(float(last))}"


def _leaves(n: int) -> str:
    return "one leaf" if n == 1 else f"{n:,} leaves"
