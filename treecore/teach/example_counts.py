"""Figures of the notes that belong to no table: how many trees, tables, groupings and hyperplanes there are."""

import math

from treecore.recipe import Grow
from treecore.teach.guide import BY_HAND, TABLE_OF_OURS, Figure, Guide, GuideStep, half_plane_follows

# How many there are: tables of counts, groupings, trees, hyperplanes.


def n_contingency_tables(n_attributes: int, k: int) -> int:
    """Tables that count k of the attributes together."""
    return math.comb(n_attributes, k)


def n_partitions(levels: int) -> int:
    """Ways to part so many levels into two groups, neither of them empty."""
    return 2 ** (levels - 1) - 1 if levels > 0 else 0


def power_of_functions(n_features: int) -> int:
    """The number of Boolean functions of so many Boolean features, as the power of 2 that it is."""
    return 2**n_features


def n_hyperplanes(n_rows: int, n_features: int) -> int:
    """2^d C(N, d): oblique splits that an exhaustive search has to try."""
    return 2**n_features * math.comb(n_rows, n_features)


PRINTED = (
    ((0.04, 0.16), 0.11), ((0.27, -0.44), -0.02), ((0.96, -1.77), -0.45), ((5.43, -13.33), -6.03),
)  # fmt: skip
"""[003]'s rule: w · x < bound, four times."""

OBLIQUE = Guide(
    "oblique", "A slanted border, and how many there are", "oblique", Grow("cart"),
    (
        GuideStep(
            "2 x1 + 1.5 x2 < 0.5",
            "One slanted line separates the classes without an error; splits on one column at a time need a staircase "
            "of thirteen leaves.",
            "000: Multivariate Decision Trees",
            (
                Figure("rows on the wrong side of the slanted cut", "0", lambda o: _wrong_by_line(o)),
                Figure("leaves of upright cuts", "13", lambda o: float(o.tree.n_leaves), place=TABLE_OF_OURS),
            ),
        ),
        GuideStep(
            "Too many to try all",
            "N rows with d features can be divided by 2^d · C(N, d) different hyperplanes: far too many to try one by "
            "one.",
            "000: Multivariate Decision Trees; 001: 11 Multivariate tree",
            (Figure("of 300 rows in the plane", "179400", lambda o: float(n_hyperplanes(o.table.n_rows, 2)),
                    place=TABLE_OF_OURS),),
        ),
        GuideStep(
            "Conditions that follow from others",
            "[003] shortens a rule of four slanted conditions to the first and the last one, because the two in "
            "between follow from them. The picture shows why: the dashed lines do not touch the region. The proof adds"
            " multiples of the two conditions.",
            "003: Pruning in C4.5",
            (
                Figure("the second follows (1: yes)", "1",
                       lambda o: float(half_plane_follows(PRINTED[1], (PRINTED[0], PRINTED[3])))),
                Figure("the third follows (1: yes)", "1",
                       lambda o: float(half_plane_follows(PRINTED[2], (PRINTED[0], PRINTED[3])))),
                Figure("the fourth follows from the others (0: no)", "0",
                       lambda o: float(half_plane_follows(PRINTED[3], PRINTED[:2]))),
            ),
            half_planes=PRINTED,
        ),
    ),
)  # fmt: skip


def _wrong_by_line(o) -> float:
    x1, x2 = (o.table.column(name).values() for name in ("x1", "x2"))
    below = 2 * x1 + 1.5 * x2 < 0.5
    return float((below != (o.table.target_column.labels() == "below")).sum())


HOW_MANY = Guide(
    "how_many", "How many tables, trees and groupings?", "willwait", Grow("id3"),
    (
        GuideStep(
            "Tables of counts",
            "How many tables of counts are there if sixteen attributes are taken one at a time, in pairs, or in "
            "threes? And how many in threes of a hundred attributes? The notes count the tables; each of them holds "
            "several numbers.",
            "004: Representing Data",
            (
                Figure("1-d tables of 16 attributes", "16", lambda o: float(n_contingency_tables(16, 1))),
                Figure("2-d tables of 16 attributes", "120", lambda o: float(n_contingency_tables(16, 2))),
                Figure("3-d tables of 16 attributes", "560", lambda o: float(n_contingency_tables(16, 3))),
                Figure("3-d tables of 100 attributes", "161700", lambda o: float(n_contingency_tables(100, 3))),
            ),
        ),
        GuideStep(
            "Trees",
            "m Boolean features make 2^m different rows, and these can be labelled in 2^(2^m) ways. Every labelling is"
            " a function that some decision tree computes.",
            "000: Number of possible decision trees",
            (Figure("of ten features, as a power of 2", "1024", lambda o: float(power_of_functions(10))),),
        ),
        GuideStep(
            "Two groups of values",
            "v values can be divided into two groups in 2^(v−1) − 1 ways. [000] lists the three ways for three kinds "
            "of restaurant; its table has a fourth kind, Italian, so there are seven.",
            "000: Nominal (Categorical) Features; 002: Nominal",
            (
                Figure("of Burger, French, Thai", "3", lambda o: float(n_partitions(3)),
                       slip="The table has four kinds: seven ways."),
                Figure("of the table's four kinds", "7", lambda o: float(n_partitions(4)), place="002: Nominal"),
            ),
        ),
        GuideStep(
            "Bits",
            "If a label is + with probability 0.8, telling it takes less than one bit on average.",
            "004: Entropy",
            (Figure("entropy at 0.8", "0.72", lambda o: -0.8 * math.log2(0.8) - 0.2 * math.log2(0.2),
                    place=BY_HAND),),
        ),
    ),
)  # fmt: skip

COUNTING = (OBLIQUE, HOW_MANY)
