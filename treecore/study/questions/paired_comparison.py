"""What comes out of trials, in sentences and small tables."""

from math import inf

import numpy as np

from treecore.data.samples import SAMPLES, read_sample
from treecore.explaining.formulas import Formula, Grid, Line, Words, equation
from treecore.figures import MOST_TERMS, brief, p_value, percent, points, tex
from treecore.judging.measures import Measure
from treecore.study.questions.question import (
    Picture,
    Progress,
    Setting,
    Setup,
    Start,
    StudyQuestion,
    Told,
    Work,
    score_format,
)
from treecore.study.recipe_trials import Across, Trials, across, repeated_folds, trials
from treecore.study.score_tests import (
    MATTERS,
    PairedT,
    Ranks,
    Summary,
    correlated_t,
    five_by_two,
    friedman,
    mcnemar_of,
    paired_t,
    resampled_t,
    summary,
    wilcoxon,
)
from treecore.study.worlds import THIS_TABLE

NO_SUMMARY = Summary(0, np.nan, np.nan, np.nan)


def score_rows(tried: Trials, measure: Measure) -> list[tuple[str, Summary, float]]:
    """Name, scores in short, and mean number of leaves of each recipe; NaN where a fold has no score."""
    rows = zip(tried.names, tried.scores(measure), tried.n_leaves.mean(axis=1), strict=True)
    return [(name, summary(s) if np.isfinite(s).all() else NO_SUMMARY, float(n)) for name, s, n in rows]


def difference_sentence(found: PairedT, names: tuple[str, str], measure: Measure) -> str:
    """Which of two is better on the folds, and whether the corrected test calls that more than luck."""
    first, second = names
    if found.mean == 0:
        return f"{first} and {second} score the same on average."
    better, worse = (second, first) if (found.mean > 0) == measure.higher else (first, second)
    by = points(abs(found.mean)) if measure.percent else brief(abs(found.mean))
    by = by if by != points(0) else f"less than {points(0.001)}"
    head = f"{better} is better than {worse} by {by} on average"
    if not found.sd > 0:
        return f"{head}, by the same on every fold: there is no spread to test by."
    said = "more than luck" if found.rejects else "which may be luck"
    return f"{head}, {said} (corrected t-test, p {_p(found.p)})."


def recommendation_sentence(tried: Trials, measure: Measure) -> str:
    """Which recipe to take, and why: the smallest trees of those that the best one does not beat by more than luck.

    '' for one recipe alone, or where a fold has no score.
    """
    scores, leaves = tried.scores(measure), tried.n_leaves.mean(axis=1)
    if len(scores) < 2 or not np.isfinite(scores).all():
        return ""
    mean = scores.mean(axis=1) if measure.higher else -scores.mean(axis=1)
    best = int(mean.argmax())
    alike = [i for i in range(len(scores)) if i == best or not _beats(scores[best], scores[i], tried.overlap)]
    taken = min(alike, key=lambda i: (round(leaves[i], 1), -mean[i]))
    name, size = tried.names[taken], f"{leaves[taken]:.1f} leaves on average"
    if len(alike) == 1:
        return f"To hand over: {name} ({size}). It is better than every other by more than luck."
    if taken == best:
        return f"To hand over: {name} ({size}). None has a better mean, and none as good has smaller trees."
    return (
        f"To hand over: {name} ({size}). {tried.names[best]} has the best mean, with {leaves[best]:.1f} leaves, but "
        f"beats {name} by no more than may be luck; of all of which that is true, {name} has the smallest trees."
    )


def _beats(best: np.ndarray, other: np.ndarray, overlap: float) -> bool:
    """By more than luck; by the same on every fold counts, too."""
    result = resampled_t(other, best, overlap)
    return result.rejects or (result.mean != 0 and not result.sd > 0)


def _p(p: float) -> str:
    told = p_value(p)
    return told if told.startswith("<") else f"= {told}"


def posterior_sentence(scores: np.ndarray, overlap: float, second: str, measure: Measure) -> str:
    """How probable it is that the second is better, or worse, by more than 1 %: of an error or a profit, which have a
    unit of their own, of its mean. scores : float64 (2, n) on the same folds. overlap : as of correlated_t."""
    of_mean = not measure.higher or measure.most == inf
    matters = MATTERS * float(np.abs(scores).mean()) if of_mean else MATTERS
    result = correlated_t(*scores, overlap, matters)
    better, worse = (result.better, result.worse) if measure.higher else (result.worse, result.better)
    least = points(matters) if measure.percent else brief(matters) + " (1\u00a0%)" * of_mean
    return (
        f"Probability that {second} is better by more than {least}: {percent(better)}; within that: "
        f"{percent(result.same)}; worse by more: {percent(worse)} (Bayesian correlated t-test)."
    )


def describe_other_tests(tried: Trials, pair: tuple[int, int], measure: Measure) -> list[Line]:
    """Every test of the difference of two recipes (places in `tried`), the first less the second, with its statistic
    and p."""
    b, a = tried.scores(measure)[list(pair)]
    plain, corrected, ranks = paired_t(a, b), resampled_t(a, b, tried.overlap), wilcoxon(a, b)
    rows = [
        ("paired t", f"t = {brief(plain.t)}", p_value(plain.p)),
        ("corrected resampled t", f"t = {brief(corrected.t)}", p_value(corrected.p)),
        ("Wilcoxon's signed ranks", f"T = {brief(ranks.statistic)}", p_value(_first_known(ranks.p, ranks.p_normal))),
    ]
    if tried.folds.shape[0] == 5 and tried.n_folds == 2:
        halves = five_by_two(a.reshape(5, 2), b.reshape(5, 2))
        rows.append(("5 × 2 folds, t (Dietterich)", f"t = {brief(halves.t)}", p_value(halves.p)))
        rows.append(("5 × 2 folds, F (Alpaydin)", f"F = {brief(halves.f)}", p_value(halves.f_p)))
    lines: list[Line] = [Grid(("test", "statistic", "two-sided p"), tuple(rows))]
    if tried.classes:
        lines += _mcnemar(tried, pair)
    return lines


def _mcnemar(tried: Trials, pair: tuple[int, int]) -> list[Line]:
    """Rows instead of folds: who alone is right, each row answered by the tree of its fold."""
    of = mcnemar_of(*(tried.pooled(i).right for i in pair))
    first, second = (tried.names[i] for i in pair)
    return [
        Words(
            f"McNemar's test of the rows: {of.first_only:,} only {first} answers rightly, {of.second_only:,} only "
            f"{second}, {of.both:,} both, {of.neither:,} neither: exact p {_p(of.p)}, chi-square with the correction "
            f"{brief(of.chi_square)} (p {_p(of.p_chi_square)})."
        )
    ]


def _first_known(first: float, second: float) -> float:
    return second if np.isnan(first) else first


def describe_ranks(scores: np.ndarray, names: tuple[str, ...], measure: Measure, of: str = "folds") -> list[Line]:
    """Mean ranks, Friedman's test, and which recipes cannot be told apart.

    scores : float64 (n_recipes, n_folds or n_tables). of : "folds" of one table, or "tables".
    """
    result = friedman(scores.T, measure.higher)
    order = np.argsort(result.mean, kind="stable")
    rows = tuple((names[i], brief(result.mean[i]), _share_of_firsts(result, i)) for i in order)
    test = (
        f"All recipes score the same on every {of[:-1]}: there are no ranks to test."
        if np.isnan(result.p)
        else f"Friedman's χ² = {brief(result.chi_square)} with {len(names) - 1} degrees of freedom, p {_p(result.p)}: "
        + ("the ranks differ by more than luck." if result.p < result.level else "the ranks may differ by luck.")
    )
    alike = ", ".join("–".join(names[i] for i in group) for group in result.groups) or "none"
    apart = f"Mean ranks differ where they lie {brief(result.critical)} apart (Nemenyi). Not to be told apart: {alike}."
    caution = "Folds of one table share training rows, so these p are too small; on different tables they are right."
    lines: list[Line] = [Grid(("recipe", "mean rank", f"best of {of}"), rows), Words(test), Words(apart)]
    return [*lines, Words(caution)] if of == "folds" else lines


def _share_of_firsts(found: Ranks, recipe: int) -> str:
    """How often it has the best rank, alone or with others."""
    return percent(float((found.ranks[:, recipe] == found.ranks.min(axis=1)).mean()))


def describe_recipes(tried: Trials, measure: Measure) -> list[Line]:
    """Scores of all recipes, and the first two compared."""
    told = score_format(measure)
    rows = tuple(
        (name, told(s.mean), told(s.sd), told(s.standard_error), f"{leaves:.1f}")
        for name, s, leaves in score_rows(tried, measure)
    )
    repeats = tried.folds.shape[0]
    head = f"{measure.label}, {tried.n_folds} folds" + (f", drawn {repeats} times." if repeats > 1 else ".")
    lines: list[Line] = [Words(head)]
    scores = tried.scores(measure)
    if len(scores) > 1 and np.isfinite(scores).all():
        names = tried.names[:2]
        lines.append(Words(recommendation_sentence(tried, measure)))
        lines.append(Words(difference_sentence(resampled_t(*scores[:2], tried.overlap), names, measure)))
        lines.append(Words(posterior_sentence(scores[:2], tried.overlap, names[1], measure)))
    return [*lines, Grid(("recipe", "mean", "sd", "standard error", "leaves"), rows)]


def describe_tables(found: Across, measure: Measure) -> list[Line]:
    """Scores by table, and the ranks of three and more."""
    told = score_format(measure)
    rows = tuple((t, *map(told, scores)) for t, scores in zip(found.tables, found.scores.tolist(), strict=True))
    lines: list[Line] = [Words(f"{measure.label}, mean of the folds."), Grid(("table", *found.names), rows)]
    if len(found.names) >= 3 and len(found.tables) >= 2:
        lines += describe_ranks(found.scores.T, found.names, measure, "tables")
    return lines


# The paired t-test with every step of its arithmetic, and what it does not know.

NARROW = 21
"""Digits that fit on a line where these formulas stand: in a fold of the drawer."""
MOST_FOLDS = 30
"""So many are listed one by one."""
TOO_SURE = (
    "The plain test is too sure: it takes the folds for independent samples, but any two of them share most of their "
    "training rows. Their scores vary less than those of new samples would, so S is too small, and luck is taken for a "
    "difference more often than the level says. The corrected test (Nadeau and Bengio 2003) adds the rows judged over "
    "the rows that train to 1/N."
)


def describe_paired_t(found: PairedT, scores: np.ndarray, names: tuple[str, str], share: bool = False) -> list[Line]:
    """H0, the differences (of the first less the second), m, S², t, p and the decision.

    found : as paired_t gives it. scores : float64 (2, n), of the first and the second. share : they are shares, to be
    told in points of 1 %.
    """
    found, (first, second) = found.turned, names
    scale = 100 if share else 1
    unit = ", in points of 1 %" * share
    head = f"H₀: {first} and {second} score the same on average; what differs between them is chance."
    lines: list[Line] = [
        Words(head),
        Words(f"pₙ is what {first} scores on fold n less what {second} scores{unit}:"),
        _folds(scale * found.differences, scale * scores, names),
    ]
    lines += [
        Words(f"m, the mean of the differences, and S, how far they spread{unit}:"),
        _mean_formula(found, scale),
        _spread(found, scale),
    ]
    if not found.sd > 0:
        return [*lines, Words(_no_spread(found))]
    m, sd = tex(scale * found.mean, 4), tex(scale * found.sd, 4)
    by_number = rf"\frac{{\sqrt{{{found.n}}} \cdot {_in_brackets(m)}}}{{{sd}}} = {tex(found.t, 4)}"
    t = Formula(rf"\begin{{aligned}}t &= \frac{{\sqrt{{N}}\,m}}{{S}} \\ &= {by_number}\end{{aligned}}")
    return [*lines, t, Words(_decision(found))]


def describe_corrected_t(found: PairedT, share: bool = False) -> list[Line]:
    """Why the plain test is too sure, and the corrected one, of the first less the second. found : as resampled_t gives
    it."""
    found, lines = found.turned, [Words(TOO_SURE)]
    if found.sd > 0:
        scale = 100 if share else 1
        ratio = rf"\tfrac{{1}}{{{tex(1 / found.overlap, 4)}}}"
        root = rf"\sqrt{{\tfrac{{1}}{{{found.n}}} + {ratio}}}"
        below = rf"{tex(scale * found.sd, 4)}{root}"
        lines += [equation("t", rf"\frac{{{tex(scale * found.mean, 4)}}}{{{below}}}", tex(found.t, 4), width=NARROW)]
        lines += [Words(_decision(found))]
    return lines


def _folds(differences: np.ndarray, scores: np.ndarray, names: tuple[str, str]) -> Grid:
    rows = [
        (str(n + 1), brief(a), brief(b), brief(d)) for n, (a, b, d) in enumerate(zip(*scores, differences, strict=True))
    ]
    if len(rows) > MOST_FOLDS:
        rows = [*rows[: MOST_FOLDS - 1], (f"and {len(rows) - MOST_FOLDS + 1} more", "…", "…", "…")]
    return Grid(("fold n", names[0], names[1], "pₙ"), tuple(rows))


def _mean_formula(found: PairedT, scale: int) -> Formula:
    differences = scale * found.differences
    shown = differences[:MOST_TERMS]
    terms = [tex(shown[0], 3), *(rf" {'-' if d < 0 else '+'} {tex(abs(d), 3)}" for d in shown[1:])]
    terms += [r" + \dots"] * (len(shown) < len(differences))
    total = tex(float(differences.sum()), 4)
    return equation("m", [rf"\tfrac{{1}}{{{found.n}}}(", *terms, ")"], rf"\tfrac{{{total}}}{{{found.n}}}",
                    tex(scale * found.mean, 4), width=NARROW)  # fmt: skip


def _in_brackets(number: str) -> str:
    return f"({number})" if number.startswith("-") else number


def _spread(found: PairedT, scale: int) -> Formula:
    total = scale**2 * float(((found.differences - found.mean) ** 2).sum())
    square = rf"S^2 &= \tfrac{{1}}{{N-1}}\textstyle\sum (p_n - m)^2 \\ &= \tfrac{{{tex(total, 4)}}}{{{found.n - 1}}}"
    values = rf" = {tex((scale * found.sd) ** 2, 4)} \\ S &= {tex(scale * found.sd, 4)}"
    return Formula(rf"\begin{{aligned}}{square}{values}\end{{aligned}}")


def _decision(found: PairedT) -> str:
    """ "do not reject", never "accept": a test that finds nothing has not shown that nothing is there."""
    level = f"{100 * found.level:g} %"
    verdict = f"below {level}: reject H₀" if found.rejects else f"not below {level}: do not reject H₀"
    degrees = f"{found.df} degree{'s' if found.df > 1 else ''} of freedom"
    return f"{degrees}: two-sided p = {p_value(found.p)}".replace("= <", "<") + f", {verdict}."


def _no_spread(found: PairedT) -> str:
    if found.mean == 0:
        return "Every difference is 0, so S = 0 and t is 0/0: on these folds there is nothing to tell them apart by."
    return "Every difference is the same, so S = 0: without spread t says nothing of chance, and H₀ is not tested."


FOLDS = Setting("experiment folds", "Folds", 10, least=2)
REPEATS = Setting("experiment repeats", "Times", 1, least=1, most=20)
SEED = Setting("experiment seed", "Seed", 0, least=0, most=2**31)
GROUP = Setting(
    "experiment group", "In one fold", "",
    options=lambda setup: {"": "no groups"} | {c: c for c in setup.table.column_names if c != setup.table.target},
    help="Rows with the same value of this column stay in one fold, as those of one patient or customer have to",
)  # fmt: skip
TABLES = Setting("experiment samples", "Tables", kind=(list, tuple))
MOST_FOLDS_ELSEWHERE = 5
LARGE = ("iris", "penguins", "titanic", "crescents", "oblique", "customers", "mpg", "curve")
"""Samples with rows enough."""


def fold_settings(setup: Setup) -> tuple[int, int, int, str]:
    """Folds, repetitions, seed and group; as many folds as there are rows, at most."""
    return max(2, min(setup[FOLDS], setup.judged_rows.n_rows)), setup[REPEATS], setup[SEED], setup[GROUP]


def folds_of(setup: Setup) -> np.ndarray:
    """The folds as they are drawn, see repeated_folds."""
    n_folds, n_repeats, seed, group = fold_settings(setup)
    return repeated_folds(setup.judged_rows, n_folds, n_repeats, seed, group=group)


def _work(setup: Setup) -> Work:
    rows, recipes, folds = setup.judged_rows, setup.recipes, folds_of(setup)
    return lambda report: trials(rows, recipes, folds, report)


def _pictures(found: Trials, setup: Setup) -> list[Picture]:
    """Scores of the folds, and the ranks of three recipes and more."""
    scores = found.scores(setup.measure)
    caption = "A point: one fold. Upright: the mean of the folds, with one standard deviation to either side."
    shown = Picture(
        "score_comparison.fold_scores", (found.names, scores, setup.measure), caption, 90 + 56 * len(scores)
    )
    return [shown, *_ranks(scores, found.names, setup.measure, "folds")]


def _ranks(scores: np.ndarray, names: tuple[str, ...], measure: Measure, of: str) -> list[Picture]:
    if len(scores) < 3 or not np.isfinite(scores).all():
        return []
    caption = f"Mean ranks over the {of}; a thick line joins recipes that the test cannot tell apart."
    data = friedman(scores.T, measure.higher), names
    return [Picture("score_comparison.critical_difference", data, caption, 120 + 26 * len(names))]


def _about(setup: Setup) -> Told:
    drawn = zip(("folds", "times", "seed", "together"), fold_settings(setup), strict=True)
    return ("measure", setup.measure.label), *((name, value) for name, value in drawn if value != "")


PAIRED_COMPARISON = StudyQuestion(
    "recipes", "Is another recipe better?", "Recipes on the same folds", _work,
    lambda answer, setup: describe_recipes(answer, setup.measure), _pictures, (FOLDS, REPEATS, SEED, GROUP), _about,
    start=Start("experiment on", "Try them", "", remedy="choose fewer folds or recipes"),
    report_place=1,
)  # fmt: skip


def tables_to_choose(setup: Setup) -> dict[str, str]:
    """Name -> label of this table, and of the samples with a target of the same sort."""
    task = setup.table.task
    return {THIS_TABLE: THIS_TABLE} | {name: sample.label for name, sample in SAMPLES.items() if sample.task == task}


def tables_chosen(setup: Setup) -> tuple[str, ...]:
    """Those chosen; at first this one and the samples with rows enough."""
    chosen, options = setup[TABLES], tables_to_choose(setup)
    if chosen is not None:
        return tuple(name for name in chosen if name in options)
    return tuple(n for n in options if n == THIS_TABLE or (n in LARGE and n != setup.sample))


def _work_elsewhere(setup: Setup) -> Work:
    names, recipes, measure = tables_chosen(setup), setup.recipes, setup.measure
    mine = {THIS_TABLE: setup.judged_rows} if THIS_TABLE in names else {}

    def make(report: Progress) -> Across:
        tables = {SAMPLES[name].label: read_sample(name) for name in names if name != THIS_TABLE}
        return across(mine | tables, recipes, measure, MOST_FOLDS_ELSEWHERE, progress=report)

    return make


def _pictures_elsewhere(found: Across, setup: Setup) -> list[Picture]:
    """Ranks of three recipes and more over two tables and more."""
    return _ranks(found.scores.T, found.names, setup.measure, "tables") if len(found.tables) >= 2 else []


OTHER_TABLES = StudyQuestion(
    "samples", "And on other tables?", "Recipes on other tables", _work_elsewhere,
    lambda answer, setup: describe_tables(answer, setup.measure), _pictures_elsewhere, (TABLES,),
    lambda setup: (("measure", setup.measure.label), ("folds", MOST_FOLDS_ELSEWHERE), ("seed", 0)),
    start=Start("experiment across", "Try them", "", things="tables", remedy="choose fewer tables or recipes"),
    report_place=2,
)  # fmt: skip
