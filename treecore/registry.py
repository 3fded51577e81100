"""An ordered, read-only list of named entries: menus, error messages, docs and tests all read it."""

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

from treecore.errors import TreecoreError

Entry = TypeVar("Entry")


class Registry(Mapping, Generic[Entry]):
    """Entries by name, in the order given. Each entry has at least `.name` and `.label`.

    noun : what one entry is called in messages ("criterion", "pruner").
    """

    def __init__(self, noun: str, *entries: Entry):
        self.noun = noun
        self._entries = {entry.name: entry for entry in entries}
        if len(self._entries) != len(entries):
            raise ValueError(f"two entries of the {noun} registry have the same name")

    def __getitem__(self, name: str) -> Entry:
        """The entry called `name`; TreecoreError naming all entries when there is none."""
        try:
            return self._entries[name]
        except (KeyError, TypeError):
            raise TreecoreError(
                f"There is no {self.noun} called {name!r}",
                where=self.noun,
                remedy="Choose one of: " + ", ".join(self._entries) + ".",
            ) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
