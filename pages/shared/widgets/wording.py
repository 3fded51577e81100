"""Faults in the words of the screen: what the library calls by a name of its own is called as its control is."""

import re
from collections.abc import Mapping
from functools import lru_cache

from treecore.errors import TreecoreError
from treecore.pruning import PRUNERS

READING = {
    "skip_ragged": "Read the file without these lines",
    "extra_missing": "More missing values",
    "delimiter": "Delimiter",
    "encoding": "Encoding",
    "decimal": "Decimal sign",
    "quote": "Quotes",
}
"""Controls of how a file is read."""


def in_labels(fault: TreecoreError, method: str | None = None) -> TreecoreError:
    """The fault with settings, and the entries of their menus, called as the page calls them.

    method : the pruner that it is from, as some of them call different parameters by one name.
    """
    name, comma, rest = fault.where.partition(",")
    own = {p.name: p.label for p in PRUNERS[method].parameters} if method else {}
    names, menu = _names() | own, _menus().get(name, {})
    where = f"{names[name]}{comma}{rest}" if name in names else fault.where
    known = {own: label for own, label in names.items() if _is_a_name(own)} | menu
    return TreecoreError(_replaced(fault.what, known), where=where, remedy=_replaced(fault.remedy, known))


def _is_a_name(own: str) -> bool:
    """No word that a sentence might hold: it has an underscore, or no vowel."""
    return "_" in own or not set(own) & set("aeiouy")


def _replaced(text: str, names: Mapping[str, str]) -> str:
    """Names outside of quotation marks, which hold the user's own, replaced by labels."""
    for own in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w'\"“-]){re.escape(own)}(?![\w'\"”-])", lambda _, o=own: f"“{names[o]}”", text)
    return text


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """Name in the library -> label on the screen, of settings, of parameters of pruning, of how a file is read."""
    from pages.shared.controls.table import ON_DATA, PANEL, SETTINGS

    parameters: dict[str, set[str]] = {}
    for parameter in (p for pruner in PRUNERS.values() for p in pruner.parameters):
        parameters.setdefault(parameter.name, set()).add(parameter.label)
    plain = {own: labels.pop() for own, labels in parameters.items() if len(labels) == 1}
    entries = {own: label for menu in _menus().values() for own, label in menu.items() if "_" in own}
    settings = {name: setting.label for name, setting in SETTINGS.items()}
    return entries | {p.name: p.label for p in PRUNERS.values()} | READING | plain | settings | PANEL | ON_DATA


@lru_cache(maxsize=1)
def _menus() -> dict[str, dict[str, str]]:
    """Setting -> its entries with their labels."""
    from pages.shared.controls.table import SETTINGS

    return {
        name: {own: setting.menu[own].label for own in setting.menu}
        for name, setting in SETTINGS.items()
        if setting.menu is not None
    }


def role_rows(role: str) -> str:
    """The rows of a role, in words: "training rows", "validation rows", "estimation rows"."""
    return f"{'training' if role == 'train' else role} rows"
