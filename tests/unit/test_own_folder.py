"""Folders among the temporary files: of this user alone, whoever came first."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from treecore.engine.own_folder import is_own, own_folder

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="each user has temporary files of his own")


@pytest.fixture
def taken(tmp_path, monkeypatch):
    """The place of the folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own_folder.cache_clear()
    yield tmp_path / f"some-{os.getuid()}"
    own_folder.cache_clear()


def rights(folder: Path) -> int:
    return stat.S_IMODE(folder.lstat().st_mode)


def test_it_is_the_same_again_and_closed(taken):
    assert own_folder("some") == taken
    assert rights(taken) == 0o700
    (taken / "kept").touch()
    own_folder.cache_clear()
    assert (own_folder("some") / "kept").exists()


def test_one_that_others_can_read_is_closed(taken):
    taken.mkdir(mode=0o755)
    assert own_folder("some") == taken
    assert rights(taken) == 0o700


def open_to_all(place: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


def a_link(place: Path) -> None:
    (place.parent / "elsewhere").mkdir(mode=0o700)
    place.symlink_to(place.parent / "elsewhere")


@pytest.mark.parametrize("put", [open_to_all, a_link, Path.touch], ids=["open", "link", "file"])
def test_what_others_may_have_put_there_is_not_used(taken, put):
    put(taken)
    found = own_folder("some")
    assert found != taken
    assert rights(found) == 0o700
    assert found.is_dir()


def test_the_folder_of_another_user_is_none(taken, monkeypatch):
    taken.mkdir(mode=0o700)
    found = taken.lstat()
    monkeypatch.setattr(os, "getuid", lambda: found.st_uid + 1)
    assert not is_own(found)


def test_kernels_are_kept_in_none_that_was_there_before_us(tmp_path):
    """Where the home folder cannot be written to: made by somebody else, open to all, with what he wants to be run."""
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.write_text("no folder")
    temporary.mkdir()
    open_to_all(temporary / f"treecore-kernels-{os.getuid()}")
    environment = {
        k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "TREECORE_KERNELS")
    }
    environment |= {"HOME": str(home), "TMPDIR": str(temporary)}
    code = "from treecore.engine.kernel_cache import ROOT; import os; print(ROOT, oct(os.stat(ROOT).st_mode & 0o777))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    folder, mode = done.stdout.split()
    assert Path(folder).parent == temporary
    assert Path(folder).name != f"treecore-kernels-{os.getuid()}"
    assert mode == "0o700"
    assert not Path(folder).exists(), "it goes with the process"
