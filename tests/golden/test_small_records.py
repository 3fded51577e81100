"""Small random tables (6 to 30 rows) as R, Weka and scikit-learn answer them: weights, gaps, levels that no row has,
rows that contradict each other, targets of one class. Each line of a file of the folder small is one fit.

Recorded from rpart 4.1.19, partykit 1.2-16 (R 4.2.2), Weka 3.6.14 and scikit-learn 1.9.1, in the format of the folder
records; ties that rounding settles are left out.
"""

import json
from pathlib import Path

import pytest

from tests.conformance import ROOT, all_verdicts, verdicts_on

SMALL = sorted((Path(__file__).parent / "small").glob("*.jsonl"))
FRESH = ROOT.parent / "shared" / "golden_fresh"
"""Records that not every copy of the project has beside it."""


def unpacked(path: Path, folder: Path) -> list[Path]:
    """The fits of a file as cases of a set of records."""
    for part in ("data", "cases"):
        (folder / part).mkdir()
    made = []
    for line in path.read_text("utf-8").splitlines():
        fit = json.loads(line)
        name = fit["case"]["id"]
        for end in ("", ".probe"):
            (folder / "data" / f"{name}{end}.csv").write_text(fit["probe" if end else "table"], "utf-8")
        (folder / "data" / f"{name}.schema.json").write_text(json.dumps(fit["schema"]), "utf-8")
        made.append(folder / "cases" / f"{name}.json")
        made[-1].write_text(json.dumps(fit["case"] | {"dataset": name}), "utf-8")
    return made


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_small_tables_are_answered_as_recorded(path, tmp_path):
    found = [verdict for case in unpacked(path, tmp_path) for verdict in verdicts_on(case)]
    assert [v for v in found if v.verdict == "mismatch"] == []
    assert {v.part for v in found if v.verdict == "match"} >= {"grow", "predict"}
    left_out = {v.detail for v in found if v.verdict == "unsupported"}
    assert all("nothing recorded" in why for why in left_out)


def test_every_system_has_small_tables():
    systems = "ctree id3 j48 jrip part prism reptree rpart sklearn"
    assert [path.stem for path in SMALL] == systems.split()


@pytest.mark.skipif(not FRESH.is_dir(), reason="no fresh records beside the project")
def test_fresh_records():
    found = list(all_verdicts(FRESH))
    assert [v for v in found if v.verdict == "mismatch"] == []
    assert sum(v.verdict == "match" for v in found) >= 54
