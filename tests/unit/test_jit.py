"""The cache of compiled kernels: named after the sources, never stale, numba's own settings untouched."""

import shutil

import numba

from treecore import jit


def test_the_folder_is_named_after_every_source(tmp_path, monkeypatch):
    """An edit of any kernel or criterion gives another folder."""
    here = tmp_path / "treecore"
    for folder in jit.KERNEL_FOLDERS:
        shutil.copytree(f"treecore/{folder}", here / folder)
    shutil.copy("treecore/jit.py", here)
    monkeypatch.setattr(jit, "__file__", str(here / "jit.py"))
    before = jit._source_hash()
    assert jit._source_hash() == before
    for folder in jit.KERNEL_FOLDERS:
        some = sorted((here / folder).glob("*.py"))[-1]
        some.write_text(some.read_text() + "\n# edited\n")
        after = jit._source_hash()
        assert after != before
        before = after


def test_other_users_of_numba_keep_their_cache():
    before = numba.config.CACHE_DIR

    @jit.jit
    def three():
        return 3

    assert three() == 3
    assert before == numba.config.CACHE_DIR
    assert jit.CACHE_DIR not in (before or "")


def test_a_named_folder_is_used_and_an_unwritable_one_is_not(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert jit._cache_root() == tmp_path / "treecore-kernels"
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    assert blocked not in jit._cache_root().parents
