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
def draw(key, drawn, first, stop):
    """Let drawn[first:stop], after drawn[:first], be the next features drawn by this key; the others stand behind.

    drawn : whole numbers (d,), all features in order before the first one is drawn.
    """
    d = drawn.shape[0]
    for i in range(first, stop):
        number = mixed(key + STEP * np.uint64(i + 1)) >> HALF
        other = i + np.int64((number * np.uint64(d - i)) >> HALF)
        drawn[i], drawn[other] = drawn[other], drawn[i]


@inner
def drawn_between(key, f, low, high):
    """A number from low to below high, drawn evenly by a node's key for feature f: values up to it are on one side."""
    share = UNIT * np.float64(mixed((key ^ OF_CUT) + STEP * np.uint64(f + 1)) >> REST)
    at = low * (1.0 - share) + high * share
    return at if low <= at < high else low


@inner
def open_drawn(rules, nodes, i, drawn):
    """Close all features but those drawn at node i; returns how many are open: all where none are drawn.

    nodes : of the fast kernels. drawn : int32 (2, d), the features in the order of drawing, and which are closed: none
    where none are drawn.
    """
    n, d = rules.n_drawn, drawn.shape[1]
    if n == 0:
        return d
    for f in range(d):
        drawn[ORDER, f], drawn[CLOSED, f] = f, 1
    draw(nodes.of[i].key, row(drawn, ORDER), 0, n)
    for k in range(n):
        drawn[CLOSED, drawn[ORDER, k]] = 0
    return n


@inner
def open_next(nodes, i, drawn, n_open):
    """Close the features drawn so far, and open one more; returns how many have been drawn."""
    for k in range(n_open):
        drawn[CLOSED, drawn[ORDER, k]] = 1
    draw(nodes.of[i].key, row(drawn, ORDER), n_open, n_open + 1)
    drawn[CLOSED, drawn[ORDER, n_open]] = 0
    return n_open + 1
