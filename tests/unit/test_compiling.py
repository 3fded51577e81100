"""Which kernels are compiled, the one process that compiles the rest, and a first tree that waits for neither."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import treecore as tc
from treecore import warm
from treecore.data.samples import read_sample
from treecore.engine import compiling, kernel_cache
from treecore.growing import engine_choice
from treecore.growing.fast.fast_growth import BUCKETS
from treecore.growing.settings import problem
from treecore.tree import routing
from treecore.warm import CHAINS, PARTS, SHORT

ROOT = Path(__file__).resolve().parents[2]
FIRST_TREE = """
import gc, json, sys
import numpy as np
import treecore as tc
from numba.core.dispatcher import Dispatcher
from treecore.data import level_column, numeric_column
rng = np.random.default_rng(0)
x, gaps = rng.integers(0, 9, 80) / 2, rng.integers(0, 9, 80) / 2
gaps[rng.random(80) < 0.2] = np.nan
word, y = rng.integers(0, 4, 80), ((x > 2) ^ (rng.random(80) < 0.2)).astype(int)
columns = (numeric_column("x", x), numeric_column("gaps", gaps), level_column("word", "nominal", word, tuple("abcd")),
           level_column("y", "nominal", y, ("n", "p")))
table = tc.Table(columns, target="y", features=("x", "gaps", "word"))
trees = [tc.grow(table, "cart").to_dict() for _ in range(int(sys.argv[1]))]
predicted = tc.Tree.from_dict(trees[0]).predict(table).tolist() if sys.argv[2] == "predict" else []
compiled = [k.__name__ for k in gc.get_objects() if type(k).__mro__.count(Dispatcher) and k.signatures
            and k.__module__.startswith("treecore")]
print(json.dumps([trees[0], trees[-1], predicted, compiled]))
"""

EVERY_USE = """
import gc, json
import numpy as np
import treecore as tc
from numba.core.dispatcher import Dispatcher
from treecore import warm
from treecore.engine import compiling
from treecore.data import level_column, numeric_column
from treecore.growing.inspect.candidates import candidates
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS

def ready():
    kernels = (k for k in gc.get_objects() if type(k).__mro__.count(Dispatcher) and k.__module__.startswith("treecore"))
    return {f"{k.__name__} {signature}" for k in kernels for signature in k.signatures}

def tables():
    rng = np.random.default_rng(0)
    x, gaps, word = rng.integers(0, 9, 90) / 2, rng.integers(0, 9, 90) / 2, rng.integers(0, 4, 90)
    gaps[rng.random(90) < 0.2] = np.nan
    words = level_column("word", "nominal", word, tuple("abcd"))
    features = numeric_column("x", x), numeric_column("gaps", gaps), words
    y = ((x > 2) ^ (rng.random(90) < 0.2)).astype(int)
    targets = level_column("y", "nominal", y, ("n", "p")), numeric_column("y", y + x)
    mixed = [tc.Table((*features, target), target="y", features=("x", "gaps", "word")) for target in targets]
    X = np.column_stack([x, word]).astype(np.float32)
    plain = [tc.from_arrays(X, y, classes="np"), tc.from_arrays(X, y + x)]
    parts = [table.take(np.arange(60)) for table in (*mixed, *plain)]
    return [*mixed, *plain, *parts, mixed[0].with_weights(y + 1.0), mixed[1].with_weights(x + 0.1)]

def pairs(spec):
    rng = np.random.default_rng(1)
    x, gaps, time, event = rng.random(90), rng.integers(0, 9, 90) / 2, 1.0 + rng.random(90), rng.integers(0, 2, 90)
    gaps[rng.random(90) < 0.2] = np.nan
    columns = [numeric_column(*pair) for pair in (("x", x), ("gaps", gaps), ("time", time), ("event", event * 1.0))]
    columns.append(level_column("word", "nominal", rng.integers(0, 4, 90), tuple("abcd")))
    return tc.Table(tuple(columns), target="event", features=("x", "gaps", "word")).with_target(spec)

def use(table, preset, **settings):
    tree = tc.grow(table, preset, **settings)
    tree.predict(table)
    candidates(tree, 0, table)
    for name in PRUNERS:
        try:
            tree.cut(tc.prune(tree, name, train=table, validation=table)).predict(table)
        except tc.TreecoreError:
            pass

warm.warm()
before, grown = ready(), 0
with compiling.forced():
    for table in tables():
        for preset in PRESETS:
            try:
                use(table, preset)
            except tc.TreecoreError:
                continue
            grown += 1
    use(tables()[0], "cart", loss=((0, 3), (1, 0)))
    use(tables()[1], "cart", criterion="absolute_error")
    use(tables()[0], "cart", oblique="climb")
    use(tables()[1], "cart", oblique="climb")
    for loss in ({"criterion": "quantile", "quantile": 0.9}, {"criterion": "huber"}):
        use(tables()[1], "cart", **loss)
    survival, effect = tc.Survival("time", "event"), tc.Effect("time", "event", min_rows=2)
    for spec, growth in ((tc.Counts("event", "time"), {}), (survival, {}), (survival, {"score": "log_rank"}),
                         (effect, {"criterion": "squared_effect"}), (effect, {"criterion": "honest_effect"})):
        for levels in (2, 12):
            use(pairs(spec), "cart", max_exhaustive=levels, **growth)
print(json.dumps([grown, sorted(ready() - before)]))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache folder of this process; nothing is in memory."""
    monkeypatch.setattr(compiling, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiling, "_loaded", set())
    monkeypatch.setattr(compiling, "_process", [])
    return tmp_path


@pytest.fixture
def started(folder, monkeypatch):
    """The commands that were to be started, none of which is."""
    commands = []

    class Process:
        def __init__(self, command, **options):
            commands.append((command, options))

        def poll(self):
            return 0

    monkeypatch.setattr(compiling.subprocess, "Popen", Process)
    monkeypatch.delenv(compiling.SWITCH, raising=False)
    return commands


def first_trees(cache: Path, how_many: int = 1, predict: str = "predict", **more) -> list:
    """What FIRST_TREE prints in a process of its own, with this cache folder and no other process beside it."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), compiling.SWITCH: "0", "TREECORE_UNCOMPILED": "1"} | more
    command = [sys.executable, "-c", FIRST_TREE, str(how_many), predict]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
    return json.loads(done.stdout)


def test_with_an_empty_cache_the_first_trees_compile_nothing(tmp_path):
    first, last, _, compiled = first_trees(tmp_path, how_many=2, predict="")
    assert first == last
    assert len(first["n_children"]) > 10
    assert compiled == []


def test_with_an_empty_cache_the_first_answers_compile_nothing(tmp_path):
    *_, predicted, compiled = first_trees(tmp_path)
    assert {*predicted} == {"n", "p"}
    assert compiled == []


def test_the_first_tree_is_that_of_the_kernels(tmp_path):
    """In a process that finds everything in the cache, its second tree is grown by the kernels."""
    mine = kernel_cache.CACHE_DIR
    for part in ("search", "split", "surrogates"):
        warm.warm(part)
    first, second, _, compiled = first_trees(Path(mine).parents[2], how_many=2, predict="")
    assert {"search_nodes", "split_nodes"} <= {*compiled}
    assert first == second


def test_the_kernels_can_be_asked_for(tmp_path):
    first, _, _, compiled = first_trees(Path(kernel_cache.CACHE_DIR).parents[2], TREECORE_UNCOMPILED="0")
    assert {"search_nodes", "split_nodes"} <= {*compiled}
    assert len(first["n_children"]) > 10


def test_when_all_parts_are_ready_nothing_is_left_to_compile():
    environment = os.environ | {"NUMBA_CACHE_DIR": str(Path(kernel_cache.CACHE_DIR).parents[2]), compiling.SWITCH: "0"}
    done = subprocess.run(
        [sys.executable, "-c", EVERY_USE], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    grown, compiled = json.loads(done.stdout)
    assert grown > 40
    assert compiled == []


def test_a_part_is_ready_when_it_was_used(folder):
    assert not compiling.is_cached("search")
    assert not compiling.is_loaded("search")
    compiling.note("search")
    assert compiling.is_cached("search")
    assert compiling.is_loaded("search")
    assert not compiling.is_cached("split")


def test_a_cache_that_cannot_be_written_to_is_none(started, monkeypatch):
    monkeypatch.setattr(compiling, "CACHE_DIR", "/nowhere/at/all")
    compiling.note("search")
    assert compiling.is_loaded("search")
    assert not compiling.is_cached("search")
    assert not compiling.is_running()
    compiling.start(("split",))
    assert started == []


def test_one_process_is_started_for_what_is_not_ready(started):
    compiling.start(("search", "split"))
    (command, options), *more = started
    assert not more
    assert command[1:] == ["-m", "treecore.warm", "search", "split"]
    assert options["env"][compiling.SWITCH] == "0", "it could start another one"
    for part in ("search", "split"):
        compiling.note(part)
    compiling.start(("search", "split"))
    assert len(started) == 1


@pytest.mark.parametrize(
    ("sample", "growth", "parts"),
    [
        ("claims", {}, ("counts", "split")),
        ("claims", {"missing": "surrogates"}, ("counts", "split", "surrogates")),
        ("pumps", {}, ("counts", "split")),
        ("pumps", {"score": "log_rank"}, ("log_rank", "split")),
        ("backs", {}, ("effects", "split")),
        ("mpg", {"criterion": "quantile"}, ("absolute", "split")),
        ("mpg", {"criterion": "huber"}, ("absolute", "split")),
    ],
)
def test_trees_of_other_kinds_ask_for_the_search_of_their_own(sample, growth, parts):
    with compiling.forced():
        assert warm.parts_for(read_sample(sample), tc.GrowSettings(**growth)) == parts
    assert {*parts} <= {*PARTS}


def test_surrogates_of_rows_without_gaps_are_a_part_of_their_own(started, monkeypatch):
    """Where the fast growers are ready and it is not, the first tree is grown in NumPy."""
    monkeypatch.setattr(compiling, "_forced", [False])
    monkeypatch.setattr(engine_choice, "_spent", [0.0])
    table = tc.from_arrays(np.arange(16.0).reshape(8, 2), np.arange(8) // 4, classes=("n", "p"))
    with compiling.forced():
        assert warm.parts_for(table, tc.GrowSettings()) == ("fast",)
        assert warm.parts_for(table, tc.GrowSettings(missing="surrogates")) == ("fast", "fast_surrogates")
        assert warm.parts_for(table, tc.GrowSettings(oblique="ridge")) == ("fast", "oblique")
    compiling.note("fast")
    assert len(tc.grow(table, "cart").surrogates) == 1
    (command, _), *more = started
    assert not more
    assert command[1:] == ["-m", "treecore.warm", "fast", "fast_surrogates"]
    assert not compiling.is_loaded("fast_surrogates")


def test_no_tree_waits_for_the_kernels_of_large_nodes(started, monkeypatch):
    """Until they are ready all nodes are grown as small ones are, to the same tree."""
    monkeypatch.setattr(compiling, "_forced", [False])
    monkeypatch.setattr(compiling, "_loaded", {"fast"})
    x = np.random.default_rng(0).integers(0, 9, (600, 3)).astype(np.float32)

    def grown() -> tuple[dict, bool]:
        table = tc.from_arrays(x, (x[:, 0] > x[:, 1]).astype(int), classes=("n", "p"))
        return tc.grow(table, "cart", missing="majority").to_dict(), BUCKETS.take(table) is not None

    tree, from_buckets = grown()
    assert not from_buckets
    assert [command[3:] for command, _ in started] == [["fast_large"]]
    compiling._marker("fast_large").touch()
    assert grown() == (tree, True)
    assert len(started) == 1


def test_rows_sent_in_numpy_are_counted(started, monkeypatch):
    """Many small predictions come to the kernels as one large one does, and have them compiled meanwhile."""
    monkeypatch.setattr(compiling, "_forced", [False])
    monkeypatch.setattr(routing, "_rows_so_far", [0])
    X = np.arange(60, dtype=np.float32).reshape(20, 3)
    tree = tc.grow(tc.from_arrays(X, np.arange(20) // 10, classes="ab"), "cart", missing="majority")
    started.clear()
    assert tree.predict(X).tolist() == ["a"] * 10 + ["b"] * 10
    assert started[0][0][3:] == ["route"]
    assert routing._rows_so_far == [20]
    monkeypatch.setattr(routing, "MOST_ROWS", 41)
    assert routing.numpy_routing_is_faster(("route",), 20)
    assert not routing.numpy_routing_is_faster(("route",), 21)


def test_kernels_that_shared_no_row_are_not_said_to_be_ready_for_that(folder, monkeypatch):
    """The tree would share rows without a value; no row that is sent lacks one."""
    monkeypatch.setattr(compiling, "_loaded", set())
    X = np.arange(60, dtype=np.float32).reshape(20, 3)
    tree = tc.grow(tc.from_arrays(X, np.arange(20) // 10, classes="ab"), "c4.5")
    assert routing.parts_for(tree) == ("route", "route_shared")
    with compiling.forced():
        tree.predict(X)
    assert compiling.is_loaded("route")
    assert not compiling.is_cached("route_shared")


def test_cached_kernels_are_read_sooner_than_others_are_compiled(folder, monkeypatch):
    monkeypatch.setattr(compiling, "_forced", [False])
    monkeypatch.setattr(routing, "_rows_so_far", [0])
    n = routing.MOST_CACHED_ROWS
    assert routing.numpy_routing_is_faster(("route",), n)
    compiling._marker("route").touch()
    assert routing.numpy_routing_is_faster(("route",), n - 1)
    assert not routing.numpy_routing_is_faster(("route",), n)
    compiling.note("search")
    assert not routing.numpy_routing_is_faster(("route",), 1)


def test_no_problem_is_made_of_a_large_table_whose_kernels_are_cached(folder, monkeypatch):
    """It takes a second and a hundred megabytes, only to find that reading the kernels is sooner."""
    monkeypatch.setattr(engine_choice, "MOST_WHILE_LOADING", 15)
    assert not engine_choice.kernels_available(("fast",), 16)
    assert engine_choice.kernels_available(("fast",), engine_choice.MOST_CELLS + 1)
    compiling._marker("fast").touch()
    assert engine_choice.kernels_available(("fast",), 16)
    assert not engine_choice.kernels_available(("fast",), 15)
    assert not engine_choice.kernels_available(("fast", "fast_surrogates"), 16)
    for module in (engine_choice, problem):
        monkeypatch.setattr(module, "problem_of", None)
    table = tc.from_arrays(np.arange(16.0).reshape(8, 2), np.arange(8) // 4, classes=("n", "p"))
    assert tc.grow(table, "cart", missing="majority").n_leaves == 2
    assert warm.parts_for(table, tc.GrowSettings(missing="majority")) == ("fast",)


def test_no_process_is_started_where_it_is_forbidden_or_another_one_is_at_it(started, monkeypatch):
    held = compiling.lock()
    compiling.start(("search",))
    held.close()
    monkeypatch.setenv(compiling.SWITCH, "0")
    compiling.start(("search",))
    monkeypatch.delenv(compiling.SWITCH)
    monkeypatch.setattr(sys, "executable", "/opt/blender")
    compiling.start(("search",))
    assert started == []


def test_the_lock_is_free_again_when_its_holder_is_killed(folder):
    code = "import sys, time; from treecore.engine import compiling; compiling.CACHE_DIR = sys.argv[1]\n"
    code += "held = compiling.lock(); print('held', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, cwd=ROOT) as holder:
        holder.stdout.readline()
        assert compiling.is_running()
        assert compiling.lock() is None
        holder.kill()
    assert not compiling.is_running()


def test_parts_are_compiled_in_the_order_asked_for_and_once(folder, monkeypatch, capsys):
    used = []
    monkeypatch.setattr(warm, "warm", lambda part: (used.append(part), compiling.note(part)))
    monkeypatch.setattr(warm.os, "nice", lambda by: by, raising=False)
    compiling.note("split")
    warm.main(["surrogates", "unheard of"])
    first = [*SHORT, "surrogates"]
    assert used == [*first, *(p for p in PARTS if p not in (*first, "split"))]
    assert capsys.readouterr().out.split() == used
    held = compiling.lock()
    for marker in folder.glob("*.ready"):
        marker.unlink()
    warm.main(["surrogates"])
    held.close()
    assert len(used) == len(PARTS) - 1, "it worked beside another process"


def test_what_somebody_waits_for_comes_next(folder, monkeypatch):
    """Who opens a survival table while the background is at its first part does not wait for all parts before it."""
    used = []

    def compile_part(part: str) -> None:
        used.append(part)
        compiling.note(part)
        if len(used) == 1:
            compiling.ask_for(("split", "log_rank", part))

    monkeypatch.setattr(warm, "warm", compile_part)
    monkeypatch.setattr(warm.os, "nice", lambda by: by, raising=False)
    warm.main([])
    asked = ["split", "log_rank"]
    assert used == [SHORT[0], *asked, SHORT[1], *(p for p in PARTS if p not in (*SHORT, *asked))]
    assert not any(map(compiling.is_awaited, PARTS)), "a request that was met stays"


def test_what_most_trees_need_is_loaded_if_it_is_compiled(folder, monkeypatch):
    used = []
    for part in ("fast", "fast_large"):
        monkeypatch.setattr(warm, f"_{part}", lambda table, part=part: used.append(part))
    warm.load()
    assert not used, "it does not compile"
    for part, expected in (("fast", ["fast"]), ("fast_large", ["fast", "fast_large"])):
        compiling.note(part)
        compiling._loaded.discard(part)
        warm.load()
        assert used == expected
        assert compiling.is_loaded(part)
        warm.load()
        assert used == expected, "once"


STARTING = """
import os, time
from treecore.engine import compiling as c
c.start(("explain",))
print(c._process[0].pid, c.CACHE_DIR, flush=True)
input()
"""


def test_a_process_in_the_background_fills_the_cache_and_ends_with_this_one(tmp_path):
    """However this one ends: here it is killed, in the middle of the parts."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    environment.pop(compiling.SWITCH, None)
    parent = subprocess.Popen(
        [sys.executable, "-c", STARTING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=environment,
    )  # fmt: skip
    pid, cache = parent.stdout.readline().strip().split(" ", 1)
    try:
        assert _within(120, lambda: (Path(cache) / "explain.ready").exists())
        assert _is_alive(int(pid))
        parent.kill()
        parent.communicate()
        assert _within(20, lambda: not _is_alive(int(pid)))
        assert (Path(cache) / "explain.ready").exists(), "what was compiled stays"
    finally:
        parent.kill()
        with suppress(OSError):
            os.kill(int(pid), signal.SIGKILL)


def _within(seconds: float, happens) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if happens():
            return True
        time.sleep(0.1)
    return False


def _is_alive(pid: int) -> bool:
    """One that has ended and is not waited for yet is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_every_part_is_in_one_chain():
    assert sorted(part for chain in CHAINS for part in chain) == sorted(PARTS)
