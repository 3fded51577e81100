"""Impurities and split scores of small sets of rows, from their formulas in plain floats."""

import math
from dataclasses import dataclass

from scipy.stats import chi2

from tests.property.naive import Sample

SLACK = {"best": 0.0, "average_gain": 1e-10, "j48": 1e-3}
SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Part:
    """A row of the sample, or a share of it."""

    row: int
    share: float = 1.0


class World:
    """A sample under some settings: what its rows weigh and what their branches are worth."""

    def __init__(self, sample: Sample, growth):
        self.sample, self.growth = sample, growth
        self.criterion = growth.criterion or ("gini" if sample.n_classes else "squared_error")
        self.cases = [1.0 if sample.weights is None else float(w) for w in sample.weights or [1] * sample.n_rows]
        self.total = math.fsum(self.cases)
        self.classes = list(sample.target) if sample.n_classes else [0] * sample.n_rows
        self.factors = self._factors()
        self.weights = [c * self.factors[k] for c, k in zip(self.cases, self.classes, strict=True)]

    def _factors(self):
        """prior_j L_j. / sum_i prior_i L_i., over the share of class j; costs of cost_gini are in the impurity."""
        if not self.sample.n_classes:
            return [1.0]
        classes = range(self.sample.n_classes)
        share = [sum(c for c, j in zip(self.cases, self.classes, strict=True) if j == k) / self.total for k in classes]
        wanted = list(self.growth.priors or share)
        if self.growth.loss is not None and self.criterion != "cost_gini":
            wanted = [w * sum(row) for w, row in zip(wanted, self.growth.loss, strict=True)]
        return [w / sum(wanted) / s if s else 1.0 for w, s in zip(wanted, share, strict=True)]

    # sums over parts

    def weight(self, parts) -> float:
        """As splits are judged."""
        return math.fsum([self.weights[p.row] * p.share for p in parts])

    def case(self, parts) -> float:
        """As rows are counted."""
        return math.fsum(self.cases[p.row] * p.share for p in parts)

    def filled(self, parts) -> int:
        return sum(self.weights[p.row] > 0 for p in parts)

    def class_weights(self, parts, weights) -> list:
        found = [[] for _ in range(self.sample.n_classes)]
        for p in parts:
            found[self.classes[p.row]].append(weights[p.row] * p.share)
        return [math.fsum(f) for f in found]

    def mean(self, parts) -> float:
        """Mean target as splits are judged; mean class index for classes."""
        w = self.weight(parts)
        return math.fsum(self.weights[p.row] * p.share * self.sample.target[p.row] for p in parts) / w if w else 0.0

    # worth

    def impurity(self, parts) -> float:
        w = self.weight(parts)
        if w <= 0:
            return 0.0
        if self.criterion == "squared_error":
            m = self.mean(parts)
            return math.fsum(self.weights[p.row] * p.share * (self.sample.target[p.row] - m) ** 2 for p in parts) / w
        shares = [c / w for c in self.class_weights(parts, self.weights)]
        return IMPURITIES[self.criterion](shares, self.growth.loss)

    def decrease(self, parts, branches) -> float:
        """Impurity of the rows in the branches less that of the branches, times their share of the node."""
        known = [p for b in branches for p in b]
        w = self.weight(known)
        left = math.fsum(self.weight(b) * self.impurity(b) for b in branches) / w
        return (self.impurity(known) - left) * w / self.weight(parts)

    def split_information(self, parts, branches) -> float:
        """In bits; rows in no branch are one more."""
        total = self.weight(parts)
        sizes = [self.weight(b) for b in branches]
        missing = total - math.fsum(sizes)
        shares = [s / total for s in [*sizes, missing if missing > 1e-9 * total else 0.0]]
        return -math.fsum(s * math.log2(s) for s in shares if s > 0)

    def statistic(self, branches) -> tuple[float, int]:
        """(chi-square or G, degrees of freedom) of the table of branches by classes."""
        rows = [self.class_weights(b, self.weights) for b in branches]
        rows = [r for r in rows if sum(r) > 0]
        columns = [sum(c) for c in zip(*rows, strict=True)]
        total, value = sum(columns), 0.0
        for row in rows:
            for observed, column in zip(row, columns, strict=True):
                expected = sum(row) * column / total
                if self.growth.score == "chi_square" and expected > 0:
                    value += (observed - expected) ** 2 / expected
                if self.growth.score == "g_test" and observed > 0:
                    value += 2 * observed * math.log(observed / expected)
        return value, (len(rows) - 1) * (sum(c > 0 for c in columns) - 1)

    def twoing(self, parts, branches) -> float:
        """P_L P_R / 4 (sum |p_kL - p_kR|)^2, times the share of the node that is in the branches."""
        left, right = (self.class_weights(b, self.weights) for b in branches)
        n_left, n_right = sum(left), sum(right)
        apart = sum(abs(a / n_left - b / n_right) for a, b in zip(left, right, strict=True))
        share = (n_left + n_right) / self.weight(parts)
        return n_left * n_right / (n_left + n_right) ** 2 / 4 * apart**2 * share

    def worth(self, score, feature) -> float:
        cost = dict(self.growth.costs).get(f"x{feature}", 1.0)
        if self.growth.cost_form == "divide":
            return score / cost
        if self.growth.cost_form == "square":
            return math.copysign(score * score / cost, score)
        return (2**score - 1) / (cost + 1) ** self.growth.cost_power


def _entropy(shares, _loss):
    return max(-math.fsum(p * math.log2(p) for p in shares if p > 0), 0.0)


def _gini(shares, _loss):
    return math.fsum(p * (1 - p) for p in shares)


def _cost_gini(shares, loss):
    return math.fsum(loss[i][j] * p * q for i, p in enumerate(shares) for j, q in enumerate(shares))


IMPURITIES = {
    "entropy": _entropy,
    "entropy_nats": lambda shares, loss: _entropy(shares, loss) * math.log(2),
    "gini": _gini,
    "half_gini": lambda shares, loss: _gini(shares, loss) / 2,
    "two_class_variance": lambda shares, _loss: shares[0] * shares[1],
    "misclassification": lambda shares, _loss: 1 - max(shares),
    "cost_gini": _cost_gini,
}


def minus_log10_p(statistic: float, df: int) -> float:
    """0 for statistics that are rounding: of 1e-16, p is 1e-8 below 1."""
    return float(-chi2.logsf(statistic, df) / math.log(10)) if df > 0 and statistic > 1e-11 else 0.0
