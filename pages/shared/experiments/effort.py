"""The page Experiments: how many tests an answer of your tree takes, and how long."""

from pages.shared.server import cache
from pages.shared.trees import work
from pages.shared.widgets import explained
from treecore.study import effort, seconds_per_row
from treecore.study.questions.effort import describe_effort


def show() -> None:
    """What it comes to, and the numbers of every role."""
    explained.show(describe_effort(_found()))


def key() -> tuple:
    """What the tests of each role are kept under."""
    return work.cut_key("tests per answer")


def _found() -> list:
    tree, parts = work.pruned(), work.parts()
    of = lambda role, rows: (role, effort(tree, rows), seconds_per_row(tree, rows))  # noqa: E731
    return cache.get(key(), lambda: [of(role, rows) for role, rows in parts.items()])
