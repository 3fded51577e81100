"""The cache of compiled kernels: named after the sources, never stale, numba's own settings untouched."""

import gc
import importlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from treecore.engine import jit, kernel_cache
from treecore.engine.kernel_cache import KernelCache, code_hash

CALLEE = "from treecore.engine.jit import inner\n\n\n@inner\ndef step(x):\n    return x + {}\n"
BETWEEN = "from treecore.kernels import ({}\n    callee,  # more\n)\n\nstep = callee.step\n"
CALLER = """
from treecore.engine.jit import jit
{imports}


@jit
def {name}(x):
    return {value}
"""
ENTRY = """
from treecore.engine.kernel_cache import CACHE_DIR
from treecore.kernels.bystander import bystander
from treecore.kernels.caller import caller

print(CACHE_DIR)
print(caller(1), *caller.stats.cache_hits.values(), bystander(1), *bystander.stats.cache_hits.values())
"""


@pytest.fixture
def package(tmp_path):
    """A package treecore with a caller, which calls another file's function by way of a third, and a bystander."""
    engine, kernels = tmp_path / "here" / "treecore" / "engine", tmp_path / "here" / "treecore" / "kernels"
    shutil.copytree("treecore/engine", engine)
    kernels.mkdir()
    for folder in (engine.parent, kernels):
        (folder / "__init__.py").touch()
    (kernels / "callee.py").write_text(CALLEE.format(1))
    (kernels / "between.py").write_text(BETWEEN.format(""))
    imports = "from treecore.kernels.between import step"
    (kernels / "caller.py").write_text(CALLER.format(imports=imports, name="caller", value="step(x)"))
    (kernels / "bystander.py").write_text(CALLER.format(imports="", name="bystander", value="-x"))
    return engine.parent


def told_by(package: Path, cache: Path) -> tuple[str, list[int]]:
    """The folder of these kernels; answer and hits of the cache, of the caller and of the bystander."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", ENTRY]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=package.parent)
    folder, figures = done.stdout.splitlines()
    return folder, [int(word) for word in figures.split()]


def test_an_edit_compiles_what_calls_it_and_nothing_else(package, tmp_path):
    """Also where another file stands between, and for a copy of the package at another place and of another time."""
    (folder, first), again = told_by(package, tmp_path), told_by(package, tmp_path)
    assert first == [2, -1], "nothing was read: the cache was empty"
    assert again == (folder, [2, 1, -1, 1])
    callee = package / "kernels" / "callee.py"
    callee.write_text(CALLEE.format(5))
    other, edited = told_by(package, tmp_path)
    assert edited == [6, -1, 1]
    assert other != folder
    callee.write_text(CALLEE.format(1))
    copy = shutil.copytree(package, tmp_path / "there" / "treecore", copy_function=shutil.copy)
    assert told_by(copy, tmp_path) == again
    jit_file = package / "engine" / "jit.py"
    jit_file.write_text(jit_file.read_text("utf-8") + "\n# edited\n")
    assert told_by(package, tmp_path)[1] == [2, -1]


CALLS = """
from treecore.engine.jit import inner, jit, kernel, bits_of, piece

STEP, TABLE = 1, np.arange(3)

@inner
def step(x, by=5):
    return x + by

@jit
def entry(x):
    "What it is."
    return outer(x) * STEP + TABLE[0]

@inner
def outer(x):
    # a step
    return step(x) in {"b", "a"} or bits_of(x)

@inner
def nobody(x):
    return x
"""


def hash_of(source: str) -> str:
    scope = {"__name__": "calls", "np": np}
    exec(source, scope)
    return code_hash(scope["entry"])


@pytest.mark.parametrize(("old", "new"), [
    ("# a step", "# a step\n    # and one more"), ("What it is.", "What else it is."),
    ("def nobody(x)", "def nobody(y)"), ("    return x\n", "    return x + 1\n"), ('{"b", "a"}', '{"a", "b"}'),
])  # fmt: skip
def test_what_is_not_run_or_not_called_compiles_nothing(old, new):
    assert old in CALLS
    assert hash_of(CALLS) == hash_of(CALLS.replace(old, new))


@pytest.mark.parametrize(("old", "new"), [
    ("x + by", "x - by"), ("by=5", "by=6"), ('"a"}', '"c"}'), ("@inner\ndef step", "@kernel\ndef step"),
    ("STEP, TABLE = 1", "STEP, TABLE = 2"), ("STEP, TABLE = 1", "STEP, TABLE = 1.0"), ("arange(3)", "arange(4)"),
    ("arange(3)", "arange(3.0)"), ("or bits_of(x)", "or piece(x)"), ("bits_of, piece", "number_of as bits_of, piece"),
])  # fmt: skip
def test_whatever_a_function_calls_or_names_compiles_it_anew(old, new):
    assert old in CALLS
    assert hash_of(CALLS) != hash_of(CALLS.replace(old, new))


def test_fields_that_change_places_compile_what_is_given_them():
    """Of two fields of one type numba's key says nothing, and compiled code knows them by their places."""
    found = set()
    for names in ("low", "high"), ("high", "low"):
        pair = NamedTuple("Pair", [(name, int) for name in names])
        kind = numba.types.Tuple([numba.typeof(pair(1, 2)), numba.types.int64])
        found.add(repr(KernelCache(_plus)._index_key((kind,), _plus.targetctx.codegen())[-1]))
    assert len(found) == 2


def _kernel_modules() -> list:
    parts = (path.relative_to(kernel_cache.PACKAGE).with_suffix("").parts for path in kernel_cache.kernel_files())
    return [importlib.import_module(".".join(("treecore", *names))) for names in parts]


def test_no_hash_of_a_kernel_depends_on_where_it_lies_in_memory():
    """Else nothing kept would be found by another process."""
    for module in _kernel_modules():
        for value in vars(module).values():
            if isinstance(value, Dispatcher):
                code_hash(value)
    assert len(told := [text for text, _ in kernel_cache._dependencies.values()]) > 500
    assert not any(" at 0x" in text for text in told)


def test_no_two_compiled_functions_have_one_name():
    """Else code that was kept by another process could be put together with the wrong one."""
    named, waiting = {}, [v for name in _kernel_modules() for v in vars(name).values() if isinstance(v, Dispatcher)]
    while waiting:
        one = waiting.pop()
        place = kernel_cache._place(one.py_func)
        if place not in named:
            waiting += kernel_cache._own(one)[1]
        assert named.setdefault(place, one) is one, place
    assert len(named) > 500


@pytest.mark.parametrize("changed", ["numba", "llvmlite", "np"])
def test_another_version_has_another_folder(changed, monkeypatch):
    before = kernel_cache.compiler_hash()
    monkeypatch.setattr(getattr(kernel_cache, changed), "__version__", "0.0.1")
    assert kernel_cache.compiler_hash() != before


def test_another_processor_python_or_setting_of_numba_has_another_folder(monkeypatch):
    found = {kernel_cache.compiler_hash()}
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    found.add(kernel_cache.compiler_hash())
    monkeypatch.setattr(kernel_cache.binding, "get_host_cpu_name", lambda: "another")
    found.add(kernel_cache.compiler_hash())
    monkeypatch.setattr(kernel_cache.sys, "implementation", SimpleNamespace(cache_tag="cpython-399"))
    found.add(kernel_cache.compiler_hash())
    assert len(found) == 4
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert kernel_cache.compiler_hash() in found


@pytest.mark.parametrize("gone", ["class", "module"])
def test_code_kept_for_a_class_of_another_version_is_none(gone, tmp_path, monkeypatch):
    """Two versions share the folder of a function that is the same in both."""
    other = ModuleType("other_version")
    other.Nodes = type("Nodes", (), {"__module__": "other_version"})
    monkeypatch.setitem(sys.modules, "other_version", other)
    index = kernel_cache._Index(str(tmp_path), "code", "")
    index.save(other.Nodes, "theirs")
    assert index.load(other.Nodes) == "theirs"
    if gone == "class":
        del other.Nodes
    else:
        monkeypatch.delitem(sys.modules, "other_version")
    assert index.load("Rows") is None
    index.save("Rows", "ours")
    assert index.load("Rows") == "ours"


def test_folders_that_nobody_has_used_for_a_month_go(tmp_path):
    for name, age in (("now", 0), ("lately", 0.9 * kernel_cache.MONTH), ("once", 1.1 * kernel_cache.MONTH)):
        (tmp_path / name).mkdir()
        then = tmp_path.stat().st_mtime - age
        os.utime(tmp_path / name, (then, then))
    kernel_cache._let_go_of_old(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"now", "lately"}


def test_every_compiled_function_stands_in_a_file_that_is_hashed():
    """No other file takes the decorators, so no edit of a compiled function goes unnoticed."""
    hashed = set(kernel_cache.kernel_files())
    names = "jit|inner|kernel|passage|allocating|lending"
    decorators = re.compile(rf"from treecore\.engine\.jit import [^#\n]*\b({names})\b|@numba|njit")
    for path in Path(jit.__file__).parents[1].rglob("*.py"):
        assert path in hashed or not decorators.search(path.read_text("utf-8")), path


def test_other_users_of_numba_keep_their_cache():
    before = numba.config.CACHE_DIR

    @jit.jit
    def three():
        return 3

    assert three() == 3
    assert before == numba.config.CACHE_DIR
    assert kernel_cache.CACHE_DIR not in (before or "")


_FIRST_USE = """
import sys
import numba
import numpy as np
from treecore.kernels.ranks import sort_by_code

order = np.empty(3, np.int32)
sort_by_code(np.array([1, 0, 1], np.int32), np.zeros(4, np.int64), order)
print(*order, "scipy.linalg" in sys.modules, sum(sort_by_code.stats.cache_hits.values()))
print(numba.njit(lambda a: np.dot(a, a))(np.array([3.0, 4.0])))
"""


def test_cached_code_is_read_without_what_only_compiling_needs(tmp_path):
    """And what is compiled later in the same process, by whomever, misses nothing."""
    told = []
    for _ in range(2):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run([sys.executable, "-c", _FIRST_USE], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.split("\n")[:2])
    assert told == [["1 0 2 True 0", "25.0"], ["1 0 2 False 1", "25.0"]]


def test_a_named_folder_is_used_and_an_unwritable_one_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert kernel_cache._cache_root() == tmp_path / "treecore-kernels"
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    assert blocked not in kernel_cache._cache_root().parents


@jit.jit
def _counted_up(matrix, i, start, stop):
    for k in range(stop - start):
        jit.piece(jit.row(matrix, i), start, stop)[k] += k + 1
    return jit.piece(jit.row(matrix, i), start, stop).shape[0]


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.float64])
def test_pieces_and_rows_are_the_memory_they_are_taken_from_and_hold_nothing(dtype):
    matrix = np.zeros((3, 5), dtype)
    before = sys.getrefcount(matrix)
    assert _counted_up(matrix, np.int32(1), 2, np.uint64(5)) == 3
    assert matrix.tolist() == [[0] * 5, [0, 0, 1, 2, 3], [0] * 5]
    assert sys.getrefcount(matrix) == before


def test_what_only_compiled_functions_call_has_no_machine_code_of_its_own():
    """It becomes part of its callers', where it is optimised with them: compiling it at every step is dear."""
    part = numba.njit(**jit._WITHIN)(lambda x: x + 1)
    within = numba.njit(**jit._WITHIN)(lambda x: 2 * part(x))
    entry = numba.njit(lambda x: within(part(x)))
    assert entry(1) == 6
    for function in (part, within):
        [own] = function.overloads.values()
        name = own.fndesc.llvm_func_name
        assert name in own.library.get_llvm_str()
        assert name.encode() not in own.library._get_compiled_object()


@jit.inner
def _plus(x, step):
    return x + step


def test_a_number_written_out_is_compiled_as_any_other():
    number = numba.types.int64
    for step in (number, numba.types.literal(1), numba.types.literal(2)):
        _plus.get_call_template((number, step), {})
    assert len(_plus.nopython_signatures) == 1


@pytest.mark.parametrize("collected", [True, False])
def test_garbage_is_collected_after_compiling_as_before(collected):
    @jit.jit
    def once(x):
        return x + 1

    (gc.enable if collected else gc.disable)()
    try:
        assert once(1) == 2
        assert gc.isenabled() == collected
    finally:
        gc.enable()
