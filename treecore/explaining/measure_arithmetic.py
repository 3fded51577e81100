"""A measure of answers, opened to its arithmetic: its formula, and the formula with the numbers of these rows."""

from collections.abc import Callable

import numpy as np

from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import brief, count, percent, summed, tex, weight
from treecore.judging.answers import Answers
from treecore.judging.interest import class_of_interest
from treecore.judging.measures import LEAST_SHARE, MEASURES, NAMES, OF_ORDER, TENTH, by_class
from treecore.judging.ranking import Ranking, ranking_of
from treecore.judging.uplift import qini_curve
from treecore.pruning.validation import CrossValidated
from treecore.target.counts import counts_deviance
from treecore.target.rounding import distances
from treecore.tree.tree import Tree

MOST_ROWS = 12
"""Lines of a table that are listed one by one."""


def measure_lines(answers: Answers, name: str, tree: Tree | None = None) -> list[Line]:
    """What the measure is, and its value on these rows from the numbers that go into it.

    name : in MEASURES. tree : whose answers they are, for how its shares were smoothed. The last formula ends with the
    value. [] where the measure has none, as of no rows; TreecoreError where it has no meaning for the target.
    """
    measure = MEASURES[name]
    value = measure(answers)
    if not np.isfinite(value):
        return []
    source = f" ({measure.source})" if measure.source else ""
    lines: list[Line] = [Words(f"{measure.label}{source} on {len(answers):,} rows:"), Formula(measure.formula)]
    lines += _OPENED[name](answers, value)
    if name == "log_loss" and tree is not None:
        lines[2:2] = _smoothing(tree)
    return lines


def folds_lines(validated: CrossValidated, step: int) -> list[Line]:
    """What cross-validation says of one size: its value in every fold, and how these become one value and its error.

    The last formula is the standard error. Losses of single rows are pooled, so that every row counts once, whatever
    its fold; measures of the order of all rows are averaged over the folds.
    """
    values, mean, error = validated.per_fold[:, step], float(validated.mean[step]), float(validated.error[step])
    known = values[~np.isnan(values)]
    grid = Grid(("fold", NAMES[validated.measure]), tuple((str(i), brief(v)) for i, v in enumerate(values.tolist(), 1)))
    if validated.measure not in OF_ORDER:
        return [
            grid,
            Words("Every held-out row counts once; the standard error is that of a mean over rows (Breiman et al.)."),
            equation(r"\tfrac{1}{W}\sum_i w_i \ell_i", tex(mean)),
            equation(r"\text{SE}=\tfrac1W\sqrt{\sum_i w_i \ell_i^2-\tfrac1W(\sum_i w_i \ell_i)^2}", tex(error)),
        ]
    n = len(known)
    terms = [rf"\tfrac{{1}}{{{n}}}\big(", *summed(tex(float(v), 4) for v in known), r"\big)"]
    spread = float(known.std(ddof=1)) if n > 1 else float("nan")
    return [
        grid, equation(r"\text{mean}", terms, tex(mean)),
        equation(r"\text{SE}", rf"\frac{{{tex(spread)}}}{{\sqrt{{{n}}}}}", tex(error)),
    ]  # fmt: skip


def _total(answers: Answers) -> str:
    return weight(float(answers.weight.sum()))


def _accuracy(answers: Answers, value: float) -> list[Line]:
    hit = np.diagonal(answers.confusion.counts)
    return [
        Words("Rows that are answered rightly, class by class: " + _named(answers.classes, hit) + "."),
        equation(
            r"\text{accuracy}", rf"\frac{{{weight(float(hit.sum()))}}}{{{_total(answers)}}}", tex(value),
        ),
    ]  # fmt: skip


def _named(classes: tuple[str, ...], amounts: np.ndarray) -> str:
    texts = [f"“{name}” {count(amount, ',')}" for name, amount in zip(classes, amounts, strict=True)]
    more = [f"and {len(texts) - MOST_ROWS} more"] if len(texts) > MOST_ROWS else []
    return ", ".join(texts[:MOST_ROWS] + more)


def _mean_of_classes(of: str, symbol: str) -> Callable[[Answers, float], list[Line]]:
    """The mean over the classes of what by_class has under this name."""

    def lines(answers: Answers, value: float) -> list[Line]:
        counts, measures = answers.confusion.counts, by_class(answers)
        hit, true, predicted = np.diagonal(counts), counts.sum(axis=1), counts.sum(axis=0)[:-1]
        above = 2 * hit if of == "f1" else hit
        below = {"recall": true, "precision": predicted, "f1": true + predicted}[of]
        met = true > 0 if symbol == "balanced" else ~np.isnan(measures.f1)
        rows = tuple(
            (name, count(h, ","), count(t, ","), count(s, ","), brief(a / b) if b > 0 else "0")
            for name, h, t, s, a, b in zip(answers.classes, hit, true, predicted, above, below, strict=True)
        )[:MOST_ROWS]
        shares = [rf"\tfrac{{{weight(float(a))}}}{{{weight(float(b))}}}" if b > 0 else "0"
                  for a, b in zip(above[met], below[met], strict=True)]  # fmt: skip
        k = int(met.sum())
        return [
            Grid(("class", "right", "of the class", "answered so", of), rows),
            equation(r"\text{mean}", [rf"\tfrac{{1}}{{{k}}}\Big(", *summed(shares), r"\Big)"], tex(value)),
        ]

    return lines


def _matthews(answers: Answers, value: float) -> list[Line]:
    counts = answers.confusion.counts
    true, predicted, n, hit = np.append(counts.sum(axis=1), 0.0), counts.sum(axis=0), counts.sum(), np.trace(counts)
    both = float(true @ predicted)
    rest = [float(n * n - amounts @ amounts) for amounts in (true, predicted)]
    below = rf"\sqrt{{{tex(rest[0])} \cdot {tex(rest[1])}}}"
    return [
        equation(r"n \sum_k c_{kk}", rf"{weight(float(n))} \cdot {weight(float(hit))}", tex(float(n * hit))),
        equation(r"\sum_k t_k s_k", tex(both)),
        equation(r"n^2 - \sum_k t_k^2", tex(rest[0])), equation(r"n^2 - \sum_k s_k^2", tex(rest[1])),
        equation(r"\text{MCC}", rf"\frac{{{tex(float(n * hit))} - {tex(both)}}}{{{below}}}", tex(value)),
    ]  # fmt: skip


def _kappa(answers: Answers, value: float) -> list[Line]:
    counts = answers.confusion.counts
    true, predicted, n = counts.sum(axis=1), counts.sum(axis=0)[:-1], float(counts.sum())
    right, chance = float(np.trace(counts)), float(true @ predicted) / n**2
    pairs = summed(rf"{weight(float(t))} \cdot {weight(float(s))}" for t, s in zip(true, predicted, strict=True))
    return [
        equation("p_o", rf"\frac{{{weight(right)}}}{{{weight(n)}}}", tex(right / n)),
        equation("p_e", [rf"\tfrac{{1}}{{{weight(n)}^2}}\big(", *pairs, r"\big)"], tex(chance)),
        equation(r"\kappa", rf"\frac{{{tex(right / n)} - {tex(chance)}}}{{1 - {tex(chance)}}}", tex(value)),
    ]


def _of_cells(letter: str, word: str, sign: float) -> Callable[[Answers, float], list[Line]]:
    """Of the cells of the confusion matrix, rows times what one of them costs or earns."""

    def lines(answers: Answers, value: float) -> list[Line]:
        matrix = answers.confusion
        unit = 0.0 + sign * matrix.unit_cost
        cells = [(i, j) for i, j in np.argwhere(matrix.counts > 0).tolist() if unit[i, j]]
        rows = tuple(
            (matrix.classes[i], matrix.answers[j], count(matrix.counts[i, j], ","), brief(unit[i, j]),
             brief(matrix.counts[i, j] * unit[i, j]))
            for i, j in cells
        )  # fmt: skip
        sums = [rf"{weight(matrix.counts[i, j])} \cdot {tex(unit[i, j])}" for i, j in cells]
        sums = [f"({term})" if unit[i, j] < 0 else term for term, (i, j) in zip(sums, cells, strict=True)]
        whole = float((matrix.counts * unit).sum())
        return [
            Grid(("class", "answer", "rows", f"{word} of one", word), rows[:MOST_ROWS]),
            equation(rf"\sum_{{ij}} n_{{ij}} {letter}_{{ij}}", *([summed(sums)] if sums else []), tex(whole)),
            equation(rf"\text{{mean {word}}}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(value)),
        ]

    return lines


def _smoothing(tree: Tree) -> list[Line]:
    """How the largest leaf's share of the class of interest, or of the last class, is kept from being 0."""
    if tree.added is not None and (tree.added > 0).all():
        return [Words("The shares are the tree's own estimates, none of which is 0.")]
    leaves = np.flatnonzero(tree.is_leaf & (tree.answer >= 0))
    if not len(leaves):
        return []
    t, k = int(leaves[np.argmax(tree.weight[leaves])]), tree.classes.index(class_of_interest(tree) or tree.classes[-1])
    stats = tree.stats[tree.answer[t]] * tree.prior_factor
    n_classes = len(tree.classes)
    m = n_classes * float(tree.weight[0]) / max(int(tree.n_rows[0]), 1)
    root = tree.stats[0] * tree.prior_factor + m / n_classes
    p, n, of = float(root[k] / root.sum()), float(stats.sum()), float(stats[k])
    estimate = rf"\frac{{{weight(of)} + {tex(m)} \cdot {tex(p)}}}{{{weight(n)} + {tex(m)}}}"
    return [
        Words(
            f"No share is 0: every node gets m = {count(m)} rows with the shares of the root (m-estimate, Cestnik). "
            f"Of “{tree.classes[k]}” in the largest leaf:"
        ),
        equation("p", estimate, tex((of + m * p) / (n + m))),
    ]


def _grouped(answers: Answers, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(class, share, weight) of the rows of one true class and one share of it, the heaviest first."""
    pairs, group = np.unique(np.stack([answers.truth, shares]), axis=1, return_inverse=True)
    rows = np.bincount(group.ravel(), answers.weight, pairs.shape[1])
    order = np.argsort(-rows, kind="stable")
    return pairs[0, order].astype(int), pairs[1, order], rows[order]


def _log_loss(answers: Answers, value: float) -> list[Line]:
    shares = answers.shares if answers.smoothed is None else answers.smoothed
    own = np.clip(np.nan_to_num(shares[np.arange(len(answers)), answers.truth]), LEAST_SHARE, 1)
    truth, share, rows = _grouped(answers, own)
    lost = -np.log(share)
    listed = _listed(
        ("class", "its share p", "rows", "−ln p", "together"),
        [(answers.classes[c], brief(p), count(n, ","), brief(one), brief(n * one))
         for c, p, n, one in zip(truth, share, rows, lost, strict=True)],
    )  # fmt: skip
    terms = summed(rf"{weight(n)} \cdot {tex(one, 4)}" for n, one in zip(rows, lost, strict=True))
    whole = float(rows @ lost)
    return [
        *listed, equation(r"\sum_i -\ln p_i", terms, tex(whole)),
        equation(r"\text{log loss}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(value)),
    ]  # fmt: skip


def _listed(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[Line]:
    """A table of the first lines, and how many more there are."""
    more = len(rows) - MOST_ROWS
    grid = Grid(heads, tuple(rows[:MOST_ROWS]))
    return [grid, Words(f"and {more:,} more lines, which count below as well.")] if more > 0 else [grid]


def _brier(answers: Answers, value: float) -> list[Line]:
    shares = np.nan_to_num(answers.shares)
    off = ((shares - np.eye(len(answers.classes))[answers.truth]) ** 2).sum(axis=1)
    own = shares[np.arange(len(answers)), answers.truth]
    keys, group = np.unique(np.stack([answers.truth, own, off]), axis=1, return_inverse=True)
    rows = np.bincount(group.ravel(), answers.weight, keys.shape[1])
    order = np.argsort(-rows, kind="stable")
    (truth, share, each), rows = keys[:, order], rows[order]
    listed = _listed(
        ("class", "its share p", "rows", "squares of one", "together"),
        [(answers.classes[int(c)], brief(p), count(n, ","), brief(one), brief(n * one))
         for c, p, n, one in zip(truth, share, rows, each, strict=True)],
    )  # fmt: skip
    terms = summed(rf"{weight(n)} \cdot {tex(one, 4)}" for n, one in zip(rows, each, strict=True))
    whole = float(rows @ each)
    return [
        *listed, equation(r"\sum_i\sum_k(p_{ik}-y_{ik})^2", terms, tex(whole)),
        equation(r"\text{Brier}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(value)),
    ]  # fmt: skip


def _order_of(answers: Answers, of_one: Callable[[Ranking, str], list[Line]], named: str, value: float) -> list[Line]:
    """Of two classes that of interest; of more the mean over the classes that occur, the first of them opened."""
    if len(answers.classes) == 2:
        name = answers.interest or answers.classes[-1]
        return of_one(ranking_of(answers, name), name)
    met = [name for name, n in zip(answers.classes, by_class(answers).weight, strict=True) if n > 0]
    rankings = [ranking_of(answers, name) for name in met]
    values = [ranking.area if named == "AUC" else ranking.average_precision for ranking in rankings]
    return [
        Words(f"Each class against all others; “{met[0]}” first:"), *of_one(rankings[0], met[0]),
        Grid(("class", named), tuple((name, brief(v)) for name, v in zip(met, values, strict=True))),
        equation(
            r"\text{mean}", [rf"\tfrac{{1}}{{{len(met)}}}\big(", *summed(tex(v, 4) for v in values), r"\big)"],
            tex(value),
        ),
    ]  # fmt: skip


def pairs_lines(ranking: Ranking, name: str) -> list[Line]:
    """The area under ROC as pairs of a row of the class and another row: those that it wins, and half of the ties."""
    mine, others = (np.diff(amounts, prepend=0.0) for amounts in (ranking.hits, ranking.false_alarms))
    won, ties = float(mine @ (ranking.negatives - ranking.false_alarms)), float(mine @ others)
    pairs = ranking.positives * ranking.negatives
    grid = _listed(
        (f"share of {name}", "rows of it", "other rows", "pairs won", "ties"),
        [(percent(share), count(m, ","), count(o, ","), count(m * (ranking.negatives - below), ","), count(m * o, ","))
         for share, m, o, below in zip(ranking.threshold, mine, others, ranking.false_alarms, strict=True)],
    )  # fmt: skip
    return [
        Words(
            f"Every row of “{name}” beside every other row: {count(ranking.positives, ',')} times "
            f"{count(ranking.negatives, ',')} pairs. A pair is won where the row of “{name}” has the higher share."
        ),
        *grid,
        equation(
            r"\text{AUC}", rf"\frac{{{weight(won)} + \tfrac12 \cdot {weight(ties)}}}{{{weight(pairs)}}}",
            tex((won + ties / 2) / pairs),
        ),
    ]  # fmt: skip


def _precision_lines(ranking: Ranking, name: str) -> list[Line]:
    gained = np.diff(ranking.recall, prepend=0.0)
    grid = _listed(
        (f"share of {name} from", "rows so far", "of them so", "precision P", "recall gained"),
        [(percent(share), count(h + f, ","), count(h, ","), brief(p), brief(g))
         for share, h, f, p, g in zip(ranking.threshold, ranking.hits, ranking.false_alarms, ranking.precision, gained,
                                      strict=True)],
    )  # fmt: skip
    terms = [rf"{tex(g, 4)} \cdot {tex(p, 4)}" for g, p in zip(gained, ranking.precision, strict=True) if g > 0]
    return [
        Words(f"From the highest share of “{name}” down, where recall rises times the precision there:"),
        *grid, equation(r"\text{AP}", summed(terms), tex(ranking.average_precision)),
    ]  # fmt: skip


def captured_lines(ranking: Ranking, name: str, part: float = TENTH) -> list[Line]:
    """The rows of the class among the first part of all rows, in the order of the shares."""
    n = ranking.positives + ranking.negatives
    so_far, first = ranking.hits + ranking.false_alarms, part * n
    i = int(np.searchsorted(so_far, first * (1 - 1e-12)))
    whole, before = (float(ranking.hits[i - 1]), float(so_far[i - 1])) if i else (0.0, 0.0)
    rows, of = float(so_far[i]) - before, float(ranking.hits[i]) - whole
    taken = min(first - before, rows)
    hits = whole + of * taken / rows
    return [
        Words(
            f"{percent(part)} of {count(n, ',')} rows are {count(first, ',')}. The leaves above hold "
            f"{count(before, ',')} of them with {count(whole, ',')} “{name}”; of the next one, "
            f"{count(of, ',')} in {count(rows, ',')} rows, "
            f"{count(taken, ',')} are taken, as it comes."
        ),
        equation(
            r"\text{hits}", rf"{weight(whole)} + {weight(taken)} \cdot \tfrac{{{weight(of)}}}{{{weight(rows)}}}",
            tex(hits),
        ),
        equation(
            r"\text{captured}", rf"\frac{{{tex(hits)}}}{{{weight(ranking.positives)}}}",
            tex(hits / ranking.positives),
        ),
    ]  # fmt: skip


def _captured(answers: Answers, value: float) -> list[Line]:
    name = answers.interest or answers.classes[-1]
    return captured_lines(ranking_of(answers, name), name)


def _squares(answers: Answers) -> tuple[float, float]:
    """(sum of squared distances, weight)."""
    return float(answers.weight @ distances(answers.truth, answers.said) ** 2), float(answers.weight.sum())


def _mse(answers: Answers, value: float) -> list[Line]:
    squares, n = _squares(answers)
    return [
        *_examples(answers, 2),
        equation(r"\text{MSE}", rf"\frac{{{tex(squares)}}}{{{weight(n)}}}", tex(squares / n)),
    ]


def _rmse(answers: Answers, value: float) -> list[Line]:
    squares, n = _squares(answers)
    return [*_mse(answers, value), equation(r"\text{RMSE}", rf"\sqrt{{{tex(squares / n)}}}", tex(value))]


def _mae(answers: Answers, value: float) -> list[Line]:
    whole = float(answers.weight @ distances(answers.truth, answers.said))
    return [
        *_examples(answers, 1),
        equation(r"\text{MAE}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(value)),
    ]


def _examples(answers: Answers, power: int) -> list[Line]:
    """The first rows, and the sum of all of them."""
    off = distances(answers.truth, answers.said) ** power
    heads = ("row", "target", "answer", "square" if power == 2 else "distance")
    rows = [
        (f"{row + 1:,}", brief(y), brief(predicted), brief(one))
        for row, y, predicted, one in zip(answers.row[:3], answers.truth, answers.said, off, strict=False)
    ]
    what = r"\sum_i(y_i-\hat y_i)^2" if power == 2 else r"\sum_i|y_i-\hat y_i|"
    some = [rf"{tex(float(one), 4)}" for one in off[:3]] if (answers.weight == 1).all() else []
    dots = [r" + \dots"] if len(off) > 3 else []
    terms = [[*summed(some), *dots]] if some else []
    return [Grid(heads, tuple(rows)), equation(what, *terms, tex(float(answers.weight @ off)))]


def _row_loss(answers: Answers, value: float) -> list[Line]:
    """The first rows by the tree's own loss, and the sum of all of them."""
    loss = answers.row_loss
    each = loss.of(answers.truth - answers.said)
    rows = tuple(
        (f"{row + 1:,}", brief(y), brief(predicted), brief(one))
        for row, y, predicted, one in zip(answers.row[:3], answers.truth, answers.said, each, strict=False)
    )
    some = [tex(float(one), 4) for one in each[:3]] if (answers.weight == 1).all() else []
    dots = [r" + \dots"] if len(each) > 3 else []
    whole = float(answers.weight @ each)
    what = loss.sum_of(r"\hat y")
    setting = [Words(f"{loss.setting_text}.")] if loss.setting_text else []
    return [
        *setting, Grid(("row", "target", "answer", loss.total_name), rows),
        equation(what, *([[*summed(some), *dots]] if some else []), tex(whole)),
        equation(rf"\text{{{loss.mean_name}}}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(value)),
    ]  # fmt: skip


def _r2(answers: Answers, value: float) -> list[Line]:
    squares, n = _squares(answers)
    mean = float(np.average(answers.truth, weights=answers.weight))
    spread = float(answers.weight @ distances(answers.truth, mean) ** 2)
    return [
        equation(r"\text{MSE}", rf"\frac{{{tex(squares)}}}{{{weight(n)}}}", tex(squares / n)),
        equation(r"\text{variance}", rf"\frac{{{tex(spread)}}}{{{weight(n)}}}", tex(spread / n)),
        equation("R^2", rf"1 - \frac{{{tex(squares / n)}}}{{{tex(spread / n)}}}", tex(value)),
    ]


def _deviance(answers: Answers, value: float) -> list[Line]:
    """The first rows, and the sum of all of them."""
    expected = answers.said * answers.exposure
    each = counts_deviance(answers.truth, expected)
    rows = zip(answers.row[:3], answers.truth, answers.exposure, answers.said, expected, each, strict=False)
    grid = Grid(
        ("row", "events", "exposure", "rate", "expected", "deviance"),
        tuple((f"{int(row) + 1:,}", *map(brief, map(float, numbers))) for row, *numbers in rows),
    )
    whole = float(answers.weight @ each)
    what = r"2\sum_i y_i\ln\tfrac{y_i}{r_ie_i}-(y_i-r_ie_i)"
    some = [tex(float(one), 4) for one in each[:3]] if (answers.weight == 1).all() else []
    dots = [r" + \dots"] if len(each) > 3 else []
    return [
        grid, equation(what, *([[*summed(some), *dots]] if some else []), tex(whole)),
        equation(r"\text{deviance}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(whole / answers.weight.sum())),
    ]  # fmt: skip


def _explained(answers: Answers, value: float) -> list[Line]:
    events, exposure = float(answers.weight @ answers.truth), float(answers.weight @ answers.exposure)
    rate = events / exposure
    least = float(np.average(counts_deviance(answers.truth, rate * answers.exposure), weights=answers.weight))
    deviance = float(
        np.average(counts_deviance(answers.truth, answers.said * answers.exposure), weights=answers.weight)
    )
    return [
        *_deviance(answers, deviance)[1:],
        Words(f"One {answers.kind.rate_word} for all of these rows, and what it loses:"),
        equation("r", rf"\frac{{{weight(events)}}}{{{tex(exposure)}}}", tex(rate)),
        equation(rf"\text{{deviance of one {answers.kind.rate_word}}}", tex(least)),
        equation(r"\text{explained}", rf"1 - \frac{{{tex(deviance)}}}{{{tex(least)}}}", tex(value)),
    ]


def _transformed(answers: Answers, value: float) -> list[Line]:
    """The first rows, and the sum of all of them."""
    kind = answers.target
    star = kind.transformed(answers.targets)
    each = (star - answers.said) ** 2
    arms = np.where(answers.exposure == 1, kind.treated, kind.control)
    rows = zip(answers.row[:3], answers.truth, arms, star, answers.said, each, strict=False)
    grid = Grid(
        ("row", "outcome", "arm", "transformed", "effect", "square"),
        tuple((f"{int(row) + 1:,}", brief(float(y)), str(arm), *map(brief, map(float, numbers)))
              for row, y, arm, *numbers in rows),
    )  # fmt: skip
    whole = float(answers.weight @ each)
    mean, share, rest = tex(kind.mean), tex(kind.share), tex(1 - kind.share)
    transform = rf"\frac{{(y_i - {mean})(w_i - {share})}}{{{share} \cdot {rest}}}"
    return [
        Words("No single row shows an effect. Its transformed outcome has the effect as its mean, where treatment was "
              "drawn by chance; w is 1 for treated rows, the other numbers are of the training rows:"),
        equation("y^*_i", transform), grid, equation(r"\sum_i\big(y^*_i-\hat\tau_i\big)^2", tex(whole)),
        equation(r"\text{mean}", rf"\frac{{{tex(whole)}}}{{{_total(answers)}}}", tex(value)),
    ]  # fmt: skip


def _qini(answers: Answers, value: float) -> list[Line]:
    """The curve's corners, and the area between it and the line of rows taken by chance."""
    curve = qini_curve(answers)
    shown = list(zip(curve.share, curve.gain, curve.line, strict=True))
    rows = [(percent(float(s)), brief(float(g)), brief(float(by_chance))) for s, g, by_chance in shown[:MOST_ROWS]]
    rows += [("…", "…", "…")] if len(shown) > MOST_ROWS else []
    return [
        Words("Rows of the largest predicted effects come first. The gain of those so far is the outcomes of their "
              "treated rows less what as many control rows would have had, per treated row of all."),
        Grid(("rows so far", "gain", "by chance"), tuple(rows)),
        Words("The coefficient is the area between the gain and the line of chance, by trapezoids."),
        equation(r"\text{Qini}", tex(value)),
    ]  # fmt: skip


def _top_effect(answers: Answers, value: float) -> list[Line]:
    return [
        Words("Of the rows with the largest predicted effects as many as make up a tenth; of rows with equal "
              "predictions at the border each counts in part. Mean outcome of the treated less that of the control:"),
        equation(r"\bar y_1-\bar y_0", tex(value)),
    ]  # fmt: skip


_OPENED: dict[str, Callable[[Answers, float], list[Line]]] = {
    "accuracy": _accuracy, "balanced_accuracy": _mean_of_classes("recall", "balanced"),
    "precision": _mean_of_classes("precision", ""), "recall": _mean_of_classes("recall", ""),
    "f1": _mean_of_classes("f1", ""), "mcc": _matthews, "kappa": _kappa, "log_loss": _log_loss, "brier": _brier,
    "cost": _of_cells("L", "cost", 1.0), "profit": _of_cells("G", "profit", -1.0),
    "auc": lambda answers, value: _order_of(answers, pairs_lines, "AUC", value),
    "average_precision": lambda answers, value: _order_of(answers, _precision_lines, "AP", value),
    "captured": _captured, "mse": _mse, "rmse": _rmse, "mae": _mae, "r2": _r2, "pinball": _row_loss, "huber": _row_loss,
    "deviance": _deviance, "explained": _explained, "transformed": _transformed, "qini": _qini,
    "top_effect": _top_effect,
}  # fmt: skip
