"""Cross-validations recorded in the format of golden/stats: scikit-learn's trees, scipy's tests, odd ones too."""

import csv
import json
import warnings

import numpy as np
import pytest

from tests.peers.stats import compare_stats, read_stats

CLASSES = ("low", "middle", "high")
ORDINARY = [(task, seed) for task in ("classification", "regression") for seed in range(6)]
ODD = [
    "two folds", "leave one out", "the same learner twice", "constant predictions", "a class in one fold only",
    "a class that no row has", "always right", "a constant difference", "many ties", "fold numbers with gaps",
]  # fmt: skip


def data_of(rng, task: str, n: int, odd: str) -> tuple[np.ndarray, np.ndarray]:
    x = rng.normal(size=(n, 3)).round(2)
    signal = x[:, 0] + 0.5 * x[:, 1] * x[:, 2] + rng.normal(0, 0.7, n)
    if task == "regression":
        return x, signal.round(3)
    if odd == "a class that no row has":
        return x, np.array(CLASSES)[(signal > 0).astype(int)]
    return x, np.array(CLASSES)[np.digitize(signal, [-0.6, 0.6])]


def folds_of(rng, y: np.ndarray, odd: str) -> np.ndarray:
    """int (n,): the number of each row's fold."""
    n = len(y)
    k = 2 if odd == "two folds" else n if odd == "leave one out" else int(rng.integers(3, 11))
    fold = rng.permutation(np.arange(n) % k) + 1
    if odd == "a class in one fold only":
        fold[y == "high"] = 1
    return fold * 3 if odd == "fold numbers with gaps" else fold


def predictions(rng, task: str, odd: str, x, y, fold) -> dict[str, np.ndarray]:
    """What two scikit-learn trees, and somebody who asks nothing, say of each fold's rows."""
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    tree = DecisionTreeClassifier if task == "classification" else DecisionTreeRegressor
    dummy = DummyClassifier if task == "classification" else DummyRegressor
    depth = int(rng.integers(1, 5))
    learners = {"full": tree(random_state=0), "shallow": tree(max_depth=depth, random_state=0), "dummy": dummy()}
    if odd == "the same learner twice":
        learners["dummy"] = tree(random_state=0)
    if odd == "constant predictions":
        learners["shallow"] = dummy()
    found = {name: y.copy() for name in learners}
    for name, learner in learners.items():
        for f in np.unique(fold):
            found[name][fold == f] = learner.fit(x[fold != f], y[fold != f]).predict(x[fold == f])
    return found | ({"full": y.copy()} if odd == "always right" else {})


def compared(a: str, b: str, scores: dict, right: dict, task: str) -> dict:
    """The tests of scipy; NaN is what it has no number for."""
    from scipy import stats

    one, other = np.array(scores[a]), np.array(scores[b])
    d, n = one - other, len(one)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        t = stats.ttest_rel(one, other)
        ends = t.confidence_interval(0.95)
        ranks = stats.wilcoxon(one, other, zero_method="wilcox", correction=False, method="approx")
        with np.errstate(all="ignore"):
            corrected = np.float64(d.mean()) / np.sqrt(d.var(ddof=1) * (1 / n + 1 / (n - 1)))
    found = {
        "a": a, "b": b, "mean_difference": d.mean(), "sd_difference": d.std(ddof=1), "t": t.statistic, "df": n - 1,
        "p": t.pvalue, "ci95": [ends.low, ends.high], "corrected_resampled_t": corrected,
        "corrected_p": 2 * stats.t.sf(abs(corrected), n - 1), "wilcoxon_statistic": ranks.statistic,
        "wilcoxon_p_normal": ranks.pvalue,
    }  # fmt: skip
    if task == "classification":
        n_a, n_b = int((right[a] & ~right[b]).sum()), int((~right[a] & right[b]).sum())
        found["mcnemar"] = {
            "a_right_b_wrong": n_a, "a_wrong_b_right": n_b,
            "exact_p": stats.binomtest(n_a, n_a + n_b).pvalue if n_a + n_b else 1.0,
            "chi2_continuity": (abs(n_a - n_b) - 1) ** 2 / (n_a + n_b) if n_a + n_b else 0.0,
        }  # fmt: skip
    return found


def recorded(folder, task: str, seed: int, odd: str = ""):
    """Writes a table and its record; where the record is."""
    rng = np.random.default_rng([seed, len(odd)])
    n = 12 if odd == "leave one out" else int(rng.integers(40, 160))
    x, y = data_of(rng, task, n, odd)
    fold = folds_of(rng, y, odd)
    said = predictions(rng, task, odd, x, y, fold)
    judge = (lambda p: p == y) if task == "classification" else (lambda p: (p - y) ** 2)
    right = {name: judge(p) for name, p in said.items()}
    scores = {name: [float(r[fold == f].mean()) for f in np.unique(fold)] for name, r in right.items()}
    record = {
        "system": "statistics", "dataset": "drawn", "features": ["x0", "x1", "x2"], "task": task,
        "k": len(np.unique(fold)), "fold_of_row": fold.tolist(), "fold_scores": scores,
        "fold_sizes": np.unique(fold, return_counts=True)[1].tolist(),
        "summary": {
            name: {"mean": np.mean(s), "sd": np.std(s, ddof=1), "standard_error": np.std(s, ddof=1) / len(s) ** 0.5,
                   "pooled": right[name].mean()} for name, s in scores.items()
        },
        "cv_predictions": {name: p.tolist() for name, p in said.items()},
    }  # fmt: skip
    if odd in ("a constant difference", "many ties"):  # as no trees give them: scores alone, without the answers
        one = rng.integers(0, 4, 10) / 4
        scores = {"full": one.tolist(), "shallow": (one + 0.125 if odd[0] == "a" else rng.permutation(one)).tolist()}
        record |= {"fold_scores": scores, "cv_predictions": {}, "summary": {}}
    names = list(scores)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    with_answers = task if record["cv_predictions"] else "scores"
    record["tests"] = [compared(a, b, scores, right, with_answers) for a, b in pairs]
    return written(folder, record, task, x, y)


def written(folder, record: dict, task: str, x: np.ndarray, y: np.ndarray):
    for name in ("data", "stats"):
        (folder / name).mkdir()
    target = (
        {"name": "y", "kind": "numeric"}
        if task == "regression"
        else {"name": "y", "kind": "nominal", "levels": CLASSES}
    )
    columns = [*({"name": f"x{j}", "kind": "numeric"} for j in range(3)), target]
    (folder / "data" / "drawn.schema.json").write_text(json.dumps({"target": "y", "task": task, "columns": columns}))
    with (folder / "data" / "drawn.csv").open("w", newline="") as file:
        csv.writer(file).writerows(
            [["x0", "x1", "x2", "y"], *([*row, of] for row, of in zip(x.tolist(), y.tolist(), strict=True))]
        )
    path = folder / "stats" / "drawn.json"
    path.write_text(json.dumps(record, default=float))
    return path


@pytest.mark.parametrize(("task", "seed"), ORDINARY)
def test_drawn_cross_validations_match(tmp_path, task, seed):
    found = compare_stats(read_stats(recorded(tmp_path, task, seed)))
    assert (found.verdict, found.detail) == ("match", "3 learners, 3 paired tests")


@pytest.mark.parametrize("odd", ODD)
def test_odd_cross_validations_match(tmp_path, odd):
    found = compare_stats(read_stats(recorded(tmp_path, "classification", 1, odd)))
    assert found.verdict == "match", found.detail


@pytest.mark.parametrize("odd", ["two folds", "leave one out", "the same learner twice", "constant predictions"])
def test_odd_cross_validations_of_numbers_match(tmp_path, odd):
    found = compare_stats(read_stats(recorded(tmp_path, "regression", 2, odd)))
    assert found.verdict == "match", found.detail


def test_null_is_not_compared(tmp_path):
    path = recorded(tmp_path, "classification", 1, "the same learner twice")
    record = json.loads(path.read_text())
    [same] = [of for of in record["tests"] if (of["a"], of["b"]) == ("full", "dummy")]
    assert np.isnan(same["t"]), "S = 0"
    same.update(t=None, p=None, corrected_resampled_t=None, corrected_p=None, wilcoxon_p_normal=None)
    path.write_text(json.dumps(record))
    assert compare_stats(read_stats(path)).verdict == "match"


def test_a_wrong_number_is_a_mismatch(tmp_path):
    path = recorded(tmp_path, "classification", 3)
    record = json.loads(path.read_text())
    record["tests"][0]["mcnemar"]["a_right_b_wrong"] += 1
    path.write_text(json.dumps(record))
    assert compare_stats(read_stats(path)).verdict == "mismatch"
