"""The arrays of a fed tree, made, enlarged and tidied up, and working memory to grow its nodes anew."""

from typing import Any

import numpy as np

from treecore.growing.fast.fast_tree import room_for_backups
from treecore.growing.fast.working_memory import new_block
from treecore.growing.loop import level_by_level, renumbered
from treecore.kernels.fed.regrow import MOST_NEW, regrow
from treecore.kernels.fed.slices import (
    GROWN,
    MOST_LATE,
    N_BLOCKS,
    N_FREE,
    N_WAITING,
    SLICE,
    FedState,
    keep_root,
    move_down,
)
from treecore.kernels.fed.update import feed, take_in_root
from treecore.kernels.ranks import sort_by_code
from treecore.kernels.records.record_block import GAP, PLAIN, WAITING, FastNodes, RecordBlock, TrainingRows
from treecore.kernels.records.record_block import N_NODES as N_FAST_NODES
from treecore.kernels.state import (
    LINE,
    N_ENTRIES,
    N_LEVELS,
    N_NODES,
    NODE,
    GrowState,
    Problem,
    new_growing,
    with_room,
)
from treecore.kernels.sums import impurity_of
from treecore.tree.splits import ranges

LEVELS = 32
"""So many times the rows, entries are asked for in each feature's order at first: what is not used takes no memory yet,
and to move to a larger place takes as long as a hundred rows."""


class FedNodes:
    """The nodes of a tree whose splits follow from the rows at the node; see kernels.fed.

    problem : of all rows by their numbers, with room for more. n : how many there are. bounded : may cuts be passed
    over? See kernels.fed.regrow and incremental.local.is_bounded. by_records : are subtrees grown anew on sorted
    records? See kernels.fed.regrow and incremental.local.is_on_records.
    """

    def __init__(self, problem: Problem, n: int, bounded: bool, by_records: bool):
        self._fed = _planted(problem, n)
        self._tidied = 0
        self.look_up(problem, bounded, by_records)
        keep_root(self._fed)
        self._fed.waiting[0], self._fed.counts[N_WAITING] = (0, 0, 0), 1
        self._work()

    def look_up(self, problem: Problem, bounded: bool, by_records: bool) -> None:
        """Codes are others now, or stand elsewhere."""
        rules = problem.rules.copy()
        rules["min_rows_leaf"], rules["min_weight_leaf"] = 1, 0.0
        self._problem, self._free, self._bounded = problem, problem._replace(rules=rules), bounded
        self._regrowth, self._special = Regrowth() if by_records else None, problem.special_search
        capacity = problem.codes.shape[1]
        rooms = {name: np.zeros(capacity, np.int32) for name in ("side", "spare")}
        growing = self._fed.growing._replace(rows=problem.rows, line=np.empty(capacity, LINE), **rooms)
        self._fed = self._fed._replace(growing=growing, before=np.zeros(capacity, np.int32))

    def move(self, places: dict[int, np.ndarray]) -> None:
        """Let features have other codes. places : feature -> the new code of each former one."""
        nodes = self._fed.growing.nodes[: self._fed.growing.counts[N_NODES]]
        for f, place in places.items():
            cut = np.flatnonzero((nodes["feature"] == f) & (nodes["level_start"] < 0) & (nodes["n_children"] > 0))
            for name in ("low", "high"):
                nodes[name][cut] = place[nodes[name][cut]]

    def add(self, new: np.ndarray) -> np.ndarray:
        """Learn these rows, int32 (m,). Returns the counts of what they changed, see Fed."""
        self._tidy()
        fed, m = self._fed, len(new)
        if m >= len(fed.waiting):
            rooms: dict[str, Any] = {name: np.zeros(2 * m, np.int32) for name in ("batch", "ordered")}
            self._fed = fed = fed._replace(waiting=np.zeros((2 * m, 3), np.int64), **rooms)
        self._make_room(m)
        fed = self._fed
        fed.batch[:m] = new
        fed.counts[GROWN + 1 :] = 0
        take_in_root(self._problem, fed, m)
        self._work()
        return self._fed.counts[GROWN + 1 :].copy()

    @property
    def growing(self) -> GrowState:
        """The tree, in which nodes that nothing points at are no part of it."""
        return self._fed.growing

    def _work(self) -> None:
        records = self._regrowth is not None
        while not feed(self._problem, self._free, self._fed, self._bounded, records, self._special):
            at = int(self._fed.counts[GROWN])
            if records and at >= 0:
                self._regrow(at)
            else:
                self._make_room()

    def _regrow(self, i: int) -> None:
        assert self._regrowth is not None
        while needed := self._regrowth.grow(self._problem, self._fed, i):
            self._make_room_for_nodes(needed)

    def _make_room(self, more: int = 0) -> None:
        """For at least one more step, or for so many more rows at the root."""
        widest = len(self._fed.growing.levels)
        self._make_room_for_nodes(widest)
        fed, growing, n_nodes = self._fed, self._fed.growing, int(self._fed.growing.counts[N_NODES])
        if fed.counts[GROWN] >= 0:
            return
        at = int(fed.waiting[fed.counts[N_WAITING] - 1, 0]) if fed.counts[N_WAITING] else 0
        size = int(growing.nodes["stop"][at] - growing.nodes["start"][at]) + more
        needed = 4 * size + 100 + 8 * widest
        if growing.counts[N_ENTRIES] + needed > growing.order.shape[1]:
            self._fed = fed = fed._replace(growing=_packed(growing, fed.slices[:n_nodes], needed))
        if fed.counts[N_FREE] < widest:
            self._fed = _with_slots(fed, widest)

    def _make_room_for_nodes(self, more: int) -> None:
        fed = self._fed
        growing = with_room(fed.growing, nodes=more, levels=2 * len(fed.growing.levels))
        longer = len(growing.nodes) - len(fed.slices)
        if longer > 0:
            slices = np.concatenate([fed.slices, _no_slots(longer)])
            gains = np.concatenate([fed.gains, np.full((longer, fed.gains.shape[1]), np.inf)])
            fed = fed._replace(slices=slices, gains=gains, stack=np.zeros(len(slices), np.int64))
        self._fed = fed._replace(growing=growing)

    def _tidy(self) -> None:
        """Let go of the nodes that are no part of the tree, once they are many."""
        fed, growing = self._fed, self._fed.growing
        if growing.counts[N_NODES] <= 4 * self._tidied + 1000:
            return
        order = level_by_level(growing.nodes["first_child"], growing.nodes["n_children"])
        n = self._tidied = len(order)
        nodes, slices = np.zeros_like(growing.nodes), _no_slots(len(fed.slices))
        nodes[:n], slices[:n] = renumbered(growing.nodes, order), fed.slices[order]
        gains = np.full_like(fed.gains, np.inf)
        gains[:n] = fed.gains[order]
        stats = np.zeros_like(growing.stats)
        stats[:n] = growing.stats[order]
        tables = nodes["level_start"][:n] >= 0
        sizes = self._problem.features["n_codes"][nodes["feature"][:n][tables]] + 1
        used = growing.level_branch[ranges(nodes["level_start"][:n][tables], sizes)]
        growing.level_branch[: len(used)] = used
        nodes["level_start"][np.flatnonzero(tables)] = np.cumsum(sizes) - sizes
        growing.counts[N_NODES], growing.counts[N_LEVELS] = n, len(used)
        self._fed = fed._replace(growing=growing._replace(nodes=nodes, stats=stats), slices=slices, gains=gains)


def _no_slots(n: int) -> np.ndarray:
    slices = np.zeros(n, SLICE)
    slices["slot"] = -1
    return slices


def _planted(problem: Problem, n: int) -> FedState:
    """A root that has n rows, in order, and no split."""
    d, n_classes = len(problem.features), int(problem.rules["n_classes"][0])
    order = np.zeros((d, LEVELS * max(n, 1000)), np.int32)
    for f in range(d):
        begin = np.zeros(problem.features["n_codes"][f] + 2, np.int64)
        sort_by_code(problem.codes[f, :n], begin, order[f, :n])
    growing = new_growing(problem, order, max(64, n // 8))
    root = growing.nodes[0]
    root["parent"] = root["first_child"] = root["feature"] = root["level_start"] = -1
    root["stop"] = root["n_rows"] = root["weight"] = n
    growing.stats[0] = np.bincount(problem.rows["label"][:n], minlength=n_classes)
    root["impurity"] = impurity_of(problem.judge, growing.stats[0], float(n))
    growing.counts[N_NODES] = 1
    slices = _no_slots(len(growing.nodes))
    fed = FedState(
        growing=growing, slices=slices, gains=np.full((len(slices), d), np.inf),
        edge=np.zeros((0, d, N_BLOCKS), np.int32),
        left=np.zeros((0, d, N_BLOCKS, n_classes), np.int32), upper=np.zeros((0, d, N_BLOCKS)),
        late=np.zeros((0, MOST_LATE), np.int32), merged=np.zeros((0, d), np.int64), free=np.zeros(0, np.int64),
        waiting=np.zeros((MOST_LATE, 3), np.int64), batch=np.zeros(MOST_LATE, np.int32),
        ordered=np.zeros(MOST_LATE, np.int32), before=np.zeros(0, np.int32), stack=np.zeros(len(slices), np.int64),
        was=np.zeros(2, NODE), spare=np.zeros(1, SLICE), counts=np.array([0, 0, -1, 0, 0, 0, 0]),
    )  # fmt: skip
    return _with_slots(fed, len(growing.levels))


def _with_slots(fed: FedState, more: int) -> FedState:
    """So many more slots, and at least twice as many."""
    had, n_free = len(fed.free), int(fed.counts[N_FREE])
    more = max(more, had)
    free = np.concatenate([fed.free[:n_free], np.arange(had, had + more), np.zeros(had - n_free, np.int64)])
    fed.counts[N_FREE] += more
    of_slots = {name: getattr(fed, name) for name in ("left", "edge", "upper", "late", "merged")}
    longer: dict[str, Any] = {
        name: np.concatenate([old, np.zeros((more, *old.shape[1:]), old.dtype)]) for name, old in of_slots.items()
    }
    return fed._replace(free=free, **longer)


def _packed(growing: GrowState, slices: np.ndarray, more: int) -> GrowState:
    """The kept rows of all nodes one after the other, with room for at least twice so many more entries: where they
    are if there is any, as fresh memory is dear."""
    ids = np.flatnonzero(slices["slot"] >= 0)
    ids = ids[np.argsort(growing.nodes["start"][ids])]
    rooms, start, stop = slices["room"][ids], growing.nodes["start"][ids], growing.nodes["stop"][ids]
    to = np.cumsum(rooms) - rooms
    move_down(growing.order, start, stop, to)
    used = growing.counts[N_ENTRIES] = int(rooms.sum())
    growing.nodes["start"][ids], growing.nodes["stop"][ids] = to, to + stop - start
    if used + 2 * more <= growing.order.shape[1]:
        return growing
    order = np.empty((len(growing.order), 3 * used // 2 + 4 * more), np.int32)
    order[:, :used] = growing.order[:, :used]
    return growing._replace(order=order)


LEAST_ROWS, MOST_IDLE_BYTES = 64, 2**24
"""Rows that memory is made for; bytes of records of memory that waits for the next node."""
Memory = tuple[TrainingRows, RecordBlock, FastNodes]


class Regrowth:
    """Grows nodes anew, whatever their size.

    Memory is made for a power of two of rows and used again by size: fresh memory is dear, and most nodes are small.
    """

    def __init__(self):
        self._idle: dict[int, Memory] = {}
        self._at_work: Memory | None = None

    def grow(self, problem: Problem, fed: FedState, i: int) -> int:
        """Grow node i anew. Returns 0, or how many nodes there must be room for when this is called again."""
        if self._at_work is None:
            node = fed.growing.nodes[i]
            self._at_work = self._memory(problem, int(node["stop"] - node["start"]))
        if regrow(problem, fed, i, *self._at_work):
            self._at_work = None
            return 0
        return int(self._at_work[-1].counts[N_FAST_NODES]) + MOST_NEW

    def _memory(self, problem: Problem, n: int) -> Memory:
        m = max(LEAST_ROWS, 1 << (n - 1).bit_length())
        memory = self._idle.get(m) or _new_memory(problem, m)
        _, block, nodes = memory
        if block.records.nbytes <= MOST_IDLE_BYTES:
            self._idle[m] = memory
        nodes.counts[N_FAST_NODES] = 0
        return memory


def _new_memory(problem: Problem, m: int) -> Memory:
    d, n_classes = len(problem.features), int(problem.rules["n_classes"][0])
    rows = TrainingRows(
        keys=np.empty((m, d), np.uint32), absent=problem.features["n_codes"].astype(np.uint32),
        label=np.empty(m, np.int32), response=np.empty(0), rules=problem.rules, judge=problem.judge,
        weight=np.empty(0, np.int32), nominal=np.zeros(d, bool),
    )  # fmt: skip
    nodes = FastNodes(
        of=np.empty(2 * m, PLAIN), gaps=np.zeros(0, GAP), stats=np.empty((2 * m, n_classes)),
        small=np.empty(m + 1, WAITING), members=np.empty(0, np.int32), counts=np.zeros(7, np.int64),
        tables=np.empty(0, np.int8), center=np.empty(0), **room_for_backups(rows, 0),
    )  # fmt: skip
    return rows, new_block(rows, nodes, m, False), nodes
