"""How many threads work at once on trees that do not wait for each other: a limit, as joblib's n_jobs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Integral
from typing import Any

from treecore.errors import TreecoreError

SWITCH = "TREECORE_JOBS"
"""Of the environment: the limit where nobody says another, such as that of a server for many."""
_limit: ContextVar[int | None] = ContextVar("n_jobs", default=None)


@contextmanager
def parallel(n_jobs: int | None = None) -> Iterator[None]:
    """Within it at most so many threads grow and judge trees: `with tc.parallel(n_jobs=1): tc.fit(...)`.

    Forests, folds, samples, permutations and the routing of many rows use threads; what they find does not depend on
    how many there are. A single tree of many rows does, too, but only where somebody sets a limit: all who share a
    machine would wait for it otherwise. The innermost limit holds. A thread of several has its part of the limit for
    what it starts.
    n_jobs : from 1 on; -1 for all processors, -2 for all but one, and so on; None for the limit in force, which at
        first is that of TREECORE_JOBS in the environment, or all processors. TreecoreError for what is no such number.
    """
    before = _limit.set(_limit.get() if n_jobs is None else n_threads(n_jobs))
    try:
        yield
    finally:
        _limit.reset(before)


def n_threads(n_jobs: int | None = None) -> int:
    """How many threads this limit allows, at least 1. n_jobs : as in parallel."""
    if n_jobs is None and (limit := _limit.get()) is not None:
        return limit
    if n_jobs is None:
        return _counted(os.environ.get(SWITCH) or "-1", SWITCH)  # an empty variable says nothing
    return _counted(n_jobs, "n_jobs")


def n_threads_of_tree() -> int:
    """How many threads may grow one tree: as many as somebody allows, else 1."""
    if (limit := _limit.get()) is not None:
        return limit
    return n_threads() if os.environ.get(SWITCH) else 1


def _counted(given: Any, where: str) -> int:
    is_text = isinstance(given, str) and given.strip().removeprefix("-").isdecimal()
    n = int(given) if is_text or (isinstance(given, Integral) and not isinstance(given, bool)) else 0
    if n == 0:
        remedy = "Give a whole number of threads, or -1 for all processors"
        raise TreecoreError(f"{given!r} is no number of threads", where=where, remedy=remedy)
    return n if n > 0 else max(n_processors() + 1 + n, 1)


def n_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
