"""Compare treecore with recorded outputs of other systems, node for node.

    python tests/conformance.py [DIR] [--system rpart] [--part grow|prune|predict|stats] [--json FILE]

One verdict per case and part: match, mismatch (first difference) or unsupported (reason). Exit code 1 on a mismatch.
"""

import argparse
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests.peers.case import Case, read_cases  # noqa: E402
from tests.peers.compare import Verdict, compare_growth  # noqa: E402
from tests.peers.ctree import Ctree  # noqa: E402
from tests.peers.predict import compare_predictions  # noqa: E402
from tests.peers.rpart import Rpart  # noqa: E402
from tests.peers.sklearn import Sklearn  # noqa: E402
from tests.peers.weka_id3 import WekaId3  # noqa: E402
from tests.peers.weka_j48 import WekaJ48  # noqa: E402
from tests.peers.weka_reptree import WekaReptree  # noqa: E402

ADAPTERS = {"ctree": Ctree(), "rpart": Rpart(), "sklearn": Sklearn(), "weka_id3": WekaId3(), "weka_j48": WekaJ48()}
ADAPTERS["weka_reptree"] = WekaReptree()
PARTS = {"grow": compare_growth, "predict": compare_predictions}
ALL_PARTS = ("grow", "prune", "predict", "stats")
DEFAULT = ROOT.parent / "shared" / "golden"
NOT_PRUNING = ("ctree", "weka_id3")
"""Systems that prune nothing."""


def judge(case: Case, part: str) -> Verdict:
    """The verdict on one part of one case."""
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--system", help="only systems whose name starts so: rpart, sklearn, weka_id3 ...")
    parser.add_argument("--part", choices=ALL_PARTS)
    parser.add_argument("--json", type=Path, help="write the verdicts to this file")
    options = parser.parse_args()
    if not (options.folder / "cases").is_dir():
        parser.error(f"{options.folder} has no folder 'cases'")
    verdicts = []
    for case in read_cases(options.folder):
        if options.system and not case.system.startswith(options.system):
            continue
        for part in [options.part] if options.part else ALL_PARTS:
            verdicts.append(judge(case, part))
            print(f"{verdicts[-1].verdict:12} {part:8} {case.id:42} {verdicts[-1].detail}", flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(v) for v in verdicts], indent=1), "utf-8")
    n = Counter(v.verdict for v in verdicts)
    print(f"{n['match']} match, {n['mismatch']} mismatch, {n['unsupported']} unsupported")
    return int(n["mismatch"] > 0)


if __name__ == "__main__":
    sys.exit(main())
