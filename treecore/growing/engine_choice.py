"""Which engine grows a tree: the one decision, for the fit itself and for whoever prepares it.

FAST : kernels for what most trees ask for. SHARING : for rows that are shared among branches, and for J48. GENERAL :
the small kernels that do everything. The first trees of a process are grown in NumPy where that is done before kernels
are ready. The tree is the same. NUMPY : for a criterion of another package, which kernels do not know.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from treecore.data.table import Table
from treecore.engine import compiling
from treecore.errors import TreecoreError
from treecore.growing.loop import GrowResult, Progress
from treecore.growing.numpy.numpy_growth import grow_uncompiled, is_covered, seconds
from treecore.growing.searchers import as_searched
from treecore.growing.settings.engine_plan import EnginePlan, plan_for
from treecore.growing.settings.grow_settings import GrowSettings
from treecore.growing.settings.problem import problem_of
from treecore.kernels.state import Problem
from treecore.tree.tree import Tree

FAST, SHARING, GENERAL, NUMPY = "fast", "sharing", "general", "numpy"
COMPILING = {
    "fast": 20.0, "fast_surrogates": 9.0, "fast_special": 40.0, "search": 10.0, "split": 6.0, "surrogates": 8.0,
    "shared": 30.0, "special_search": 25.0, "special_split": 12.0, "absolute": 13.0,
}  # fmt: skip
"""Seconds that each part of the kernels takes to compile on one core of the machine of benchmarks/results.md."""
LOADING = 0.25
"""Seconds that they take to be read from the disk cache."""
STEP = 0.1
"""Seconds between two looks at what is ready."""
MOST_CELLS = 8_000_000
"""Of a table that is grown on without kernels: beyond, it takes too much memory."""
MOST_WHILE_LOADING = 2_000_000
"""The same while kernels need only be read: no tree on a larger table is grown within LOADING."""
LARGE = "fast_large"
"""The part of the kernels that grows large nodes sooner; no tree waits for it."""
_spent = [0.0]


class EngineChoice(NamedTuple):
    """engine : FAST, SHARING, GENERAL or NUMPY. parts : of the kernels that it takes, see treecore.warm. in_numpy : is
    it tried in NumPy first? problem : the kernels' view of the table where it was needed to decide, else None.
    """

    engine: str
    parts: tuple[str, ...]
    plan: EnginePlan
    in_numpy: bool = False
    problem: Problem | None = None


def choose_engine(table: Table, growth: GrowSettings, imposed: bool = False) -> EngineChoice:
    """Which engine grows on this table by these settings now. imposed : are some splits said beforehand?

    TreecoreError where the settings do not fit the table.
    """
    plan = plan_for(table, growth)
    if plan.criterion.node is None:
        return _without_kernels(table, growth, plan, imposed)
    is_fast = bool(plan.fast_parts) and not imposed
    engine, parts = (FAST, plan.fast_parts) if is_fast else (GENERAL, plan.general_parts)
    if plan.shared and not imposed:
        engine, parts = SHARING, ("shared",)
    if imposed or table.counts is not None or kernels_available(parts, table.n_rows * len(table.features)):
        return EngineChoice(engine, parts, plan)
    problem = searched_problem(table, growth)
    return EngineChoice(engine, parts, plan, should_grow_in_numpy(problem, growth, parts), problem)


def _without_kernels(table: Table, growth: GrowSettings, plan: EnginePlan, imposed: bool) -> EngineChoice:
    """For a criterion that kernels do not know; TreecoreError where NumPy does not know all of the settings."""
    problem = searched_problem(table, growth)
    if imposed or not is_covered(problem, growth):
        raise TreecoreError(
            f"{plan.criterion.label} comes from another package and is grown in NumPy, which does not know all that "
            "these settings ask for",
            where="criterion",
            remedy="Take the usual score, selector and missing-value strategy, without tests and splits by hand, or "
            "another impurity",
        )
    return EngineChoice(NUMPY, (), plan, problem=problem)


def searched_problem(table: Table, growth: GrowSettings) -> Problem:
    """The kernels' view of the table, as the selector of these settings searches it."""
    return as_searched(problem_of(table, growth), growth)


def kernels_available(parts: tuple[str, ...], n_cells: int) -> bool:
    """Is a table of so many cells grown on by the kernels of these parts, whatever is asked of them? Then nobody need
    make a Problem of it, which may be large, to find out."""
    if n_cells > MOST_CELLS or all(map(compiling.is_loaded, parts)):
        return True
    return n_cells > MOST_WHILE_LOADING and all(map(compiling.is_cached, parts))


def should_grow_in_numpy(problem: Problem, growth: GrowSettings, parts: tuple[str, ...]) -> bool:
    """Is the tree grown in NumPy before the kernels of these parts would be ready?

    Where they are in the disk cache, that is asked for the first tree of a process only: the next ones gain by them.
    """
    if compiling.is_forced() or kernels_available(parts, problem.codes.size):
        return False
    if _spent[0] > 0.0 and all(map(compiling.is_cached, parts)):
        return False
    return is_covered(problem, growth) and seconds(problem) < seconds_to_ready(parts)


def seconds_to_ready(parts: tuple[str, ...]) -> float:
    """About how long it takes until these parts of the kernels can be used."""
    missing = [part for part in parts if not compiling.is_cached(part)]
    return sum(COMPILING[part] for part in missing) - _spent[0] if missing else LOADING


def grown_in_numpy(
    problem: Problem, growth: GrowSettings, parts: tuple[str, ...], progress: Callable | None
) -> GrowResult | None:
    """The tree without kernels; None where it turns out too deep to be grown so, once those of these parts are ready.

    What is lacking of the kernels is compiled in the background.
    """
    begin, left = time.perf_counter(), seconds_to_ready(parts)
    try:
        grown = grow_uncompiled(problem, growth, progress, left)
    finally:
        _spent[0] += time.perf_counter() - begin
        compiling.ask_for(parts)
        compiling.start(parts)
    if grown is None and progress is not None:
        _wait(parts, progress)
    return grown


def _wait(parts: tuple[str, ...], progress: Callable) -> None:
    """Until the process in the background has these parts ready, so that the fit can be stopped meanwhile."""
    while not all(map(compiling.is_ready, parts)) and compiling.is_running():
        progress(Progress(1, 1))
        time.sleep(STEP)


def has_buckets() -> bool:
    """May large nodes be grown from buckets now? If not, what this takes is compiled in the background."""
    if compiling.is_forced() or compiling.is_loaded(LARGE):
        return True
    if compiling.is_cached(LARGE):
        compiling.note(LARGE)  # they are about to be read
        return True
    compiling.start((LARGE,))
    return False


def note_compiled(parts: tuple[str, ...], tree: Tree) -> None:
    """Remember that these parts' kernels have grown this tree; one without a split did not take all of them."""
    for part in parts if tree.n_nodes > 1 else ():
        compiling.note(part)
