"""Work in the background: a fault is told by who asks, a stopped work ends, a result is kept for its session."""

import threading

import pytest

from pages.shared.server import cache, long_work
from treecore.errors import TreecoreError


@pytest.fixture
def kept(monkeypatch):
    """Asks for the result of a work, outside of any page."""
    monkeypatch.setattr(long_work, "halt_if_stopped", lambda *_: None)
    long_work._jobs.clear()
    return lambda key, make: long_work.cached_in_background(key, make, str, "Working", "wait", "Work")


def test_a_result_is_made_once(kept):
    made = []
    for _ in range(2):
        assert kept("once", lambda report: made.append(1) or len(made)) == 1
    assert made == [1]
    assert long_work._jobs == {}


def test_a_fault_is_told_and_nothing_is_kept(kept):
    def fail(report):
        raise TreecoreError("It cannot be", where="here", remedy="Do otherwise")

    for _ in range(2):
        with pytest.raises(TreecoreError, match="It cannot be"):
            kept("fault", fail)
    assert cache.find("fault") is None


def test_what_is_stopped_ends_at_its_next_word(kept, monkeypatch):
    ended = threading.Event()

    def endless(report):
        try:
            while True:
                report("on")
        finally:
            ended.set()

    job = long_work._job("endless", endless, str)
    assert long_work._job("endless", endless, str) is job, "who asks for the same waits for the same"
    job.stopped = True
    assert ended.wait(60)
    assert job.done.wait(60)
    assert cache.find("endless") is None
    assert kept("endless", lambda report: "anew") == "anew"
