"""When .ci/run tries other packages, notebooks and the installed wheel: whenever it cannot be told that it need not."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "library-changed"
FILES = ("treecore/kernels/rank.py", "pages/grow.py", "tests/unit/test_a.py", "tests/explainers.py", "pyproject.toml")
pytestmark = pytest.mark.skipif(shutil.which("bash") is None or shutil.which("git") is None, reason="no bash or no git")


def git(folder, *command) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *who, *command], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def clone(tmp_path):
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1\n")
    (tmp_path / ".ci").mkdir()
    shutil.copy(SCRIPT, tmp_path / ".ci")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "first")
    return tmp_path


def is_tried(clone, base: str | None) -> bool:
    env = {name: value for name, value in os.environ.items() if name != "BASE" and not name.startswith("GIT_")}
    done = subprocess.run(
        [clone / ".ci" / SCRIPT.name], env=env | ({} if base is None else {"BASE": base}), check=False
    )
    return done.returncode == 0


@pytest.mark.parametrize("base", [None, "", "0" * 40, "1234567", "no branch"])
def test_where_nothing_is_known_everything_is_tried(clone, base):
    assert is_tried(clone, base)


def test_outside_of_a_repository_everything_is_tried(clone):
    head = git(clone, "rev-parse", "HEAD")
    shutil.rmtree(clone / ".git")
    assert is_tried(clone, head)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, name.startswith(("treecore", "pyproject", "tests/explainers"))) for name in FILES),
        ("treecore/nëw.py", True),
        ("assets/samples/new.csv", True),
        ("docs/new.md", False),
        ("benchmarks/new.py", False),
        ("Dockerfile", False),
        ("treecore/teach/new.py", False),
        ("treecore/teach.py", True),
        ("tests/browser/test_new.py", False),
        ("tests/browser/running.py", True),
        ("tests/browser/marimo_notebook.py", True),
        (".ci/run", True),
    ],
)
@pytest.mark.parametrize("is_committed", [True, False])
def test_what_changed_decides(clone, name, expected, is_committed):
    base = git(clone, "rev-parse", "HEAD")
    assert not is_tried(clone, base)
    (clone / name).parent.mkdir(parents=True, exist_ok=True)
    (clone / name).write_text("2\n")
    if is_committed:
        git(clone, "add", ".")
        git(clone, "commit", "-qm", "second")
    assert is_tried(clone, base) == expected


def test_what_leaves_the_library_for_a_page_has_changed_it(clone):
    base = git(clone, "rev-parse", "HEAD")
    git(clone, "mv", FILES[0], "pages/rank.py")
    git(clone, "commit", "-qm", "moved")
    assert is_tried(clone, base)
