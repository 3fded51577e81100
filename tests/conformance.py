"""Compare treecore with recorded outputs of other systems, node for node.

    python tests/conformance.py [DIR] [--system rpart] [--part grow|prune|predict|stats] [--json FILE]

A case is one fit and has the first three parts; the files of the folder stats are the last.
One verdict per case and part: match, mismatch (first difference) or unsupported (reason). Exit code 1 on a mismatch.
"""

import argparse
import json
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.peers.case import Case, case_files, read_case  # noqa: E402
from tests.peers.compare import Verdict, compare_growth  # noqa: E402
from tests.peers.ctree import Ctree  # noqa: E402
from tests.peers.predict import compare_predictions  # noqa: E402
from tests.peers.rpart import Rpart  # noqa: E402
from tests.peers.sklearn import Sklearn  # noqa: E402
from tests.peers.stats import compare_stats, read_stats, stats_files  # noqa: E402
from tests.peers.weka_id3 import WekaId3  # noqa: E402
from tests.peers.weka_j48 import WekaJ48  # noqa: E402
from tests.peers.weka_reptree import WekaReptree  # noqa: E402
from tests.peers.weka_rules import WekaRules  # noqa: E402

ADAPTERS = {"ctree": Ctree(), "rpart": Rpart(), "sklearn": Sklearn(), "weka_id3": WekaId3(), "weka_j48": WekaJ48()}
ADAPTERS["weka_reptree"] = WekaReptree()
ADAPTERS |= {"weka_prism": WekaRules("prism"), "weka_jrip": WekaRules("ripper"), "weka_part": WekaRules("part")}
PARTS = {"grow": compare_growth, "predict": compare_predictions}
FIT_PARTS = ("grow", "prune", "predict")
ALL_PARTS = (*FIT_PARTS, "stats")
DEFAULT = ROOT / "tests" / "golden" / "records"
NOT_PRUNING = ("ctree", "weka_id3")
"""Systems that prune nothing."""


def judge(case: Case, part: str) -> Verdict:
    """The verdict on one part of one case; an error on the way is a mismatch, it ends no run."""
    try:
        return _judged(case, part)
    except Exception as error:
        return _failed(case.id, part, error)


def _failed(name: str, part: str, error: Exception) -> Verdict:
    """The error as the difference, and where it happened."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    detail = f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})"
    return Verdict(name, part, "mismatch", detail)


def _judged(case: Case, part: str) -> Verdict:
    own = getattr(ADAPTERS.get(case.system), f"compare_{part}", None)
    if own is not None:
        return own(case)
    if part == "prune" and case.system in NOT_PRUNING:
        return Verdict(case.id, part, "unsupported", "nothing recorded: the peer does not prune")
    if part not in PARTS:
        return Verdict(case.id, part, "unsupported", f"comparing the part {part!r} is not built yet")
    adapter = ADAPTERS.get(case.system)
    if adapter is None:
        return Verdict(case.id, part, "unsupported", f"the system {case.system} is not built yet")
    return PARTS[part](adapter, case)


def stats_verdicts(folder: Path, system: str = "") -> list[Verdict]:
    """The verdicts on the recorded cross-validations and paired tests of a set."""
    return [_stats_verdict(path) for path in stats_files(folder) if "statistics".startswith(system)]


def _stats_verdict(path: Path) -> Verdict:
    try:
        return compare_stats(read_stats(path))
    except Exception as error:
        return _failed(path.stem, "stats", error)


def verdicts_on(path: Path, system: str = "", parts: tuple[str, ...] = FIT_PARTS) -> list[Verdict]:
    """The verdicts on a recorded case, mismatches if it cannot be read.

    system : how the system's name has to start; of another there are no verdicts.
    """
    try:
        case = read_case(path)
        is_asked = case.system.startswith(system)
    except Exception as error:
        return [_failed(path.stem, part, error) for part in parts]
    return [judge(case, part) for part in parts] if is_asked else []


def all_verdicts(folder: Path, system: str = "", part: str | None = None) -> Iterator[Verdict]:
    """Those on all files of a set, one after the other. part : only that one."""
    parts = tuple(p for p in FIT_PARTS if part in (None, p))
    for path in case_files(folder) if parts else ():
        yield from verdicts_on(path, system, parts)
    if part in (None, "stats"):
        yield from stats_verdicts(folder, system)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--system", default="", help="only systems whose name starts so: rpart, sklearn, weka_id3 ...")
    parser.add_argument("--part", choices=ALL_PARTS)
    parser.add_argument("--json", type=Path, help="write the verdicts to this file")
    options = parser.parse_args()
    if not (options.folder / "cases").is_dir():
        parser.error(f"{options.folder} has no folder 'cases'")
    verdicts = []
    for v in all_verdicts(options.folder, options.system, options.part):
        verdicts.append(v)
        print(f"{v.verdict:12} {v.part:8} {v.case:42} {v.detail}", flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(v) for v in verdicts], indent=1), "utf-8")
    n = Counter(v.verdict for v in verdicts)
    print(f"{n['match']} match, {n['mismatch']} mismatch, {n['unsupported']} unsupported")
    return int(n["mismatch"] > 0)


if __name__ == "__main__":
    sys.exit(main())
