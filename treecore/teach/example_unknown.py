"""[004]: the humidity of day 8 is missing. What it counts for while the splits of the sunny days are judged."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore.brief import Brief
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.growing.inspect.candidates import candidates
from treecore.growing.inspect.node_values import NodeRows, node_rows
from treecore.growing.search import split_worth
from treecore.recipe import Grow, Prepare
from treecore.registry import Registry
from treecore.teach.guide import BY_HAND, TABLE_OF_OURS, Figure, Guide, GuideStep, OpenExample
from treecore.tree.oblique import as_asked
from treecore.tree.tree import Tree

# How rows without a value may count while a split is judged: five ways, and what the gain is by each.


@dataclass(frozen=True, eq=False, repr=False)
class KnownLevels(Brief):
    """A nominal feature at a node: what is known of its levels, and the rows of which nothing is known.

    known : float64 (v, K), classes of the rows of every level at the node. here : float64 (K,), those of the rows
    without a value. whole : float64 (v, K), as `known`, of all training rows.
    """

    rows: NodeRows
    known: np.ndarray
    here: np.ndarray
    whole: np.ndarray


@dataclass(frozen=True)
class MissingTreatment:
    """One way to count rows without a value. counted : of KnownLevels, float64 (v, K): the branches as they are judged.

    scaled : the gain is multiplied by the known share of the rows, as the others are left out.
    """

    name: str
    label: str
    counted: Callable[[KnownLevels], np.ndarray]
    scaled: bool = False


def _as_one_level(u: KnownLevels, level: int) -> np.ndarray:
    counted = u.known.copy()
    counted[level] += u.here
    return counted


def _by_class(u: KnownLevels) -> np.ndarray:
    """Every row takes the commonest level of its own class in the whole table."""
    counted = u.known.copy()
    for k, n in enumerate(u.here):
        counted[int(u.whole[:, k].argmax()), k] += n
    return counted


def _in_shares(u: KnownLevels, by: np.ndarray) -> np.ndarray:
    share = by.sum(axis=1) / by.sum()
    return u.known + share[:, None] * u.here


WAYS: Registry[MissingTreatment] = Registry(
    "way to count missing values",
    MissingTreatment(
        "table_mode",
        "filled with the table's most frequent value",
        lambda u: _as_one_level(u, int(u.whole.sum(axis=1).argmax())),
    ),
    MissingTreatment("class_mode", "filled with the most frequent value of the row's class", _by_class),
    MissingTreatment(
        "node_shares", "in parts, by the shares of the known rows of the node", lambda u: _in_shares(u, u.known)
    ),
    MissingTreatment(
        "table_shares", "in parts, by the shares of the known rows of the table", lambda u: _in_shares(u, u.whole)
    ),
    MissingTreatment(
        "known_only", "left out, and the gain times the known share (C4.5)", lambda u: u.known, scaled=True
    ),
)


def gain_with_missing(tree: Tree, node: int, train: Table, feature: str, way: str) -> float:
    """The gain of one branch per level of a nominal feature at a node, if rows without a value count in this way.

    way : a name in WAYS. TreecoreError for a feature that has no levels, or a target that has no classes.
    """
    u = known_levels(tree, node, train, feature)
    counted = WAYS[way].counted(u)
    gain = float(split_worth.decreases(u.rows.judge, counted[None])[0])
    return gain * float(u.known.sum() / (u.known.sum() + u.here.sum())) if WAYS[way].scaled else gain


def known_levels(tree: Tree, node: int, train: Table, feature: str) -> KnownLevels:
    """What is known of a nominal feature at a node; see KnownLevels."""
    column = train.column(feature)
    if column.kind not in ("nominal", "boolean") or not tree.classes:
        raise TreecoreError("It has no levels to count classes by", where=feature, remedy="Choose a nominal feature")
    rows, root = node_rows(tree, node, train), node_rows(tree, 0, train)
    levels = column.n_distinct
    counts = [r.sums(column.codes[r.rows].astype(np.int64), levels + 1) for r in (rows, root)]
    present = counts[1][:levels].sum(axis=1) > 0
    return KnownLevels(rows, counts[0][:levels][present], counts[0][levels], counts[1][:levels][present])


def with_gaps(tree: Tree, node: int, train: Table) -> tuple[str, ...]:
    """The nominal features that can be judged at the node and of which some row there has no value."""
    train = as_asked(tree.schema, train)
    rows = node_rows(tree, node, train).rows
    names = dict.fromkeys(c.feature for c in candidates(tree, node, train).ranked)
    kinds = {name: train.column(name) for name in names}
    return tuple(n for n, c in kinds.items() if c.kind in ("nominal", "boolean") and c.missing[rows].any())


def _missing_incomes(o: OpenExample) -> float:
    return 100 * o.table.column("income").n_missing / o.table.n_rows


SUNNY = ("Outlook = Sunny",)
PLACE = "004: Missing Values"


def _gain_figure(what: str, printed: str, way: str, **more) -> Figure:
    return Figure(what, printed, lambda o: gain_with_missing(o.tree, o.node, o.table, "Humidity", way), **more)


DAY_8 = Guide(
    "play_tennis_day8", "A humidity is missing", "play_tennis_day8", Grow("c4.5"),
    (
        GuideStep(
            "Temperature, of which all is known",
            "The five sunny days: .97 − 0 − (2/5) · 1.",
            PLACE,
            (Figure("gain of Temperature at Sunny", "0.57", lambda o: o.gain("Temperature")),),
            node=SUNNY,
        ),
        GuideStep(
            "Filled in with the most likely value",
            "Of the whole table that is Normal, 7 : 6. The line printed, .97 − 3/5 · 0 − 2/5 · 0 = .97, is that of "
            "High: the commonest value of day 8's own class.",
            PLACE + ", fill in",
            (
                _gain_figure("filled with Normal, the table's commonest", "0.420", "table_mode", place=BY_HAND),
                _gain_figure("filled with High, the commonest of its class", "0.97", "class_mode",
                        slip="The text says “Normal”, the arithmetic beside it counts day 8 as High."),
            ),
            node=SUNNY,
        ),
        GuideStep(
            "Counted in parts",
            "Half a day each (2 : 2 at Sunny) gives .97 − (2.5/5) Ent[0, 2.5] − (2.5/5) Ent[2, .5]; by the whole "
            "table's shares it would be 6/13 and 7/13.",
            PLACE + ", fractional counts",
            (
                _gain_figure("half High, half Normal", "0.610", "node_shares", place=BY_HAND),
                _gain_figure("6/13 High, 7/13 Normal", "0.592", "table_shares", place=BY_HAND),
            ),
            node=SUNNY,
        ),
        GuideStep(
            "Left out while judging, shared when it is sent on",
            "C4.5 computes the gain from the four known days and multiplies it by 4/5. Then half of day 8 goes down "
            "each branch.",
            "003: C4.5, “ignores missing attributes for calculating gain”",
            (_gain_figure("4/5 of the gain of the known days", "0.8", "known_only", place=BY_HAND),),
            node=SUNNY,
        ),
    ),
)  # fmt: skip

LEFT_OUT = Guide(
    "left_out", "When to throw a feature away", "trap_not_at_random", Grow("cart"),
    (
        GuideStep(
            "Above a share of missing values",
            "“Leave out columns” (sidebar, Missing values before growing) drops a feature if more than a chosen share "
            "of its values is missing; it starts at the 70 % of the notes. Here 24 % of income is missing, so it "
            "stays.",
            "000: Missing Values",
            (
                Figure("share, in per cent", "70", lambda o: 100 * Prepare().limit),
                Figure("missing incomes, in per cent", "24", _missing_incomes, place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

UNKNOWN = (DAY_8, LEFT_OUT)
