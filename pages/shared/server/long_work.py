"""Work that takes long: how far it is, with a button that stops it, and another that takes it up again."""

import threading
import time
from collections.abc import Callable, Hashable
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from pages.shared.server import cache
from pages.shared.session import state
from treecore.figures import counted
from treecore.pruning import PruneProgress

PATIENCE = 0.3
"""Seconds of which nothing is said: most results are there before the browser could show it."""
AGAIN = 0.1
"""Seconds between two things said: work in short steps would be held up by its own progress."""
# Streamlit's own Stop would leave an empty page; ours says what was stopped and how to go on.
NO_OTHER_STOP = "<style>[data-testid=stStatusWidget] button { display: none; }</style>"


def halt_if_stopped(key: Hashable, what: str, remedy: str, again: str) -> None:
    """End the page here if the user has stopped this work; a button takes it up again.

    key : of the result. what : "Growing". remedy : "change a limit". again : the button's label.
    """
    if state.record().stopped != key:
        return
    st.warning(f"{what} was stopped. Nothing is lost: {remedy}, or go on.")
    st.button(again, on_click=lambda: state.change(stopped=None), key=f"go on {hash(key):x}")
    st.stop()


def cached(key: Hashable, make: Callable, said: Callable[[object], str], what: str, remedy: str, again: str):
    """What is kept under this key. Where nothing is, it is made now, watched, or the page ends as it was stopped.

    make : makes it, given a callback for its progress. said, what, remedy, again : as below and above.
    """
    result = cache.find(key)
    if result is not None:
        return result
    halt_if_stopped(key, what, remedy, again)
    with watched(key, said) as report:
        return cache.get(key, lambda: make(report))


@contextmanager
def watched(key: Hashable, said: Callable[[object], str]):
    """A callback that shows how far a long work is; its Stop button ends the work at the next call.

    said : the progress in words, as Markdown. What was shown goes when the work is done or fails.
    """
    shown, next_at = [], time.monotonic() + PATIENCE

    def report(progress) -> None:
        nonlocal next_at
        if time.monotonic() < next_at:
            return
        next_at = time.monotonic() + AGAIN
        if not shown:
            shown.extend(_shown(key))
        shown[1].markdown(said(progress))

    def clear() -> None:
        if shown:
            shown[0].empty()

    try:
        yield report
    except Exception:  # a stop is none, and must not call Streamlit again
        clear()
        raise
    clear()


def _shown(key: Hashable) -> tuple:
    """(the whole, the place of its words), with a Stop button beside them."""
    whole = st.empty()
    with whole.container():
        st.html(NO_OTHER_STOP)
        with st.container(horizontal=True, vertical_alignment="center"):
            words = st.empty()
            st.button("Stop", on_click=lambda: state.change(stopped=key), key=f"stop {hash(key):x}")
    return whole, words


def describe_growing(n_rows: int) -> Callable[[object], str]:
    """How far a tree is."""
    return lambda progress: (
        f"Growing on {n_rows:,} rows: {counted(progress.n_nodes, 'node')} so far, "
        f"{progress.n_waiting:,} waiting to be split"
    )


def describe_folds(n_rows: int) -> Callable[[object], str]:
    """How far a cross-validation is."""

    def said(progress) -> str:
        fold = min(progress.n_folds - progress.n_waiting + 1, progress.n_folds)
        told = f"Cross-validating on {n_rows:,} rows: fold {fold} of {progress.n_folds}"
        return told + (f", {progress.n_nodes:,} nodes in those that are done" if progress.n_nodes else "")

    return said


def describe_pruning(n_rows: int) -> Callable[[object], str]:
    """How far pruning is: at its folds, where it grows some, else at the nodes that it judges."""
    folds = describe_folds(n_rows)

    def said(progress) -> str:
        if not isinstance(progress, PruneProgress):
            return folds(progress)
        return f"Pruning: {progress.n_done:,} of {progress.n_nodes:,} nodes judged"

    return said


def describe_post_pruning(progress) -> str:
    """How far post-pruning is."""
    return f"Dropping preconditions: rule {progress.n_done + 1:,} of {progress.n_rules:,}"


# Long work that goes on while the reader looks at something else: how far it is, a Stop, and what came of it.
#
# A job is a thread of the server; its result is kept by cache.py under its key. Whoever asks for the same key meanwhile
# waits for the same job.

JOB_PATIENCE = 0.5
"""Seconds that a run waits for a job: most are done before the browser could show anything."""
EVERY = 0.7
"""Seconds between two looks at how far it is."""


class _StoppedError(Exception):
    """Ends the work that nobody waits for any more."""


class _Job:
    """A work that has begun. said : its progress in words. stopped : its result is not wanted. enough : it is, as
    far as it has come. done : set at the end, whatever the end was."""

    def __init__(self, key: Hashable, make: Callable, said: Callable[[object], str]):
        self.said, self.now, self.fault, self.stopped, self.enough = said, None, None, False, False
        self.done = threading.Event()
        thread = threading.Thread(target=self._run, args=(key, make), daemon=True)
        add_script_run_ctx(thread, get_script_run_ctx(suppress_warning=True))  # its result belongs to this session
        thread.start()

    def _run(self, key: Hashable, make: Callable) -> None:
        try:
            cache.get(key, lambda: make(self._report))
        except _StoppedError:
            self.stopped = True
        except Exception as fault:  # told by the run that asks for the result
            self.fault = fault
        finally:
            self.done.set()

    def _report(self, now: object) -> bool:
        if self.stopped:
            raise _StoppedError
        self.now = now
        return self.enough


_jobs: dict[Hashable, _Job] = {}
_lock = threading.Lock()


def cached_in_background(
    key: Hashable, make: Callable, said: Callable[[object], str], what: str, remedy: str, again: str,
    as_far: bool = False,
):  # fmt: skip
    """What is kept under this key. Where nothing is, a job makes it; the page ends here while that takes long.

    make : makes it, given a callback for its progress; it runs in a thread and must not ask for the session. said : the
    progress in words, as Markdown. what, remedy, again : see long_work.halt_if_stopped. as_far : once stopped, the
    callback says True, and make gives what it has so far.
    """
    result = cache.find(key)
    if result is not None:
        return result
    halt_if_stopped(key, what, remedy, again)
    job = _job(key, make, said)
    if not job.done.wait(JOB_PATIENCE):
        _watch(key, job, what, as_far)
        st.stop()
    with _lock:
        _jobs.pop(key, None)
    if job.fault is not None:
        raise job.fault
    if (result := cache.find(key)) is None:  # another session has stopped it
        return cached_in_background(key, make, said, what, remedy, again, as_far)
    return result


def _job(key: Hashable, make: Callable, said: Callable[[object], str]) -> _Job:
    """The job of this key, begun now where there is none."""
    with _lock:
        if key not in _jobs or _jobs[key].stopped:
            _jobs[key] = _Job(key, make, said)
        return _jobs[key]


def cached_for_canvas(key: Hashable, make: Callable):
    """What make() gives. The canvas is drawn first: where it had nothing to show yet, the page runs again."""
    new = cache.find(key) is None
    result = make()
    if new:
        st.rerun()
    return result


def _watch(key: Hashable, job: _Job, what: str, as_far: bool) -> None:
    """How far it is, anew every now and then, with a Stop; the page runs again when there is something to show."""

    def stop() -> None:
        if as_far:
            job.enough = True
            return
        job.stopped = True
        state.change(stopped=key)

    @st.fragment(run_every=EVERY)
    def shown() -> None:
        if job.done.is_set() or job.stopped:
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{what} …" if job.now is None else job.said(job.now))
            st.button("Stop", on_click=stop, key=f"stop {hash(key):x}")
        kept_so_far = " Stop keeps the best so far." if as_far else ""
        st.caption(f"It goes on while you look at other pages.{kept_so_far}")

    st.html(NO_OTHER_STOP)
    shown()
