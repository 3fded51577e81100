"""One process that fits one peer on one setting, as often as it is asked, and says what every fit took.

`python -m benchmarks.peers_worker PEER SETTING` (its fields as JSON) makes the rows, fits a small set first (imports,
kernels), answers a line on standard input with a fit and writes a line of JSON about it. A new process for every
setting, so that the first fit's memory is not what another one left behind. `Worker` is the side that asks.
"""

import json
import os
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from benchmarks.peers_fits import PEERS
from benchmarks.peers_settings import Setting, rows_of

ROOT = Path(__file__).resolve().parents[1]
STATUS, RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
KERNELS = {"TREECORE_UNCOMPILED": "0", "TREECORE_BACKGROUND": "0"}  # nothing without kernels, none compiled beside it
READY_SECONDS = 600.0  # for imports, rows and kernels that must be compiled


class Worker:
    """A process for one peer and one setting; `measured` may be called until it is closed."""

    def __init__(self, peer: str, setting: Setting):
        command = [sys.executable, "-m", "benchmarks.peers_worker", peer, json.dumps(setting.to_dict())]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        environment = os.environ | ONE_THREAD | KERNELS
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, text=True, **pipes)
        self.first = self._answer(READY_SECONDS)

    def measured(self, limit: float) -> dict:
        """{"seconds", "peak_mb" (growth), "leaves"} of one fit, or {"error"} where it cannot be done in time."""
        if "error" in self.first:
            return self.first
        with suppress(BrokenPipeError):
            print(file=self.process.stdin, flush=True)
        return self._answer(limit)

    def _answer(self, limit: float) -> dict:
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.process.kill()
            return {"error": f"more than {limit:g} s"}
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": "the process ended"}

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def _status_mb(key: str) -> float:
    """A line of /proc/self/status: VmRSS is the memory in use, VmHWM the most since it was reset."""
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith(key)) / 1024


def _fitted(peer, given, setting: Setting) -> dict:
    with suppress(OSError):
        RESET.write_text("5")  # the highest mark falls to what is in use
    before, start = _status_mb("VmRSS"), perf_counter()
    model = peer.fit(given, setting)
    seconds = perf_counter() - start
    return {"seconds": seconds, "peak_mb": _status_mb("VmHWM") - before, "leaves": peer.leaves(model)}


def _answers(name: str, setting: Setting):
    peer, small = PEERS[name], replace(setting, n_rows=min(setting.n_rows, 2000))
    peer.warm()
    peer.fit(peer.prepared(rows_of(small), small), small)
    given = peer.prepared(rows_of(setting), setting)
    yield {}
    for _ in sys.stdin:
        yield _fitted(peer, given, setting)


def main(name: str, setting: Setting) -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not get among the answers
    try:
        for answer in _answers(name, setting):
            print(json.dumps(answer), file=answers, flush=True)
    except Exception as error:  # the other process tells the reader
        print(json.dumps({"error": str(error)[:200]}), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Setting(**json.loads(sys.argv[2])))
