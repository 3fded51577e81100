"""Features drawn at random at every node.

Which ones they are follows from the seed and the way from the root to the node alone, whatever the order in which nodes
grow: every node has a key, made of its parent's and of the number of its branch. Where no feature that was drawn offers
a split, one after the other is drawn until one does.

Thresholds that are drawn follow from the same key and the number of the feature.

Numbers are those of the generator SplitMix64, counted from the key on. Source: Steele, Lea and Flood (2014), Fast
splittable pseudorandom number generators.
"""

import numpy as np

from treecore.engine.jit import inner, row

STEP, OF_CHILD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
HALF = np.uint64(32)
OF_CUT, REST, UNIT = np.uint64(0xA0761D6478BD642F), np.uint64(11), 2.0**-53
ORDER, CLOSED = 0, 1
_FIRST, _SECOND = FACTORS
_A, _B, _C = SHIFTS


@inner
def mixed(number):
    """The bits of a uint64, well mixed."""
    number = (number ^ (number >> _A)) * _FIRST
    number = (number ^ (number >> _B)) * _SECOND
    return number ^ (number >> _C)


@inner
def key_of_child(key, branch):
    """The key of a node below that of its parent, uint64."""
    return mixed(key + OF_CHILD * np.uint64(branch + 1))


@inner
def draw(key, sample, first, stop):
    """Let sample[first:stop], after sample[:first], be the next features drawn by this key; the others stand behind.

    sample : whole numbers (d,), all features in order before the first one is drawn.
    """
    d = sample.shape[0]
    for i in range(first, stop):
        number = mixed(key + STEP * np.uint64(i + 1)) >> HALF
        other = i + np.int64((number * np.uint64(d - i)) >> HALF)
        sample[i], sample[other] = sample[other], sample[i]


@inner
def random_between(key, f, low, high):
    """A number from low to below high, drawn evenly by a node's key for feature f: values up to it are on one side."""
    share = UNIT * np.float64(mixed((key ^ OF_CUT) + STEP * np.uint64(f + 1)) >> REST)
    at = low * (1.0 - share) + high * share
    return at if low <= at < high else low


@inner
def open_sample(rules, nodes, i, sample):
    """Close all features but those drawn at node i; returns how many are open: all where none are drawn.

    nodes : of the fast kernels. sample : int32 (2, d), the features in the order of drawing, and which are closed: none
    where none are drawn.
    """
    n, d = rules.n_sampled, sample.shape[1]
    if n == 0:
        return d
    for f in range(d):
        sample[ORDER, f], sample[CLOSED, f] = f, 1
    draw(nodes.of[i].key, row(sample, ORDER), 0, n)
    for k in range(n):
        sample[CLOSED, sample[ORDER, k]] = 0
    return n


@inner
def open_next(nodes, i, sample, n_open):
    """Close the features drawn so far, and open one more; returns how many have been drawn."""
    for k in range(n_open):
        sample[CLOSED, sample[ORDER, k]] = 1
    draw(nodes.of[i].key, row(sample, ORDER), n_open, n_open + 1)
    sample[CLOSED, sample[ORDER, n_open]] = 0
    return n_open + 1


# The twins in NumPy.


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


def sample_order(key: np.ndarray, d: int) -> np.ndarray:
    """int64 (n, d): all features in the order in which they are drawn by each of these keys."""
    sample, each = np.tile(np.arange(d), (len(key), 1)), np.arange(len(key))
    for i in range(d):
        number = _mixed(key + np.uint64(int(STEP) * (i + 1) % 2**64)) >> HALF
        other = i + ((number * np.uint64(d - i)) >> HALF).astype(np.int64)
        sample[each, i], sample[each, other] = sample[each, other], sample[each, i].copy()
    return sample


def are_open(key: np.ndarray, n_sampled: int, offers: np.ndarray) -> np.ndarray:
    """bool (d, n): is each feature drawn at each node? Where none of the first n_sampled offers a split, the first one
    after them that does.

    key : uint64 (n,), of the nodes. offers : bool (d, n), does the feature offer a split?
    """
    d, each = len(offers), np.arange(len(key))
    order = sample_order(key, d)
    offered = offers.T[each[:, None], order]
    first = np.argmax(offered, axis=1)
    place = np.empty_like(order)
    place[each[:, None], order] = np.arange(d)
    late = (first >= n_sampled)[:, None]
    return np.where(late, place == first[:, None], place < n_sampled).T


def random_threshold(key: int, f: int, low: float, high: float) -> float:
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
