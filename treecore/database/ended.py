"""A query in a thread of its own, so that it can be ended."""

import threading
import time
from collections.abc import Callable

LOOK_EVERY = 0.2
"""Seconds between two looks at whether a running query is still wanted."""
MOST_TRIES = 50
"""Looks that a query which was told to end may take to do so; then nobody waits for it any more."""


def ended(
    act: Callable, turn: threading.RLock, look: Callable[[], None], interrupt: Callable[[], bool], seconds: float | None
):
    """What `act` returns, which runs when it has its turn; `look` is called meanwhile, and may raise to end it.

    interrupt : ends what runs now, and says whether it could. TimeoutError where it takes longer than `seconds`.
    """
    work = _Work(act, turn)
    until = None if seconds is None else time.monotonic() + seconds
    try:
        while work.thread.is_alive():
            work.thread.join(LOOK_EVERY)
            look()
            if until is not None and time.monotonic() > until and work.thread.is_alive():
                raise TimeoutError
    except BaseException:
        work.give_up(interrupt)
        raise
    if work.faults:
        raise work.faults[0]
    return work.found[0]


class _Work:
    """found, faults : what came of it."""

    def __init__(self, act: Callable, turn: threading.RLock):
        self.found, self.faults = [], []
        self._act, self._turn = act, turn
        self._runs, self._gone = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            with self._turn:
                if not self._gone.is_set():
                    self._runs.set()
                    self.found.append(self._act())
        except BaseException as fault:
            self.faults.append(fault)

    def give_up(self, interrupt: Callable[[], bool]) -> None:
        """End it if it runs; an interrupt that comes before the engine has begun is lost, so that it is repeated."""
        self._gone.set()
        for _ in range(MOST_TRIES):
            if not (self._runs.is_set() and self.thread.is_alive() and interrupt()):
                return
            self.thread.join(LOOK_EVERY)
