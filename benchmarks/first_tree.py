"""How good the first tree of a new table is, beside the root alone and other programs' defaults.

    uv run python -m benchmarks.first_tree [--seeds N]

Tables with a rare class (seeded simulations, a digit against all others, samples) and others (samples, scikit-learn's
tables, Friedman's functions). Every method grows on the same 60 % of the rows and is judged on the other 40 %: log loss
of the leaves' shares, all smoothed by the same m-estimate, area under ROC, leaves; root mean squared error of numbers.
rpart, J48 and ctree are this package's doubles, which agree with them node for node; scikit-learn is itself.
"""

import argparse
import time

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_friedman1, make_friedman2
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treecore as tc
from treecore.data.samples import read_sample
from treecore.first_recipe import first_recipe
from treecore.judging.answers import Answers, answers_of
from treecore.judging.measures import MEASURES
from treecore.presets import PRESETS

ROLES = dict(train=0.6, validation=0.0, test=0.4, stratify=True)
RATES = (0.03, 0.05, 0.06, 0.07, 0.08, 0.10, 0.12, 0.14)


def churn(rate: float, n: int, seed: int) -> pd.DataFrame:
    """Customers of whom so many leave, by a logistic function of some columns; others say nothing."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "tenure": draw.gamma(2, 14, n).round(), "charge": draw.normal(65, 25, n).round(2),
            "contract": draw.choice(["month", "year", "two years"], n, p=[0.55, 0.25, 0.2]),
            "tickets": draw.poisson(1.2, n), "age": draw.integers(18, 90, n),
            "region": draw.choice(list("ABCDEFGH"), n), "noise": draw.normal(size=n),
        }
    )  # fmt: skip
    risk = -0.03 * frame.tenure + 0.012 * frame.charge + 0.8 * (frame.contract == "month")
    risk = (risk - 0.6 * (frame.contract == "two years") + 0.45 * frame.tickets).to_numpy()
    low, high = -30.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-risk - middle))).mean() < rate else (low, middle)
    frame["churn"] = np.where(draw.random(n) < 1 / (1 + np.exp(-risk - low)), "yes", "no")
    return frame


def of_sklearn(bunch, target=None) -> tc.Table:
    frame = pd.DataFrame(bunch.data).rename(columns=lambda i: f"x{i}")
    y = bunch.target if target is None else np.where(bunch.target == target, "yes", "no")
    frame["y"] = y if y.dtype.kind in "fU" else [f"class {k}" for k in y]
    return tc.read_table(frame, target="y")


def friedman(made) -> tc.Table:
    frame = pd.DataFrame(made[0]).rename(columns=lambda i: f"x{i}")
    frame["y"] = made[1]
    return tc.read_table(frame, target="y")


def rare_tables(seed: int) -> dict[str, tc.Table]:
    sizes = (6000, 2000, 4000, 5000, 1500, 3000, 5000, 1500)
    made = {
        f"churn {100 * rate:.0f} %, {n:,} rows": tc.read_table(churn(rate, n, 10 * seed + i), target="churn")
        for i, (rate, n) in enumerate(zip(RATES, sizes, strict=True))
    }
    digits = load_digits()
    more = {f"digit {k} of ten": of_sklearn(digits, k) for k in (1, 8, 9)}
    return made | more | {"rare class (sample)": read_sample("trap_rare_class")}


def other_tables(seed: int) -> dict[str, tc.Table]:
    samples = {name: read_sample(name) for name in ("titanic", "iris", "penguins", "crescents", "oblique", "mpg")}
    loaded = {"wine": load_wine(), "breast cancer": load_breast_cancer(), "digits": load_digits()}
    made = {name: of_sklearn(bunch) for name, bunch in loaded.items()} | {"diabetes": of_sklearn(load_diabetes())}
    made["Friedman 1"] = friedman(make_friedman1(1000, noise=1.0, random_state=seed))
    made["Friedman 2"] = friedman(make_friedman2(1000, noise=100.0, random_state=seed))
    return samples | made


def ours(train: tc.Table) -> tc.Tree:
    growth, pruning = first_recipe(train)
    tree = tc.grow(train, growth.preset, **dict(growth.settings))
    return tree.cut(tc.prune(tree, pruning.method, train=train, **dict(pruning.parameters)))


def by_errors(train: tc.Table) -> tc.Tree:
    """The recipe of before: the error rate in ten folds, 1-SE."""
    growth, _ = first_recipe(train)
    tree = tc.grow(train, growth.preset, **dict(growth.settings))
    return tree.cut(tc.prune(tree, "cost_complexity", train=train, choose="cross-validation", standard_errors=1.0))


def double(preset: str):
    """A peer's defaults, with the pruning within its fit."""

    def grown(train: tc.Table) -> tc.Tree:
        tree = tc.grow(train, preset)
        return tree.cut(tc.prune(tree, PRESETS[preset].prune, train=train))

    return grown


def scikit_learn(train: tc.Table):
    """Cost complexity, its alpha by ten folds and scikit-learn's own score, levels as columns of 0 and 1."""
    X, y = encoded(train, train)
    kind = DecisionTreeClassifier if train.classes else DecisionTreeRegressor
    alphas = kind(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    alphas = np.unique(np.maximum(alphas, 0.0)[:: max(1, len(alphas) // 30)])
    return GridSearchCV(kind(random_state=0), {"ccp_alpha": alphas}, cv=10).fit(X, y).best_estimator_


def encoded(rows: tc.Table, train: tc.Table) -> tuple[np.ndarray, np.ndarray]:
    """float64 rows for scikit-learn and their targets, as codes or numbers; the median stands for a missing value."""
    columns = []
    for column in map(rows.column, rows.features):
        values = column.values()
        if column.kind == "nominal" and column.n_distinct > 2:
            columns += [(values == k).astype(float) for k in range(column.n_distinct)]
        else:
            middle = np.nanmedian(train.column(column.name).values())
            columns.append(np.where(np.isnan(values), middle, values))
    target = rows.target_column
    return np.stack(columns, axis=1), (target.codes.astype(int) if rows.classes else target.values())


METHODS = {
    "first tree": ours, "by the error rate": by_errors, "rpart": double("rpart"), "J48": double("j48"),
    "ctree": double("ctree"), "scikit-learn, CV": scikit_learn,
}  # fmt: skip
"""Method -> what grows its tree on the training rows; the root alone is judged beside them."""


def judged(model, train: tc.Table, test: tc.Table) -> tuple[float, float, int]:
    """(log loss or root mean squared error, area under ROC, leaves) on the test rows."""
    if isinstance(model, tc.Tree):
        answers = answers_of(model, test)
        if not model.classes:
            return MEASURES["rmse"](answers), np.nan, model.n_leaves
        return MEASURES["log_loss"](answers), MEASURES["auc"](answers), model.n_leaves
    X, y = encoded(test, train)
    leaves = int(model.get_n_leaves())
    if not test.classes:
        return float(np.sqrt(np.mean((model.predict(X) - y) ** 2))), np.nan, leaves
    counts = np.zeros((model.tree_.node_count, len(test.classes)))
    counts[:, model.classes_] = model.tree_.value[:, 0] * model.tree_.weighted_n_node_samples[:, None]
    k = counts.shape[1]
    root = (counts[0] + 1) / (counts[0].sum() + k)
    shares = ((counts + k * root) / (counts.sum(axis=1, keepdims=True) + k))[model.apply(X)]
    found = Answers(test.classes, y, shares.argmax(axis=1), np.ones(len(y)), np.arange(len(y)), shares)
    return MEASURES["log_loss"](found), MEASURES["auc"](found), leaves


def tried(table: tc.Table, seed: int) -> dict[str, tuple]:
    """Method -> (loss, area, leaves, processor seconds); a method that cannot grow here is left out."""
    train, _, test = table.split(tc.Roles(**ROLES, seed=seed))
    found = {"root alone": (*judged(tc.grow(train, "cart", max_depth=0), train, test), 0.0)}
    for name, grow in METHODS.items():
        begun = time.process_time()
        try:
            model = grow(train)
        except tc.TreecoreError:
            continue
        found[name] = (*judged(model, train, test), time.process_time() - begun)
    return found


def told(tables: dict[str, list[dict]]) -> list[str]:
    """A Markdown table: means over the seeds, the least loss of a table in bold."""
    names = ["root alone", *METHODS]
    lines = ["| table | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    for table, runs in tables.items():
        means = {n: np.mean([run[n][:3] for run in runs], axis=0) for n in names if all(n in run for run in runs)}
        least = min(loss for loss, _, _ in means.values())
        cells = []
        for name in names:
            if name not in means:
                cells.append("–")
                continue
            loss, area, leaves = means[name]
            text = f"{loss:.4g}" if loss > 1.01 * least else f"**{loss:.4g}**"
            cells.append(text + ("" if np.isnan(area) else f" · {area:.2f}") + f" · {leaves:.0f}")
        lines.append(f"| {table} | " + " | ".join(cells) + " |")
    return lines


def summed(tables: dict[str, list[dict]]) -> list[str]:
    """Of how many tables each method is best or within 1 % of it, and worse than the root alone."""
    lines = []
    for name in METHODS:
        best = worse = n = 0
        for runs in tables.values():
            if not all(name in run for run in runs):
                continue
            mean = {m: np.mean([run[m][0] for run in runs]) for m in runs[0] if all(m in run for run in runs)}
            n += 1
            best += mean[name] <= 1.01 * min(mean.values())
            worse += mean[name] > mean["root alone"] * (1 + 1e-9)
        lines.append(f"{name}: best or within 1 % on {best} of {n} tables, worse than the root alone on {worse}")
    return lines


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--seeds", type=int, default=3, help="splits of every table, and simulations")
    seeds = range(asked.parse_args().seeds)
    for title, made in (("Rare classes", rare_tables), ("Other tables", other_tables)):
        tables: dict[str, list[dict]] = {}
        for seed in seeds:
            for name, table in made(seed).items():
                tables.setdefault(name, []).append(tried(table, seed))
        print(f"### {title}\n\nLoss · area under ROC · leaves; bold: within 1 % of the least loss.\n")
        print("\n".join(told(tables)), "", *summed(tables), "", sep="\n")
    table = tc.read_table(churn(0.07, 5000, 99), target="churn")
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        ours(table)
        seconds.append(time.process_time() - begun)
    print(f"First tree of 5,000 rows x 7: {np.median(seconds):.2f} s of processor (median of 5)")


if __name__ == "__main__":
    main()
