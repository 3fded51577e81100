"""The server of the app from outside: its memory and whether it works, as Linux tells them."""

import os
import time
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1e6


def _status(pid: int, name: str) -> float:
    """A figure of /proc/PID/status, in MB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / MEGABYTE


def memory(pid: int) -> float:
    """MB of memory in use now."""
    return _status(pid, "VmRSS")


def peak_memory(pid: int) -> float:
    """MB of memory at its highest since `forget_peak`, else since the start."""
    return _status(pid, "VmHWM")


def forget_peak(pid: int) -> None:
    """Start the highest use of memory anew."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that the process has used, all threads together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def seconds_until_idle(pid: int, since: float, window: float = 0.3, most: float = 60) -> float:
    """Seconds from `since` (time.perf_counter) to the end of the work: then `window` seconds are nearly idle.

    Nearly idle: less than a tenth of one processor, so that the server's own pulse does not count.
    """
    samples = [(time.perf_counter(), processor_seconds(pid))]
    while time.perf_counter() - since < most:
        time.sleep(0.01)
        samples.append((time.perf_counter(), processor_seconds(pid)))
        now, used = samples[-1]
        before = [s for s in samples if s[0] <= now - window]
        if before and used - before[-1][1] < 0.1 * window:
            return max(before[-1][0] - since, 0.0)
    return float("inf")
