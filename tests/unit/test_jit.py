"""The cache of compiled kernels: named after the sources, never stale, numba's own settings untouched."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from treecore.engine import jit


def test_the_folder_is_named_after_every_source(tmp_path, monkeypatch):
    """An edit of any kernel or criterion gives another folder."""
    here = tmp_path / "treecore"
    for folder in jit.KERNEL_FOLDERS:
        shutil.copytree(f"treecore/{folder}", here / folder)
    (here / "engine").mkdir()
    shutil.copy("treecore/engine/jit.py", here / "engine")
    monkeypatch.setattr(jit, "__file__", str(here / "engine" / "jit.py"))
    before = jit._source_hash()
    assert jit._source_hash() == before
    for folder in jit.KERNEL_FOLDERS:
        some = sorted((here / folder).rglob("*.py"))[-1]
        some.write_text(some.read_text() + "\n# edited\n")
        after = jit._source_hash()
        assert after != before
        before = after


@pytest.mark.parametrize("changed", ["numba", "llvmlite", "np"])
def test_another_version_has_another_folder(changed, monkeypatch):
    before = jit._source_hash()
    monkeypatch.setattr(getattr(jit, changed), "__version__", "0.0.1")
    assert jit._source_hash() != before


def test_another_processor_python_or_setting_of_numba_has_another_folder(monkeypatch):
    found = {jit._source_hash()}
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    found.add(jit._source_hash())
    monkeypatch.setattr(jit.binding, "get_host_cpu_name", lambda: "another")
    found.add(jit._source_hash())
    monkeypatch.setattr(jit.sys, "implementation", SimpleNamespace(cache_tag="cpython-399"))
    found.add(jit._source_hash())
    assert len(found) == 4
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert jit._source_hash() in found


def test_every_compiled_function_stands_in_a_file_that_is_hashed():
    """No other file takes the decorators, so no edit of a compiled function goes unnoticed."""
    hashed = set(jit.kernel_files())
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
    assert jit.CACHE_DIR not in (before or "")


_FIRST_USE = """
import sys
import numba
import numpy as np
from treecore.kernels.encode.order import sort_by_code

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
    assert jit._cache_root() == tmp_path / "treecore-kernels"
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    assert blocked not in jit._cache_root().parents


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
