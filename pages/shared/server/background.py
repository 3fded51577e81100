"""Long work that goes on while the reader looks at something else: how far it is, a Stop, and what came of it.

A job is a thread of the server; its result is kept by memo.py under its key. Whoever asks for the same key meanwhile
waits for the same job.
"""

import threading
from collections.abc import Callable, Hashable

import streamlit as st
from streamlit.runtime.scriptrunner import add_script_run_ctx, get_script_run_ctx

from pages.shared.server import long_work, memo
from pages.shared.session import state

PATIENCE = 0.5
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
            memo.get(key, lambda: make(self._report))
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


def kept(
    key: Hashable, make: Callable, said: Callable[[object], str], what: str, remedy: str, again: str,
    as_far: bool = False,
):  # fmt: skip
    """What is kept under this key. Where nothing is, a job makes it; the page ends here while that takes long.

    make : makes it, given a callback for its progress; it runs in a thread and must not ask for the session. said : the
    progress in words, as Markdown. what, remedy, again : see long_work.halt_if_stopped. as_far : once stopped, the
    callback says True, and make gives what it has so far.
    """
    found = memo.find(key)
    if found is not None:
        return found
    long_work.halt_if_stopped(key, what, remedy, again)
    job = _job(key, make, said)
    if not job.done.wait(PATIENCE):
        _watch(key, job, what, as_far)
        st.stop()
    with _lock:
        _jobs.pop(key, None)
    if job.fault is not None:
        raise job.fault
    if (found := memo.find(key)) is None:  # another session has stopped it
        return kept(key, make, said, what, remedy, again, as_far)
    return found


def _job(key: Hashable, make: Callable, said: Callable[[object], str]) -> _Job:
    """The job of this key, begun now where there is none."""
    with _lock:
        if key not in _jobs or _jobs[key].stopped:
            _jobs[key] = _Job(key, make, said)
        return _jobs[key]


def kept_for_canvas(key: Hashable, make: Callable):
    """What make() gives. The canvas is drawn first: where it had nothing to show yet, the page runs again."""
    new = memo.find(key) is None
    found = make()
    if new:
        st.rerun()
    return found


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

    st.html(long_work.NO_OTHER_STOP)
    shown()
