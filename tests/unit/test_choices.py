"""The list of choices: pages name no other, and a kept value that an entry does not allow is none."""

import ast
from pathlib import Path

import pytest

from pages.shared.session import choices
from pages.shared.session.choices import CHOICES
from treecore.errors import TreecoreError

PAGES = sorted((Path(__file__).resolve().parents[2] / "pages").rglob("*.py"))


def constants_in(path: Path) -> dict[str, object]:
    """Constants that a file writes down, also of "A, B = 1, 2"."""
    found = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign):
            (names, values) = node.targets[0], node.value
            several = isinstance(names, ast.Tuple) and isinstance(values, ast.Tuple)
            pairs = zip(names.elts, values.elts, strict=True) if several else [(names, values)]
            found |= {ast.unparse(name): value.value for name, value in pairs if isinstance(value, ast.Constant)}
    return found


CONSTANTS = {path.stem: constants_in(path) for path in PAGES}


def names_in(path: Path) -> set[str]:
    """Names by which a file asks for a choice, makes one, or has a switch for one; none that are put together."""
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    asked = [c.args[0] for c in calls if c.args and ast.unparse(c.func) in ("state.choice", "state.choose")]
    asked += [c.args[1] for c in calls if ast.unparse(c.func) == "_switch"]
    told = {a.value for a in asked if isinstance(a, ast.Constant)}
    told |= {CONSTANTS[path.stem].get(a.id) for a in asked if isinstance(a, ast.Name)}
    elsewhere = [a for a in asked if isinstance(a, ast.Attribute) and ast.unparse(a.value) in CONSTANTS]
    return (told | {CONSTANTS[ast.unparse(a.value)].get(a.attr) for a in elsewhere}) - {None}


def test_pages_name_no_choice_that_is_not_listed():
    named = {path: names_in(path) for path in PAGES}
    assert sum(map(len, named.values())) > 100
    assert {path.name: missing for path, names in named.items() if (missing := names - set(CHOICES))} == {}


@pytest.mark.parametrize("name", CHOICES)
def test_a_default_is_allowed_and_another_type_is_not(name):
    entry = CHOICES[name]
    assert entry.allows(entry.default)
    assert choices.value_of({}, name) == entry.default
    if entry.kind is not object:
        assert choices.value_of({name: {1, 2}}, name) == entry.default


@pytest.mark.parametrize(
    ("name", "bad"),
    [("drawer", "Nothing"), ("folds", 1), ("folds", True), ("folds", 2.5), ("plane row", 0), ("ghosts", "on"),
     ("within", -1), ("twin_level", 0.5), ("detail", None), ("what if", [])],
)  # fmt: skip
def test_a_damaged_value_counts_as_none(name, bad):
    assert choices.value_of({name: bad}, name) == CHOICES[name].default
    assert not choices.is_portable(name, bad)
    with pytest.raises(TreecoreError, match=name):
        choices.checked(name, bad)


def test_a_misspelt_name_says_so():
    with pytest.raises(TreecoreError, match="drawr"):
        choices.value_of({}, "drawr")
    assert not choices.is_portable("drawr", "Why")
    assert not choices.is_portable("sample", "iris"), "the server's own"


def test_what_is_allowed_is_kept_and_a_page_may_say_another_default():
    assert choices.value_of({"drawer": "Rows"}, "drawer") == "Rows"
    assert choices.value_of({}, "row to predict", 1) == 1
    assert choices.value_of({"second_bar": None}, "second_bar", "validation") is None
    choices.value_of({}, "fixed")["x"] = 1
    assert choices.value_of({}, "fixed") == {}
