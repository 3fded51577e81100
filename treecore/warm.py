"""Compile kernels ahead of time: `python -m treecore.warm PART ...` fills the disk cache, these parts first.

A marker beside the cache says which parts are ready; see treecore.engine.compiling, which starts this in the
background. Nothing has to be grown for that: what a part depends on is made by hand.
"""

import os
import sys
import threading
from contextlib import suppress
from dataclasses import replace

import numpy as np

from treecore.engine import compiling
from treecore.kernels.state import OPEN

PARTS = (
    "fast", "route", "fast_surrogates", "prune", "fast_large", "fast_special", "explain", "search", "split", "shared",
    "surrogates", "special_split", "special_search", "route_shared", "raise", "absolute",
    "counts", "log_rank", "effects", "fed", "oblique",
)  # fmt: skip
"""In the order in which a user may need them."""
CHAINS = (
    ("fast", "fast_surrogates", "fast_large"),
    (*(part for part in PARTS if not part.startswith("fast")), "fast_special"),
)
"""Parts of a chain use kernels of those before them: processes side by side would each compile these again."""
SHORT = "prune", "explain"
"""These take a few seconds and no tree can do without them for long: they come before a minute of any other."""


def parts_for(table, growth, imposed: bool = False) -> tuple[str, ...]:
    """The parts that must be ready before a tree is grown on this table: none where it is sooner grown without them.

    imposed : are some splits said beforehand? Raises TreecoreError as growing does.
    """
    from treecore.growing.directions import NO_SUMS
    from treecore.growing.engine_choice import choose_engine

    result = choose_engine(table, growth, imposed)
    search = ("oblique",) if growth.oblique != NO_SUMS else ()
    return search if result.in_numpy else (*result.parts, *search)


def warm(part: str = "") -> None:
    """Use the kernels of a part ('' for all) on a tiny table, so that they are compiled and cached."""
    table = _tiny_table()
    uses = {
        "search": _search, "split": _split, "surrogates": _surrogates, "route": _route, "fast": _fast,
        "fast_large": _fast_large, "fast_surrogates": _fast_surrogates, "fast_special": _fast_special,
        "special_split": _special_split, "explain": _explain, "prune": _prune, "special_search": _special_search,
        "absolute": _absolute, "shared": _shared, "route_shared": _route_shared, "raise": _raise,
        "counts": _counts, "log_rank": _log_rank, "effects": _effects, "fed": _fed, "oblique": _oblique,
    }  # fmt: skip
    for name in PARTS:
        if part in ("", name):
            with compiling.forced():
                uses[name](table)
            compiling.note(name)


def load() -> None:
    """Load the kernels of most trees if they are in the disk cache, and numba with them: most of what the first tree
    of a process waits for."""
    for part, use in (("fast", _fast), ("fast_large", _fast_large)):
        if compiling.is_cached(part) and not compiling.is_loaded(part):
            use(_tiny_table())  # not by `warm`: what it forces would hold for the user's trees, too
            compiling.note(part)


def main(first: list[str]) -> None:
    """Compile the short parts, these and then all others, printing each, unless another process is at it. What somebody
    waits for meanwhile comes next."""
    if os.environ.get(compiling.WITH_INPUT):
        threading.Thread(target=_end_with_input, daemon=True).start()
    held = compiling.lock()
    if held is None:
        return
    with held, suppress(OSError):
        if hasattr(os, "nice"):
            os.nice(10)  # the user's work comes first
        left = [part for part in dict.fromkeys((*SHORT, *first, *PARTS)) if part in PARTS]
        while left:
            part = min(left, key=lambda name: (not compiling.is_awaited(name), left.index(name)))
            left.remove(part)
            if not compiling.is_cached(part):
                warm(part)
                print(part, flush=True)


def _end_with_input() -> None:
    """Once nobody holds the other side of the standard input: who has started this process does while it lives."""
    while os.read(0, 1024):  # not sys.stdin: its lock would be held while the interpreter ends
        pass
    os._exit(0)


def _tiny_table():
    from treecore.data import level_column, numeric_column
    from treecore.data.table import Table

    columns = (
        numeric_column("x", np.array([1.0, 2.0, 3.0, 4.0])),
        level_column("c", "nominal", ["a", "b", "a", "b"], ("a", "b")),
        level_column("class", "nominal", ["n", "y", "y", "n"], ("n", "y")),
    )
    return Table(columns, target="class", features=("x", "c"))


def _problem(table, **growth):
    """The table as the kernels see it, and a root with nothing but its rows."""
    from treecore.growing.settings.grow_settings import GrowSettings
    from treecore.growing.settings.problem import problem_of
    from treecore.kernels.state import N_NODES, new_growing

    problem = problem_of(table, GrowSettings(**growth))
    order = np.argsort(problem.codes, axis=1, kind="stable").astype(np.int32)
    growing = new_growing(problem, order, capacity=8)
    growing.stats[0] = 2.0
    growing.nodes[0]["stop"], growing.nodes[0]["n_rows"], growing.nodes[0]["weight"] = 4, 4, 4.0
    growing.nodes[0]["impurity"] = 0.5
    growing.counts[N_NODES] = 1
    return problem, growing


def _search(table) -> None:
    """Also what searches in NumPy ask the kernels for."""
    from treecore.kernels.constraints import gain_is_enough, mark_searchable
    from treecore.kernels.general.search_nodes import search_nodes
    from treecore.kernels.sums import impurity_of

    problem, growing = _problem(table)
    search_nodes(problem, growing, 0, 1, None)
    mark_searchable(problem, growing, 0, 1, np.empty(1, bool))
    gain_is_enough(problem, growing, 0, 0.5)
    impurity_of(problem.judge, growing.stats[0], 4.0)


def _special_search(table) -> None:
    from treecore.kernels.general.search_nodes import search_nodes

    search_nodes(*_problem(table), 0, 1, True)


def _shared(table) -> None:
    """Growing where rows are shared among branches."""
    from treecore.growing.settings.problem import problem_of
    from treecore.growing.shared_growth import grow_shared_rows
    from treecore.presets import PRESETS

    grow_shared_rows(problem_of(_plain_table(), PRESETS["j48"].growth), None)


def _surrogates(table) -> None:
    from treecore.kernels.general.surrogate_search import list_surrogates, mark_known

    list_surrogates(*_cut_root(table), np.array([0]))
    mark_known(*_cut_root(table), 0)


def _fast(table) -> None:
    """Growing in blocks, and ranking what is grown on."""
    from treecore.data.column import ranks_by_kernel
    from treecore.growing.fast.fast_growth import Sizes, grow_fast
    from treecore.growing.settings.grow_settings import GrowSettings

    ranks_by_kernel(np.array([2.0, 1.0]))
    grow_fast(_plain_table(), GrowSettings(), sizes=Sizes(whole=2, local=3))


def _fast_large(table) -> None:
    """Growing large nodes from buckets."""
    from treecore.growing.fast.fast_growth import Sizes, grow_fast
    from treecore.growing.settings.grow_settings import GrowSettings

    grow_fast(_plain_table(), GrowSettings(), sizes=Sizes(buckets=3, table=2))
    grow_fast(
        _plain_table(numbers=True),
        GrowSettings(criterion="squared_error"),
        sizes=Sizes(numbers=3, exact_numbers=3, table=2),
    )


def _fast_surrogates(table) -> None:
    from treecore.growing.fast.fast_growth import grow_fast
    from treecore.growing.settings.grow_settings import GrowSettings

    grow_fast(_plain_table(), GrowSettings(missing="surrogates"))


def _fast_special(table) -> None:
    from treecore.growing.fast.fast_growth import grow_fast
    from treecore.growing.settings.grow_settings import GrowSettings

    grow_fast(table, GrowSettings())


def _plain_table(numbers: bool = False):
    """Numbers without gaps; the target too if asked for."""
    from treecore.data.matrix_table import from_arrays

    X, y = np.arange(8, dtype=np.float32).reshape(4, 2), np.array([0, 1, 1, 0])
    return from_arrays(X, y.astype(float) if numbers else y, classes=None if numbers else ("n", "y"))


def _special_split(table) -> None:
    """Splitting with rows shared or sent by surrogates, for which the room is counted first."""
    from treecore.kernels.general.partition import missing_entries
    from treecore.kernels.general.split_nodes import split_nodes

    missing_entries(*_cut_root(table), np.array([0]))
    split_nodes(*_cut_root(table), np.array([0]), True)


def _absolute(table) -> None:
    from treecore.kernels.ranked_losses import prefix_errors, room_for
    from treecore.kernels.ranked_search import node_errors, search_row_losses

    problem, growing = _problem(_plain_table(numbers=True), criterion="absolute_error")
    node_errors(problem, growing, 0, 1)
    search_row_losses(problem, growing, 0, 1)
    prefix_errors(room_for(2, 2, np.zeros(1, np.int32), problem.judge.loss), 0)


def _counts(table) -> None:
    from treecore.kernels.poisson_search import search_rates
    from treecore.target import Counts

    search_rates(*_problem(_paired_table(Counts("n", "t"))), 0, 1)


def _log_rank(table) -> None:
    """Growing, and the statistics of all cuts, which candidates show."""
    from treecore.kernels.log_rank_search import cut_statistics, search_log_rank
    from treecore.target import Survival

    problem, growing = _problem(_paired_table(Survival("t", "n")), score="log_rank")
    search_log_rank(problem, growing, 0, 1)
    cut_statistics(problem.rows["label"], problem.rows["weight"])


def _effects(table) -> None:
    from treecore.kernels.effect_search import search_effects
    from treecore.target import Effect

    search_effects(*_problem(_paired_table(Effect("t", "n"))), 0, 1, 0.5, True)


def _paired_table(spec):
    """A target that is two columns: n of 0 and 1, t of numbers above 0."""
    from treecore.data import numeric_column
    from treecore.data.table import Table

    n, t = numeric_column("n", np.array([0.0, 1.0, 0.0, 1.0])), numeric_column("t", np.array([1.0, 2.0, 3.0, 4.0]))
    features = _tiny_table().feature_columns
    return Table((*features, n, t), target="n", features=("x", "c")).with_target(spec)


def _fed(table) -> None:
    """A tree that gets its rows one by one."""
    from treecore.growing.fed_nodes import FedNodes

    for of, by_records in ((table, False), (_plain_table(), True)):
        FedNodes(_problem(of)[0], 3, bounded=True, by_records=by_records).add(np.array([3], np.int32))


def _oblique(table) -> None:
    """The search for directions, of classes and of numbers."""
    from treecore.growing.directions import Cases

    x = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 3.0]])
    for target, n_classes in ((np.array([0, 1, 0]), 2), (np.array([0.0, 1.0, 0.0]), 0)):
        cases = Cases(x, target, np.ones(3), n_classes)
        cases.cuts_bits(x.T)
        cases.best_feature()
        cases.climb(np.array([0, 1]), 1, np.ones(3))


def _split(table) -> None:
    """Sorting and splitting."""
    from treecore.kernels.general.split_nodes import split_nodes
    from treecore.kernels.ranks import sort_by_code

    problem, growing = _cut_root(table)
    sort_by_code(problem.codes[0], np.zeros(6, np.int64), growing.order[0])
    split_nodes(problem, growing, np.array([0]), None)


def _route(table) -> None:
    """By keys and by numbers of both kinds; with a value that is missing: the kernel for plain thresholds leaves such
    a row to the other one."""
    from treecore.data.matrix_table import from_arrays
    from treecore.tree.predict import route

    stump, cells = _stump(table), np.array([[1.0, 0.0], [np.nan, 0.0], [4.0, 0.0]])
    keyed = from_arrays(cells[:, :1].astype(np.float32), np.zeros(3, int), classes=("n",), names=("x",))
    for rows in (keyed, cells.astype(np.float32), cells):
        route(stump, rows)


def _route_shared(table) -> None:
    """Rows without a value go down both branches."""
    from treecore.kernels.codes import SHARED
    from treecore.tree.predict import route

    stump = _stump(table)
    splits = replace(stump.splits, missing_branch=np.full(3, SHARED))
    route(replace(stump, splits=splits), np.array([[1.0, 0.0], [np.nan, 0.0]]))


def _raise(table) -> None:
    """Sending rows down a tree anew, some of whose branches have taken the places of others."""
    from treecore.kernels.route import count_more
    from treecore.pruning.recount import impurities_of
    from treecore.pruning.rerouting import everywhere, ground_of, send_on, zero_counts

    stump = _stump(table)
    ground, result = ground_of(stump, table), zero_counts(stump)
    everywhere(ground, result)
    send_on(ground, result, 0, ground.entries, np.ones(table.n_rows))
    count_more(ground, result, 0, ground.entries)
    impurities_of(stump, result.stats)


def _cut_root(table):
    """The same with a split of the root that is not made yet."""
    problem, growing = _problem(table)
    root = growing.nodes[0]
    root["n_children"], root["level_start"], root["low"], root["missing_branch"] = 2, -1, 1, OPEN
    return problem, growing


def _explain(table) -> None:
    from treecore.criteria.chi_square_tail import log_tails

    log_tails(np.ones(1), np.ones(1, np.int64))


def _prune(table) -> None:
    from treecore.pruning.sequence import sequence

    sequence(_stump(table))


def _stump(table):
    """x < 2.5 with a leaf on either side."""
    from treecore.growing.settings.grow_settings import GrowSettings
    from treecore.growing.settings.problem import schema_of
    from treecore.tree.splits import Splits
    from treecore.tree.tree import Tree

    leaves = np.array([False, True, True])
    splits = Splits(
        kind=np.where(leaves, 0, 1), feature=np.where(leaves, -1, 0), threshold=np.where(leaves, np.nan, 2.5),
        closed=leaves, low_branch=np.zeros(3), level_start=np.zeros(4), level_branch=np.zeros(0),
        missing_branch=np.where(leaves, -1, 0), unseen_branch=np.where(leaves, -1, 0),
    )  # fmt: skip
    return Tree(
        schema=schema_of(table, GrowSettings()), parent=np.array([-1, 0, 0]), first_child=np.array([1, -1, -1]),
        n_children=np.array([2, 0, 0]), node_depth=np.array([0, 1, 1]), splits=splits,
        stats=np.array([[2.0, 2.0], [1.0, 1.0], [1.0, 1.0]]), n_rows=np.array([4, 2, 2]),
        impurity=np.full(3, 0.5), gain=np.array([0.0, np.nan, np.nan]), answer=np.arange(3),
        criterion="gini", growth=GrowSettings().to_dict(),
    )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
