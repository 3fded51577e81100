"""Settings of a recorded fit; where one is not recorded, the system's own default."""

import numpy as np

RPART = {
    "minsplit": 20, "cp": 0.01, "maxcompete": 4, "maxsurrogate": 5, "usesurrogate": 2, "surrogatestyle": 0,
    "maxdepth": 30,
}  # fmt: skip
CTREE = {
    "teststat": "quadratic", "splitstat": "quadratic", "testtype": "Bonferroni", "alpha": 0.05, "minsplit": 20,
    "minbucket": 7, "maxdepth": None,
}  # fmt: skip


def settings_of(system: str, task: str, recorded: dict) -> dict:
    """The recorded settings over the defaults of the system (as Case.system names it)."""
    return {k: v for k, v in _defaults(system, task, recorded).items() if k not in recorded} | recorded


def _defaults(system: str, task: str, recorded: dict) -> dict:
    is_class = task == "classification"
    if system == "rpart":
        least = round(recorded.get("minsplit", RPART["minsplit"]) / 3)
        return RPART | {"minbucket": least, "method": "class" if is_class else "anova"}
    if system == "ctree":
        return CTREE
    if system == "sklearn":
        return {"criterion": "gini" if is_class else "squared_error"}
    return _j48(options(recorded)) if system == "weka_j48" else {}


def options(recorded: dict) -> dict[str, str]:
    """Weka's command line as switch -> value, '' for a switch without one."""
    given, switch = {}, ""
    for word in recorded.get("options", "").split():
        if word.startswith("-") and not word[1:2].isdigit():
            switch, given[word[1:]] = word[1:], ""
        else:
            given[switch] = word
    return given


def _j48(given: dict[str, str]) -> dict:
    return {
        "binary_splits": "B" in given,
        "reduced_error": "R" in given,
        "subtree_raising": "S" not in given,
        "unpruned": "U" in given,
        "laplace": "A" in given,
        "confidence_factor_as_float": float(np.float32(given.get("C", 0.25))),
        "min_num_obj": float(given.get("M", 2)),
    }
