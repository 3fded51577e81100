"""What is kept for all sessions: bounded by bytes, gone with the last one that has used it, whole between threads."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import treecore as tc
from pages.shared.server import memo
from pages.shared.session import leaving
from treecore.data.samples import read_sample
from treecore.engine.memory import buffers_of

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def nothing_kept():
    memo.clear()
    yield
    memo.clear()


@pytest.fixture
def asked_by(monkeypatch):
    """asked_by("ann"): from now on it is she who asks."""

    def by(user):
        monkeypatch.setattr(memo, "user", lambda: user)

    return by


def numbers(megabytes: float) -> np.ndarray:
    return np.zeros(int(megabytes * MEGABYTE), np.uint8)


def test_the_bound_is_one_of_bytes(monkeypatch):
    monkeypatch.setattr(memo, "MOST_BYTES", 10 * MEGABYTE)
    for i in range(20):
        memo.get(i, lambda: numbers(3))
        assert memo.kept_bytes() < 10 * MEGABYTE
    assert [memo.find(i) is not None for i in range(20)] == [False] * 17 + [True] * 3
    for i in range(1000):
        memo.get(("small", i), lambda: numbers(0.001))
    assert memo.find(("small", 0)) is not None, "a thousand small ones have room"


def test_what_is_larger_than_the_bound_is_kept_until_the_next_one(monkeypatch):
    monkeypatch.setattr(memo, "MOST_BYTES", MEGABYTE)
    memo.get("large", lambda: numbers(5))
    assert memo.find("large") is not None
    memo.get("other", lambda: numbers(5))
    assert memo.find("large") is None


def test_what_several_results_hold_counts_once():
    whole = numbers(4)
    memo.get("whole", lambda: whole)
    memo.get("halves", lambda: {"train": whole[: 2 * MEGABYTE], "test": (whole[2 * MEGABYTE :],)})
    assert 4 * MEGABYTE <= memo.kept_bytes() < 4.1 * MEGABYTE


def test_what_only_one_has_used_goes_when_he_leaves(asked_by):
    asked_by("ann")
    for key in ("hers", "both"):
        memo.get(key, lambda: numbers(1))
    asked_by("bob")
    memo.get("both", lambda: numbers(1))
    kept = weakref.ref(memo.find("both"))
    memo.leave("ann")
    assert memo.find("hers") is None
    assert memo.find("both") is not None
    memo.leave("bob")
    assert kept() is None
    assert memo.kept_bytes() == 0


def test_what_grows_between_two_results_that_hold_it_leaves_nothing_behind(asked_by):
    asked_by("ann")
    both = ["one"]
    memo.get("before", lambda: (1, both))
    both += ["more"] * 1000
    memo.get("after", lambda: (2, both))
    memo.leave("ann")
    assert memo.kept_bytes() == 0


def test_bytes_of_a_table_and_a_tree_are_those_of_their_arrays():
    table = read_sample("titanic")
    codes = sum(column.codes.nbytes for column in table.columns)
    assert codes < sum(buffers_of(table).values()) < 40 * codes
    tree = tc.grow(table)
    assert tree.stats.nbytes < sum(buffers_of(tree).values()) < 100 * tree.stats.nbytes + codes


def test_no_thread_is_handed_nothing(monkeypatch):
    """Results come and go between the question whether there is one and the answer."""
    monkeypatch.setattr(memo, "MOST_BYTES", 3000)
    found = []

    def work(seed):
        for i in range(3000):
            key = (seed + i) % 7
            made = memo.find(key)
            found.append(memo.get(key, lambda: np.zeros(1000, np.uint8)) if made is None else made)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert all(isinstance(value, np.ndarray) for value in found)


def test_a_tree_that_goes_while_it_is_asked_for_is_grown_again(app, monkeypatch):
    """The tree is dropped right after the page has found that there is one."""
    app.sample("iris").go("grow")
    find = memo.find

    def find_and_drop(key, default=None):
        found = find(key, default)
        memo.clear()
        return found

    monkeypatch.setattr(memo, "find", find_and_drop)
    app.set("max_depth", 2).run()
    assert app.at.subheader[0].value == "Node 0"


def test_a_session_takes_its_results_along(app):
    app.sample("iris").go("grow")
    guest = next(iter(leaving._here.values()))
    assert memo.kept_bytes() > 0
    leaving.sweep(guest)
    assert memo.kept_bytes() == 0
    assert guest.session not in leaving._here
    assert gc.get_freeze_count() > 0


def test_who_comes_back_in_time_finds_everything(app):
    app.sample("iris").go("grow")
    guest = next(iter(leaving._here.values()))
    leaving._here[guest.session] = leaving._Guest(guest.session)
    leaving.sweep(guest)
    assert memo.kept_bytes() > 0
    del leaving._here[guest.session]
