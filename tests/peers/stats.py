"""Recorded cross-validations: fold scores, their summaries and paired tests, computed anew from what is recorded."""

import json
from pathlib import Path

import numpy as np

from tests.peers.case import Case, table_of
from tests.peers.compare import Verdict
from tests.peers.recorded import first_difference_of
from treecore.study import PairedT, mcnemar_of, paired_t, resampled_t, summary, wilcoxon


def stats_files(folder: Path) -> list[Path]:
    """The files of a set's cross-validations, by name."""
    return sorted((folder / "stats").glob("*.json"))


def read_stats(path: Path) -> Case:
    """A recorded cross-validation, with the target that its table declares."""
    folder, data = path.parents[1], {"id": path.stem} | json.loads(path.read_text("utf-8"))
    schema = json.loads((folder / "data" / f"{data['dataset']}.schema.json").read_text("utf-8"))
    return Case(folder, {"target": schema["target"]} | data)


def compare_stats(case: Case) -> Verdict:
    """Scores from the recorded answers, then summaries and tests from the recorded scores."""
    if not case.get("fold_scores"):
        return Verdict(case.id, "stats", "unsupported", "no fold scores are recorded")
    n, fold = len(case["fold_scores"]), np.array(case.get("fold_of_row") or ())
    found = _sizes(case, fold) or _scores(case, fold) or _tests(case)
    if found:
        return Verdict(case.id, "stats", "mismatch", found)
    return Verdict(case.id, "stats", "match", f"{n} learners, {len(case.get('tests') or ())} paired tests")


def _sizes(case: Case, fold: np.ndarray) -> str:
    _, sizes = np.unique(fold, return_counts=True)
    return first_difference_of(case.data, {"k": len(sizes), "fold_sizes": sizes}) if len(fold) else ""


def _scores(case: Case, fold: np.ndarray) -> str:
    """The first learner whose scores or their summary differ."""
    for name, scores in case["fold_scores"].items():
        of, ours = summary(scores), {}
        recorded = dict((case.get("summary") or {}).get(name) or {})
        answers = (case.get("cv_predictions") or {}).get(name)
        if answers and len(fold):
            right = _rightness(case, answers)
            ours = {"pooled": right.mean(), "fold_scores": [right[fold == f].mean() for f in np.unique(fold)]}
        ours |= {"mean": of.mean, "sd": of.sd, "standard_error": of.standard_error}
        if text := first_difference_of(recorded | {"fold_scores": scores}, ours):
            return f"{name}: {text}"
    return ""


def _rightness(case: Case, answers: list) -> np.ndarray:
    """float64 (n_rows,): 1 where an answer is right, of a numeric target the squared error."""
    target = table_of(case).target_column
    if target.kind == "numeric":
        return (np.array(answers, float) - target.values()) ** 2
    return np.array([ours == theirs for ours, theirs in zip(answers, target.labels(), strict=True)], float)


def _tests(case: Case) -> str:
    """The first paired test that differs. The records take the first learner's score less the second's."""
    for recorded in case.get("tests") or ():
        a, b = (np.array(case["fold_scores"][recorded[side]]) for side in "ab")
        ours = _t_numbers(paired_t(b, a)) | _corrected_numbers(resampled_t(b, a, 1 / (len(a) - 1)))
        ranks = wilcoxon(b, a, same=0)  # scipy's ties are those of the last bit
        ours |= {"wilcoxon_statistic": ranks.statistic, "wilcoxon_p_normal": ranks.p_normal}
        text = first_difference_of(recorded, ours) or _mcnemar_difference(case, recorded)
        if text:
            return f"{recorded['a']} against {recorded['b']}: {text}"
    return ""


def _t_numbers(found: PairedT) -> dict:
    return {
        "mean_difference": found.mean,
        "sd_difference": found.sd,
        "t": found.t,
        "df": found.df,
        "p": found.p,
        "ci95": [found.low, found.high],
    }


def _corrected_numbers(found: PairedT) -> dict:
    return {"corrected_resampled_t": found.t, "corrected_p": found.p}


def _mcnemar_difference(case: Case, recorded: dict) -> str:
    """On all rows, each answered by the tree of its fold."""
    answers = [(case.get("cv_predictions") or {}).get(recorded[side]) for side in "ab"]
    if not recorded.get("mcnemar") or None in answers:
        return ""
    found = mcnemar_of(*(_rightness(case, said) for said in answers))
    ours = {"a_right_b_wrong": found.first_only, "a_wrong_b_right": found.second_only, "exact_p": found.p}
    return first_difference_of(recorded["mcnemar"], ours | {"chi2_continuity": found.chi_square})
