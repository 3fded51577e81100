"""What a case does not record is not compared, what it records wrongly is found, and none of them ends a run."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests import conformance
from tests.conformance import ALL_PARTS, DEFAULT, judge, verdicts_on
from tests.peers import adapter
from tests.peers.case import Case, read_case

CASES = (
    "ctree_iris_party",
    "rpart_kyphosis_prior_loss",
    "sklearn_iris_entropy_depth3",
    "weka_id3_willwait",
    "weka_j48_contact_lenses_c25",
    "weka_j48_labor_c25",
    "weka_reptree_iris_nopruning",
)
NEEDED = {"id", "system", "scheme", "package", "dataset", "task", "target", "features", "settings",
          "weights", "rows_used", "split_rows", "tree", "split", "variable", "branches", "children", "tie",
          "in", "eq", "ne", "path", "split_not_best_on_these_rows", "grow_rows_in_weka_order",
          "prune_rows_in_weka_order", "not_tested", "empty"}  # fmt: skip
"""Without these there is no fit to repeat, or another one."""
COMPARED = {
    "ctree_iris_party": "n counts statistic df unadjusted_p one_minus_p split_statistic threshold",
    "ctree_iris": "p_value",
    "rpart_cu_summary_anova": "mean deviance improve value",
    "rpart_kyphosis_gini_default": "n n_rows counts threshold improve agree adj n_used competitors surrogates CP "
    "nsplit rel_error xerror xstd leaf_node_ids errors prob",
    "sklearn_sk_diabetes_mse_path": "n impurity value threshold impurity_decrease ccp_alphas impurities n_nodes "
    "n_leaves",
    "weka_id3_willwait": "counts info_gain info_gains prob",
    "weka_j48_labor_c25": "counts threshold info_gain gain_ratio average_info_gain branch_counts midpoint n_thresholds "
    "errors_leaf errors_subtree errors_largest_branch n_nodes prob",
    "weka_reptree_iris_nopruning": "grow_distribution threshold gain prob",
}
"""Numbers that have to be ours where they are recorded."""
SOURCES = "".join(path.read_text("utf-8") for path in Path(adapter.__file__).parent.glob("*.py"))
"""Of the adapters: a field that they do not mention plays no part."""


def recorded(name: str) -> Case:
    return read_case(DEFAULT / "cases" / f"{name}.json")


def without(name: str, data):
    """A copy without what is recorded under this name, at any depth."""
    if isinstance(data, list):
        return [without(name, item) for item in data]
    if not isinstance(data, dict):
        return data
    return {key: value if key == "settings" else without(name, value) for key, value in data.items() if key != name}


def altered(name: str, data, inside: bool = False):
    """A copy with other numbers under this name, at any depth."""
    if isinstance(data, list):
        return [altered(name, item, inside) for item in data]
    if isinstance(data, dict):
        return {k: v if k == "settings" else altered(name, v, inside or k == name) for k, v in data.items()}
    is_number = isinstance(data, int | float) and not isinstance(data, bool)
    return data * 1.25 + 1 if inside and is_number else data


def names_in(data) -> set[str]:
    if isinstance(data, list):
        return set().union(*map(names_in, data))
    if not isinstance(data, dict):
        return set()
    return set(data) | set().union(*(names_in(value) for key, value in data.items() if key != "settings"))


def fields_of(case: Case) -> list[str]:
    """Names of what a comparison could miss."""
    return sorted(name for name in names_in(case.data) - NEEDED if f'"{name}"' in SOURCES)


def mismatches(case: Case) -> list[str]:
    verdicts = [judge(case, part) for part in ALL_PARTS]
    return [f"{v.part}: {v.detail}" for v in verdicts if v.verdict == "mismatch"]


@pytest.mark.parametrize("name", CASES)
def test_a_record_without_one_of_its_fields_is_no_mismatch(name):
    case = recorded(name)
    for field in fields_of(case):
        assert mismatches(replace(case, data=without(field, case.data))) == [], field


@pytest.mark.parametrize("name", [*CASES, "rpart_cu_summary_anova", "weka_j48_diabetes_reduced_error"])
def test_a_bare_tree_is_no_mismatch(name):
    data = recorded(name).data
    for field in names_in(data) - NEEDED - {"op", "threshold"}:
        data = without(field, data)
    assert mismatches(Case(DEFAULT, data)) == []


@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name, fields in COMPARED.items() for field in fields.split()]
)
def test_another_number_is_a_mismatch(name, field):
    case = recorded(name)
    other = altered(field, case.data)
    assert other != case.data
    assert mismatches(replace(case, data=other))


# --- made-up cases ---------------------------------------------------------------------------------------------------

SCHEMA = {
    "columns": [
        {"name": "x", "kind": "numeric"},
        {"name": "g", "kind": "nominal", "levels": ["a", "b", "c"]},
        {"name": "y", "kind": "nominal", "levels": ["n", "p"]},
    ]
}
ROWS = [(i, "abc"[i % 3], "p" if i % 3 == 1 else "n") for i in range(60)]
"""Level b of g is class p, the others are n; x tells nothing."""
BY_NUMBER = [(i, "abc"[i % 3], "n" if i < 30 else "p") for i in range(60)]
"""Rows from x = 30 on are class p; g tells nothing."""


def write_set(folder, rows=ROWS, **cases):
    """A set of one table and some cases, given by name as a dict, or as text that is no case."""
    for part in ("data", "cases"):
        (folder / part).mkdir()
    (folder / "data" / "toy.schema.json").write_text(json.dumps(SCHEMA))
    (folder / "data" / "toy.csv").write_text("x,g,y\n" + "".join(f"{x},{g},{y}\n" for x, g, y in rows))
    for name, case in cases.items():
        (folder / "cases" / f"{name}.json").write_text(case if isinstance(case, str) else json.dumps(case))
    return folder


def bare(system: str, split: dict, features=("x", "g"), n_children: int = 2, **more) -> dict:
    tree = {"split": split, "children": [{} for _ in range(n_children)]}
    start = {"system": system, "dataset": "toy", "task": "classification", "target": "y", "features": list(features)}
    return start | {"tree": tree} | more


def cut(threshold: float, low: str, high: str) -> dict:
    branches = [{"op": low, "value": threshold}, {"op": high, "value": threshold}]
    return {"variable": "x", "threshold": threshold, "branches": branches}


def groups(*levels: str) -> dict:
    return {"variable": "g", "branches": [{"in": list(group)} for group in levels]}


def details(folder, name: str) -> dict[str, tuple[str, str]]:
    return {v.part: (v.verdict, v.detail) for v in verdicts_on(folder / "cases" / f"{name}.json")}


BARE = {
    "rpart": bare("rpart", cut(29.5, "<", ">=")),
    "sklearn": bare("sklearn", cut(29.5, "<=", ">"), features=["x"]),
    "ctree": bare("ctree", cut(29, "<=", ">")),
    "j48": bare("weka", cut(29, "<=", ">"), scheme="J48"),
    "reptree": bare("weka", cut(29.5, "<", ">="), scheme="REPTree", settings={"options": "-P"}),
}


@pytest.mark.parametrize("name", BARE)
def test_a_made_up_case_needs_nothing_but_its_tree(tmp_path, name):
    """No settings: the system's own; no counts, merits, logs, sizes, predictions."""
    found = details(write_set(tmp_path, BY_NUMBER, case=BARE[name]), "case")
    assert found["grow"][0] == "match"
    assert found["predict"] == ("unsupported", "no predictions are recorded")
    assert "mismatch" not in {verdict for verdict, _ in found.values()}


@pytest.mark.parametrize("name", BARE)
def test_a_made_up_case_with_another_threshold_is_a_mismatch(tmp_path, name):
    split = BARE[name]["tree"]["split"]
    other = cut(split["threshold"] + 1, *(b["op"] for b in split["branches"]))
    found = details(
        write_set(tmp_path, BY_NUMBER, case=BARE[name] | {"tree": {"split": other, "children": [{}, {}]}}), "case"
    )
    assert found["grow"][0] == "mismatch"
    assert "29" in found["grow"][1]


def j48_with(candidate: dict) -> dict:
    tree = BARE["j48"]["tree"] | {"candidates": [{"variable": "x"} | candidate]}
    return BARE["j48"] | {"tree": tree}


def test_a_candidate_may_be_recorded_without_the_number_of_its_cuts(tmp_path):
    folder = write_set(
        tmp_path,
        BY_NUMBER,
        without=j48_with({"valid": True, "midpoint": 29.5}),
        right=j48_with({"n_thresholds": 55}),
        wrong=j48_with({"midpoint": 29.5, "n_thresholds": 3}),
        other=j48_with({"midpoint": 28.5}),
    )
    verdicts = {name: details(folder, name)["grow"][0] for name in ("without", "right", "wrong", "other")}
    assert verdicts == {"without": "match", "right": "match", "wrong": "mismatch", "other": "mismatch"}


@pytest.mark.parametrize(
    ("package", "first", "second", "verdict"),
    [
        ("partykit", "ac", "b", "match"),
        ("partykit", "b", "ac", "mismatch"),
        ("party", "ac", "b", "match"),
        ("party", "b", "ac", "match"),
        ("party", "ab", "c", "mismatch"),
        ("party", "c", "ab", "mismatch"),
    ],
)
def test_two_groups_of_levels_have_no_order_in_party(tmp_path, package, first, second, verdict):
    case = bare("ctree", groups(first, second), package=package)
    assert details(write_set(tmp_path, case=case), "case")["grow"][0] == verdict


def test_the_branches_of_party_keep_their_subtrees_when_they_are_exchanged(tmp_path):
    case = bare("ctree", groups("b", "ac"), package="party")
    case["classes"] = ["n", "p"]
    case["tree"]["children"] = [{"counts": [0, 20]}, {"counts": [40, 0]}]
    folder = write_set(
        tmp_path, case=case, wrong=case | {"tree": case["tree"] | {"children": [{"counts": [40, 0]}, {}]}}
    )
    assert details(folder, "case")["grow"][0] == "match"
    assert details(folder, "wrong")["grow"][0] == "mismatch"


def test_a_level_without_rows_may_be_in_either_group_of_party(tmp_path):
    rows = [(x, "ab"[x % 2], "np"[x % 2]) for x in range(60)]
    cases = {
        name: bare("ctree", groups(*name.split("_")), package="party") for name in ("b_ac", "bc_a", "a_bc", "c_ab")
    }
    folder = write_set(tmp_path, rows, **cases)
    verdicts = [details(folder, name)["grow"][0] for name in cases]
    assert verdicts == ["match", "match", "match", "mismatch"]


def test_cases_that_fail_are_mismatches_and_the_run_goes_on(tmp_path, monkeypatch, capsys):
    good = BARE["rpart"]
    write_set(
        tmp_path,
        BY_NUMBER,
        a_broken="{ no json",
        b_no_table=good | {"dataset": "nowhere"},
        c_no_variable=good | {"tree": {"split": {"threshold": 29.5}, "children": [{}, {}]}},
        d_no_system={k: v for k, v in good.items() if k != "system"},
        e_good=good,
    )
    monkeypatch.setattr("sys.argv", ["conformance.py", str(tmp_path), "--part", "grow", "--json", str(tmp_path / "v")])
    assert conformance.main() == 1
    written = {v["case"]: v for v in json.loads((tmp_path / "v").read_text())}
    assert [v["verdict"] for v in written.values()] == ["mismatch"] * 4 + ["match"]
    assert written["b_no_table"]["detail"].startswith("FileNotFoundError")
    assert written["c_no_variable"]["detail"].startswith("KeyError: 'variable'")
    assert capsys.readouterr().out.splitlines()[-1] == "1 match, 4 mismatch, 0 unsupported"
