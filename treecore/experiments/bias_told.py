"""What the curves of bias and variance say, in a sentence, a table and the formula behind them."""

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
    return [Words(said + rest + unknown), grid, Formula(FORMULAS[definition]), Words(MEANINGS[definition])]


def _leaves(n: int) -> str:
    return "one leaf" if n == 1 else f"{n:,} leaves"
