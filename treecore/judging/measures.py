"""In what answers and trees are judged: one registry of measures, each a number of rows and the answers to them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, nan, sqrt

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.judging.answers import Answers, answers_of
from treecore.judging.losses import OF_CLASSES, OF_NUMBERS, OWN
from treecore.judging.ranking import Ranking, ranking_of
from treecore.judging.uplift import effect_at_the_top, qini_curve
from treecore.registry import Registry
from treecore.target import Target
from treecore.target.counts import counts_deviance
from treecore.target.rounding import distances
from treecore.tree.tree import Tree

TENTH = 0.1
LEAST_SHARE = float(np.finfo(float).eps)
"""The logarithmic loss takes no share for smaller, where shares are given that no tree has smoothed."""


@dataclass(frozen=True)
class Measure:
    """An entry of the registry.

    of : the measure of some answers, NaN where it has no meaning for them. formula : in LaTeX. task : of its target.
    higher : is more better? two : only for two classes. loss : only for trees that were grown by this loss of single
    rows (criteria.row_losses), "" for any. percent : is it a share that people read in per cent? most : that it can be
    where more is better.
    """

    name: str
    label: str
    task: str
    formula: str
    source: str
    of: Callable[[Answers], float]
    higher: bool = True
    two: bool = False
    loss: str = ""
    percent: bool = False
    most: float = 1.0

    @property
    def best(self) -> float:
        """What it is where every answer is right: no curve goes beyond it."""
        return self.most if self.higher else 0.0

    def fits(self, target: Target) -> bool:
        """Has it a meaning for this kind of target?"""
        if self.loss:
            return target.row_loss is not None and target.row_loss.measure == self.name
        return self.task == target.task and (not self.two or len(target.classes) == 2)

    def __call__(self, answers: Answers) -> float:
        """TreecoreError for answers of the other task, or of more than two classes where it needs two."""
        if not self.fits(answers.target):
            fitting = [m.label for m in measures_for(answers.target)]
            what = "two classes" if self.two else HELD[self.task]
            of_tree = self.loss and answers.task == self.task
            what = f"a tree that was grown by {self.loss}" if of_tree else f"a target of {what}"
            remedy = "Choose one of: " + ", ".join(fitting)
            raise TreecoreError(f"{self.label} is for {what}", where="measure", remedy=remedy)
        return float(self.of(answers)) if answers.weight.sum() > 0 else nan


def measures_for(target: Target) -> list[Measure]:
    """Those with a meaning for this kind of target."""
    return [m for m in MEASURES.values() if m.fits(target)]


def measured(tree: Tree, table: Table, name: str, interest: str | None = None) -> float:
    """A measure of a tree's answers to the rows of a table. interest : the class of interest, by itself the rarer."""
    answers = answers_of(tree, table)
    return MEASURES[name](answers if interest is None else replace(answers, interest=interest))


def recall_of(classes: tuple[str, ...], name: str, called: str = "") -> Measure:
    """How many of the rows of one class are found. classes : of the target; name : one of them; called : in texts, ""
    for its value."""
    k = classes.index(name)
    of = lambda answers: float(by_class(answers).recall[k])  # noqa: E731
    formula = r"\tfrac{TP}{TP+FN}"
    return Measure("recall of a class", f"Recall of {called or name}", "classification", formula, "", of, percent=True)


@dataclass(frozen=True, eq=False, repr=False)
class ByClass(Brief):
    """Measures of each class, float64 (n_classes,) each; NaN where nothing is to be divided by.

    precision : TP / (TP + FP). recall : TP / (TP + FN). f1 : 2 TP / (2 TP + FP + FN). weight : of its rows.
    """

    classes: tuple[str, ...]
    precision: np.ndarray
    recall: np.ndarray
    f1: np.ndarray
    weight: np.ndarray


def by_class(answers: Answers) -> ByClass:
    """Precision, recall and F1 of every class. Source: van Rijsbergen (1979)."""
    counts = answers.confusion.counts
    hit, true, predicted = np.diagonal(counts), counts.sum(axis=1), counts.sum(axis=0)[:-1]
    with np.errstate(invalid="ignore"):
        return ByClass(answers.classes, hit / predicted, hit / true, 2 * hit / (true + predicted), true)


def _of_classes(answers: Answers, name: str) -> float:
    """The mean over the classes that occur or are answered; one that is never answered has precision 0."""
    measures = by_class(answers)
    met = ~np.isnan(measures.f1)
    return np.nan_to_num(getattr(measures, name)[met]).mean()


def _balanced(answers: Answers) -> float:
    return np.nanmean(by_class(answers).recall)


def _matthews(answers: Answers) -> float:
    counts = answers.confusion.counts
    true, predicted, n = np.append(counts.sum(axis=1), 0.0), counts.sum(axis=0), counts.sum()
    below = (n * n - true @ true) * (n * n - predicted @ predicted)
    return (np.trace(counts) * n - true @ predicted) / sqrt(below) if below > 0 else 0.0


def _kappa(answers: Answers) -> float:
    counts = answers.confusion.counts
    n = counts.sum()
    chance = float(counts.sum(axis=1) @ counts.sum(axis=0)[:-1]) / n**2
    return (np.trace(counts) / n - chance) / (1 - chance) if chance < 1 else nan


def _log_loss(answers: Answers) -> float:
    shares = answers.shares if answers.smoothed is None else answers.smoothed
    assert shares is not None
    share = shares[np.arange(len(answers)), answers.truth]
    return np.average(-np.log(np.clip(np.nan_to_num(share), LEAST_SHARE, 1)), weights=answers.weight)


def _brier(answers: Answers) -> float:
    assert answers.shares is not None
    off = np.nan_to_num(answers.shares) - np.eye(len(answers.classes))[answers.truth]
    return np.average((off**2).sum(axis=1), weights=answers.weight)


def _of_interest(answers: Answers) -> Ranking:
    return ranking_of(answers, answers.interest)


def _of_order(answers: Answers, name: str) -> float:
    """Of two classes that of interest; of more the mean over the classes that occur, each against all others."""
    if len(answers.classes) == 2:
        return getattr(_of_interest(answers), name)
    values = [getattr(ranking_of(answers, c), name) for c in answers.classes]
    met = by_class(answers).weight > 0
    return float(np.mean(np.array(values)[met])) if met.any() else nan


def _squared(answers: Answers) -> float:
    return np.average(distances(answers.truth, answers.said) ** 2, weights=answers.weight)


def _absolute(answers: Answers) -> float:
    return np.average(distances(answers.truth, answers.said), weights=answers.weight)


def _row_loss(answers: Answers) -> float:
    assert answers.row_loss is not None
    return np.average(answers.row_loss.of(answers.truth - answers.said), weights=answers.weight)


def _r2(answers: Answers) -> float:
    mean = np.average(answers.truth, weights=answers.weight)
    spread = np.average(distances(answers.truth, mean) ** 2, weights=answers.weight)
    return 1 - _squared(answers) / spread if spread > 0 else nan


def _deviance(answers: Answers) -> float:
    return np.average(counts_deviance(answers.truth, answers.said * answers.exposure), weights=answers.weight)


def _explained(answers: Answers) -> float:
    events, exposure = answers.weight @ answers.truth, answers.weight @ answers.exposure
    least = np.average(counts_deviance(answers.truth, events / exposure * answers.exposure), weights=answers.weight)
    return 1 - _deviance(answers) / least if least > 0 else nan


def _qini(answers: Answers) -> float:
    curve = qini_curve(answers)
    return nan if curve is None else curve.coefficient


def _transformed(answers: Answers) -> float:
    return np.average(answers.target.answer_losses(answers.targets, answers.said), weights=answers.weight)


CLASSES, NUMBERS, COUNTS, EFFECTS = "classification", "regression", "counts", "effects"
HELD = {CLASSES: "classes", NUMBERS: "numbers", COUNTS: "counts", EFFECTS: "effects of a treatment"}
MEASURES: Registry[Measure] = Registry(
    "measure",
    Measure("accuracy", "Accuracy", CLASSES, r"\tfrac{\text{right}}{n}", "", lambda a: 1 - a.confusion.error_rate,
            percent=True),
    Measure("balanced_accuracy", "Balanced accuracy", CLASSES, r"\tfrac1K\sum_k\text{recall}_k",
            "Brodersen et al. (2010)", _balanced, percent=True),
    Measure("precision", "Precision, mean of classes", CLASSES, r"\tfrac1K\sum_k\tfrac{TP_k}{TP_k+FP_k}", "",
            lambda a: _of_classes(a, "precision"), percent=True),
    Measure("recall", "Recall, mean of classes", CLASSES, r"\tfrac1K\sum_k\tfrac{TP_k}{TP_k+FN_k}", "",
            lambda a: _of_classes(a, "recall"), percent=True),
    Measure("f1", "F1, mean of classes", CLASSES, r"\tfrac1K\sum_k\tfrac{2TP_k}{2TP_k+FP_k+FN_k}",
            "van Rijsbergen (1979)", lambda a: _of_classes(a, "f1")),
    Measure("mcc", "Matthews correlation", CLASSES,
            r"\tfrac{n\sum_k c_{kk}-\sum_k t_k s_k}{\sqrt{(n^2-\sum t_k^2)(n^2-\sum s_k^2)}}",
            "Matthews (1975), Gorodkin (2004)", _matthews),
    Measure("kappa", "Cohen's kappa", CLASSES, r"\tfrac{p_o-p_e}{1-p_e}", "Cohen (1960)", _kappa),
    Measure("log_loss", "Logarithmic loss", CLASSES, r"-\tfrac1n\sum_i\ln p_i(\text{true})", "Good (1952)", _log_loss,
            higher=False),
    Measure("brier", "Brier score", CLASSES, r"\tfrac1n\sum_i\sum_k(p_{ik}-y_{ik})^2", "Brier (1950)", _brier,
            higher=False),
    Measure("cost", "Mean cost", CLASSES, r"\tfrac1n\sum_{ij}n_{ij}L_{ij}", "Breiman et al. (1984)",
            lambda a: a.confusion.mean_cost, higher=False),
    Measure("profit", "Mean profit", CLASSES, r"\tfrac1n\sum_{ij}n_{ij}G_{ij}", "Elkan (2001)",
            lambda a: 0.0 - a.confusion.mean_cost, most=inf),
    Measure("auc", "Area under ROC", CLASSES, r"P(s_+>s_-)+\tfrac12P(s_+=s_-)", "Hanley and McNeil (1982)",
            lambda a: _of_order(a, "area")),
    Measure("average_precision", "Average precision", CLASSES, r"\sum_i(R_i-R_{i-1})P_i", "Buckland and Gey (1994)",
            lambda a: _of_order(a, "average_precision")),
    Measure("captured", "Captured in the first tenth", CLASSES, r"\tfrac{\text{hits in the first }n/10}{n_+}", "",
            lambda a: _of_interest(a).captured(TENTH), two=True, percent=True),
    Measure("mse", "Mean squared error", NUMBERS, r"\tfrac1n\sum_i(y_i-\hat y_i)^2", "", _squared, higher=False),
    Measure("rmse", "Root mean squared error", NUMBERS, r"\sqrt{\text{MSE}}", "", lambda a: sqrt(_squared(a)),
            higher=False),
    Measure("mae", "Mean absolute error", NUMBERS, r"\tfrac1n\sum_i|y_i-\hat y_i|", "", _absolute, higher=False),
    Measure("pinball", "Mean pinball loss", NUMBERS,
            r"\tfrac1n\sum_i\tau\,(y_i-\hat y_i)_++(1-\tau)\,(\hat y_i-y_i)_+", "Koenker & Bassett (1978)", _row_loss,
            higher=False, loss="the pinball loss of a quantile"),
    Measure("huber", "Mean Huber loss", NUMBERS, r"\tfrac1n\sum_i\rho_\delta(y_i-\hat y_i)", "Huber (1964)", _row_loss,
            higher=False, loss="Huber loss"),
    Measure("r2", "R²", NUMBERS, r"1-\tfrac{\text{MSE}}{\text{variance}}", "", _r2),
    Measure("deviance", "Mean deviance", COUNTS, r"\tfrac2n\sum_i y_i\ln\tfrac{y_i}{r_ie_i}-(y_i-r_ie_i)",
            "McCullagh & Nelder (1989)", _deviance, higher=False, most=inf),
    Measure("explained", "Deviance explained", COUNTS, r"1-\tfrac{\text{deviance}}{\text{deviance of one answer}}",
            "McCullagh & Nelder (1989)", _explained),
    Measure("qini", "Qini coefficient", EFFECTS, r"\int_0^1 q(\varphi)-\varphi\,q(1)\,d\varphi", "Radcliffe (2007)",
            _qini, most=inf),
    Measure("top_effect", "Effect in the top tenth", EFFECTS, r"\bar y_1-\bar y_0\text{ in the first }n/10", "",
            lambda a: effect_at_the_top(a, TENTH), most=inf),
    Measure("transformed", "Mean squared error from the transformed outcome", EFFECTS,
            r"\tfrac1n\sum_i\big(y^*_i-\hat\tau_i\big)^2", "Athey and Imbens (2016)", _transformed, higher=False),
)  # fmt: skip

# by what sizes are chosen and nodes are compared

MEASURED = (
    (OWN, "the error, or what answers cost or earn"), ("log_loss", "log loss of the class shares"),
    ("brier", "Brier score of the class shares"), ("auc", "area under ROC"),
    ("average_precision", "average precision"), ("captured", "captured in the first tenth"), ("profit", "profit"),
    ("mae", "absolute error of numbers"), ("roots", "distance of the roots of counts"),
)  # fmt: skip
"""By what a size may be chosen; those that add up over rows compare single nodes, too."""
NAMES = {
    OWN: "error", "log_loss": "log loss", "brier": "Brier score", "auc": "area under ROC",
    "average_precision": "average precision", "captured": "share captured in the first tenth", "profit": "profit",
    "mae": "absolute error", "roots": "squared distance of roots",
}  # fmt: skip
LOSS_NAMES = NAMES | {
    "auc": "1 − area under ROC", "average_precision": "1 − average precision", "captured": "1 − share captured",
    "profit": "mean profit", "mae": "mean absolute error",
}  # fmt: skip
"""Of curves, on which less is better."""
ADDITIVE = tuple((name, label) for name, label in MEASURED if name in OF_CLASSES or name in OF_NUMBERS)
"""Those by which single nodes are compared."""
OF_ORDER = {"auc": "area", "average_precision": "average_precision", "captured": "captured"}
"""Measures of the order of all rows, which no sum over rows gives."""


def own_measure(measure: str, tree: Tree) -> str:
    """The measure that OWN stands for: "profit" where the tree's answers earn something."""
    return "profit" if measure == OWN and tree.earns else measure


def loss_of(value: np.ndarray, measure: str) -> np.ndarray:
    """A measure as a loss, of which less is better, and a loss as the measure that it is of."""
    if measure == "profit":
        return 0.0 - value
    return 1.0 - value if measure in OF_ORDER else value


def serves(measure: str, target: Target) -> bool:
    """Has a measure of MEASURED a meaning for this kind of target?"""
    if measure in OF_ORDER:
        return len(target.classes) == 2 or (len(target.classes) > 2 and measure != "captured")
    return target.has_loss(measure)


def registered_name(measure: str, tree: Tree) -> str:
    """The name in MEASURES of what a name in MEASURED stands for with this tree."""
    return tree.target_kind.own_measure(tree) if measure == OWN else measure


def short_name(measure: Measure) -> str:
    """Its label within a sentence or before a role: "area under ROC", "R²"."""
    first = measure.label.split()[0]
    named = first in ("F1,", "R²", "Matthews", "Cohen's")
    return measure.label if named else first.lower() + measure.label[len(first) :]
