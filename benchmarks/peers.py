"""Single trees beside scikit-learn, LightGBM, XGBoost, YDF, rpart and J48, in one interleaved run, as a table.

    uv run --extra peers python -m benchmarks.peers --out benchmarks/peers.md      # all settings, on a quiet machine
    uv run python -m benchmarks.peers --quick --peers "treecore; scikit-learn"      # up to 10 000 rows, two peers
    uv run python -m benchmarks.peers --presets 20000 100000                        # presets x tables, these sizes

--most-rows N leaves larger settings out; --only TEXT takes the settings whose name has it; --limit is the most
seconds of one fit; --core is the core that everything runs on. One process per peer and setting; the first fit of all
peers, then the second of all peers, and so on, so that a noisy moment hits all of them. Seconds are medians, from
arrays in memory to a grown tree. Memory is how much the process's peak rises in its first fit. Peers that are not
there are listed with the reason.
"""

import argparse
import os
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from benchmarks.peers_fits import MODULES, PEERS
from benchmarks.peers_outside import OUTSIDE
from benchmarks.peers_presets import grid
from benchmarks.peers_settings import GRID, Setting
from benchmarks.peers_table import report
from benchmarks.peers_worker import KERNELS, Worker

NAMES = (*PEERS, *OUTSIDE)
QUICK_ROWS = 10_000


def absent(peer: str) -> str:
    """Why a peer cannot be measured here; nothing where it can."""
    if peer in OUTSIDE:
        return OUTSIDE[peer].absent()
    module = MODULES.get(peer, "treecore")
    return "" if find_spec(module) else f"the module {module} is not installed"


def n_repeats(setting: Setting) -> int:
    if setting.n_rows <= 10_000:
        return 7
    return 3 if setting.n_rows <= 100_000 or setting.max_depth else 1


def compared(setting: Setting, peers: list[str], limit: float) -> dict[str, dict]:
    """Peer -> {"seconds" (median), "peak_mb", "leaves"} or {"error"}."""
    workers = {peer: OUTSIDE[peer](setting) if peer in OUTSIDE else Worker(peer, setting) for peer in peers}
    fits: dict[str, list[dict]] = {peer: [] for peer in peers}
    try:
        for repeat in range(n_repeats(setting)):
            for peer, worker in workers.items():
                if _goes_on(peer, fits[peer], repeat, limit):
                    fits[peer].append(worker.measured(limit))
    finally:
        for worker in workers.values():
            worker.close()
    return {peer: summary(found) for peer, found in fits.items()}


def _goes_on(peer: str, fits: list[dict], repeat: int, limit: float) -> bool:
    """One that failed or took long has been seen often enough; one that must be started anew, after a few times."""
    slow = bool(fits) and ("error" in fits[-1] or fits[-1]["seconds"] > limit / 3)
    return not slow and (peer not in OUTSIDE or repeat < OUTSIDE[peer].most_fits)


def summary(fits: list[dict]) -> dict:
    """Median seconds; the memory of the first fit, as later ones find what it left in the process."""
    done = [fit for fit in fits if "error" not in fit]
    return {**done[0], "seconds": median(fit["seconds"] for fit in done)} if done else fits[-1]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--quick", action="store_true", help=f"settings of at most {QUICK_ROWS} rows")
    asked.add_argument("--most-rows", type=int, default=1_000_000)
    asked.add_argument("--only", default="")
    asked.add_argument("--peers", default=";".join(NAMES), help=f"some of: {'; '.join(NAMES)}")
    asked.add_argument("--limit", type=float, default=150.0)
    asked.add_argument("--core", type=int)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--presets", type=int, nargs="+", help="every preset on every kind of table of so many rows")
    given = asked.parse_args()
    if given.core is not None:
        os.sched_setaffinity(0, {given.core})  # processes started from here inherit it
    if given.presets:
        os.environ.update(KERNELS)  # before treecore is imported
        _write("\n".join(grid(given.presets)), given.out)
        return
    most_rows = QUICK_ROWS if given.quick else given.most_rows
    goals = [goal for goal in GRID if goal.setting.n_rows <= most_rows and given.only in goal.setting.name]
    chosen = [name.strip() for name in given.peers.split(";")]
    missing = {peer: reason for peer in chosen if (reason := absent(peer))}
    peers = [peer for peer in chosen if peer not in missing]
    found = {}
    for goal in goals:
        found[goal] = compared(goal.setting, peers, given.limit)
        print(f"{goal.setting.name}: {found[goal]}", flush=True)
    _write(report(found, peers, missing), given.out)


def _write(text: str, out: Path | None) -> None:
    print(text)
    if out:
        out.write_text(text)


if __name__ == "__main__":
    main()
