"""Features drawn at random at every node: the twin of kernels.drawn."""

import numpy as np

from treecore.kernels.drawn import FACTORS, HALF, OF_CHILD, OF_CUT, REST, SHIFTS, STEP, UNIT


def root_key(seed: int) -> int:
    """The key of the root, a whole number of 64 bits."""
    return int(_mixed(np.array([seed & (2**64 - 1)], np.uint64) + STEP)[0])


def keys_of_children(key: np.ndarray, branch: np.ndarray) -> np.ndarray:
    """uint64 (n,): the keys of nodes, of those of their parents and the numbers of their branches."""
    return _mixed(key + OF_CHILD * (branch + 1).astype(np.uint64))


def key_at(seed: int, path: tuple[int, ...]) -> int:
    """The key of the node to which these branches lead from the root."""
    key = np.array([root_key(seed)], np.uint64)
    for branch in path:
        key = keys_of_children(key, np.array([branch]))
    return int(key[0])


def drawn_order(key: np.ndarray, d: int) -> np.ndarray:
    """int64 (n, d): all features in the order in which they are drawn by each of these keys."""
    drawn, each = np.tile(np.arange(d), (len(key), 1)), np.arange(len(key))
    for i in range(d):
        number = _mixed(key + np.uint64(int(STEP) * (i + 1) % 2**64)) >> HALF
        other = i + ((number * np.uint64(d - i)) >> HALF).astype(np.int64)
        drawn[each, i], drawn[each, other] = drawn[each, other], drawn[each, i].copy()
    return drawn


def are_open(key: np.ndarray, n_drawn: int, offers: np.ndarray) -> np.ndarray:
    """bool (d, n): is each feature drawn at each node? Where none of the first n_drawn offers a split, the first one
    after them that does.

    key : uint64 (n,), of the nodes. offers : bool (d, n), does the feature offer a split?
    """
    d, each = len(offers), np.arange(len(key))
    order = drawn_order(key, d)
    offered = offers.T[each[:, None], order]
    first = np.argmax(offered, axis=1)
    place = np.empty_like(order)
    place[each[:, None], order] = np.arange(d)
    late = (first >= n_drawn)[:, None]
    return np.where(late, place == first[:, None], place < n_drawn).T


def threshold_drawn(key: int, f: int, low: float, high: float) -> float:
    """The number that is drawn at the node with this key between the least and the greatest value of feature f."""
    number = np.array([(key ^ int(OF_CUT)) + int(STEP) * (f + 1) & (2**64 - 1)], np.uint64)
    share = UNIT * float(_mixed(number)[0] >> REST)
    at = low * (1.0 - share) + high * share
    return at if low <= at < high else low


def _mixed(number: np.ndarray) -> np.ndarray:
    first, second = FACTORS
    a, b, c = SHIFTS
    number = (number ^ (number >> a)) * first
    number = (number ^ (number >> b)) * second
    return number ^ (number >> c)
