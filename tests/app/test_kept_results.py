"""What is kept for all sessions: bounded by bytes, gone with the last one that has used it, whole between threads."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import numpy as np
import pytest

import treecore as tc
from pages.shared.server import cache
from pages.shared.session import persistence
from treecore.data.samples import read_sample
from treecore.engine.memory import buffers_of

MEGABYTE = 1 << 20


@pytest.fixture(autouse=True)
def nothing_kept():
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def asked_by(monkeypatch):
    """asked_by("ann"): from now on it is she who asks."""

    def by(user):
        monkeypatch.setattr(cache, "user", lambda: user)

    return by


def numbers(megabytes: float) -> np.ndarray:
    return np.zeros(int(megabytes * MEGABYTE), np.uint8)


def test_the_bound_is_one_of_bytes(monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 10 * MEGABYTE)
    for i in range(20):
        cache.get(i, lambda: numbers(3))
        assert cache.cached_bytes() < 10 * MEGABYTE
    assert [cache.find(i) is not None for i in range(20)] == [False] * 17 + [True] * 3
    for i in range(1000):
        cache.get(("small", i), lambda: numbers(0.001))
    assert cache.find(("small", 0)) is not None, "a thousand small ones have room"


def test_what_is_larger_than_the_bound_is_kept_until_the_next_one(monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", MEGABYTE)
    cache.get("large", lambda: numbers(5))
    assert cache.find("large") is not None
    cache.get("other", lambda: numbers(5))
    assert cache.find("large") is None


def test_what_several_results_hold_counts_once():
    whole = numbers(4)
    cache.get("whole", lambda: whole)
    cache.get("halves", lambda: {"train": whole[: 2 * MEGABYTE], "test": (whole[2 * MEGABYTE :],)})
    assert 4 * MEGABYTE <= cache.cached_bytes() < 4.1 * MEGABYTE


def test_what_only_one_has_used_goes_when_he_leaves(asked_by):
    asked_by("ann")
    for key in ("hers", "both"):
        cache.get(key, lambda: numbers(1))
    asked_by("bob")
    cache.get("both", lambda: numbers(1))
    kept = weakref.ref(cache.find("both"))
    cache.leave("ann")
    assert cache.find("hers") is None
    assert cache.find("both") is not None
    cache.leave("bob")
    assert kept() is None
    assert cache.cached_bytes() == 0


def test_what_grows_between_two_results_that_hold_it_leaves_nothing_behind(asked_by):
    asked_by("ann")
    both = ["one"]
    cache.get("before", lambda: (1, both))
    both += ["more"] * 1000
    cache.get("after", lambda: (2, both))
    cache.leave("ann")
    assert cache.cached_bytes() == 0


def test_bytes_of_a_table_and_a_tree_are_those_of_their_arrays():
    table = read_sample("titanic")
    codes = sum(column.codes.nbytes for column in table.columns)
    assert codes < sum(buffers_of(table).values()) < 40 * codes
    tree = tc.grow(table)
    assert tree.stats.nbytes < sum(buffers_of(tree).values()) < 100 * tree.stats.nbytes + codes


def test_no_thread_is_handed_nothing(monkeypatch):
    """Results come and go between the question whether there is one and the answer."""
    monkeypatch.setattr(cache, "MOST_BYTES", 3000)
    found = []

    def work(seed):
        for i in range(3000):
            key = (seed + i) % 7
            made = cache.find(key)
            found.append(cache.get(key, lambda: np.zeros(1000, np.uint8)) if made is None else made)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert all(isinstance(value, np.ndarray) for value in found)


def test_a_tree_that_goes_while_it_is_asked_for_is_grown_again(app, monkeypatch):
    """The tree is dropped right after the page has found that there is one."""
    app.sample("iris").go("grow")
    find = cache.find

    def find_and_drop(key, default=None):
        found = find(key, default)
        cache.clear()
        return found

    monkeypatch.setattr(cache, "find", find_and_drop)
    app.set("max_depth", 2).run()
    assert app.at.subheader[0].value == "Node 0"


def test_who_asks_for_what_another_makes_waits_for_it():
    begun, go, made = Event(), Event(), []

    def make():
        made.append(1)
        begun.set()
        assert go.wait(10)
        return len(made)

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(cache.get, "slow", make)
        assert begun.wait(10)
        others = [pool.submit(cache.get, "slow", make) for _ in range(7)]
        assert not wait(others, timeout=0.2).done
        go.set()
        assert {result.result(10) for result in (first, *others)} == {1}


def test_who_waits_for_what_fails_makes_it():
    begun, go = Event(), Event()

    def fails():
        begun.set()
        assert go.wait(10)
        raise ValueError

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "fails", fails)
        assert begun.wait(10)
        second = pool.submit(cache.get, "fails", lambda: "made")
        go.set()
        assert second.result(10) == "made"
        with pytest.raises(ValueError):  # noqa: PT011
            first.result()
    assert not cache._making


def test_nobody_waits_long_for_another(monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", 0.01)
    begun, go = Event(), Event()

    def slow():
        begun.set()
        assert go.wait(10)
        return "late"

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(cache.get, "long", slow)
        assert begun.wait(10)
        assert cache.get("long", lambda: "own") == "own"
        go.set()
        assert first.result() == "own", "what was kept first is everybody's"


def test_a_session_takes_its_results_along(app):
    app.sample("iris").go("grow")
    guest = next(iter(persistence._here.values()))
    assert cache.cached_bytes() > 0
    persistence.sweep(guest)
    assert cache.cached_bytes() == 0
    assert guest.session not in persistence._here
    assert gc.get_freeze_count() > 0


def test_who_comes_back_in_time_finds_everything(app):
    app.sample("iris").go("grow")
    guest = next(iter(persistence._here.values()))
    persistence._here[guest.session] = persistence._Guest(guest.session)
    persistence.sweep(guest)
    assert cache.cached_bytes() > 0
    del persistence._here[guest.session]
