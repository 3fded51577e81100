"""What is kept for a page that is loaded again: bounded by time and bytes, and what was used longest ago goes first."""

import numpy as np
import pytest

from pages.shared.server import cache

BYTES = 80_000


@pytest.fixture(autouse=True)
def empty_shelf():
    cache._sessions.clear()
    yield
    cache._sessions.clear()


def put(secret: str, table=None) -> None:
    cache.store_session(secret, f"session of {secret}", {"table": table}, table)


def there(*secrets: str) -> list[bool]:
    return [cache.find_session(secret) is not None for secret in secrets]


def test_the_table_used_longest_ago_goes_first(monkeypatch):
    monkeypatch.setattr(cache, "MOST_TABLE_BYTES", 2.5 * BYTES)
    for secret in "abac":
        put(secret, np.zeros(BYTES // 8))
    assert there("a", "b", "c") == [True, False, True]


def test_a_table_that_two_keep_counts_once(monkeypatch):
    monkeypatch.setattr(cache, "MOST_TABLE_BYTES", 2.5 * BYTES)
    shared = np.zeros(BYTES // 8)
    put("a", shared)
    put("b", shared)
    put("c", np.zeros(BYTES // 8))
    assert there("a", "b", "c") == [True, True, True]
    put("d", np.zeros(BYTES // 8))
    assert there("a", "b", "c", "d") == [False, False, True, True]


def test_what_nobody_has_asked_for_goes_after_hours(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(cache.time, "monotonic", lambda: now)
    put("old")
    now += cache.HOURS * 1800
    put("new")
    now += cache.HOURS * 1800 + 1
    assert there("old", "new") == [False, True]
