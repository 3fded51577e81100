"""An ordered, read-only list of named entries: menus, error messages, docs and tests all read it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from typing import Generic, Protocol, TypeVar

from treecore.errors import TreecoreError


class Named(Protocol):
    """What a registry can list."""

    @property
    def name(self) -> str: ...


Entry = TypeVar("Entry", bound=Named)


class Registry(Mapping, Generic[Entry]):
    """Entries by name, in the order given. Each entry has at least `.name` and `.label`.

    noun : what one entry is called in messages ("criterion", "pruner").
    others : gives more entries, called when one is asked for that is not among these, or all are: they may come from
        modules that need this registry.
    """

    def __init__(self, noun: str, *entries: Entry, others: Callable[[], Iterable[Entry]] | None = None):
        self.noun, self._others, self._lock = noun, others, RLock()
        self._entries = {entry.name: entry for entry in entries}
        if len(self._entries) != len(entries):
            raise ValueError(f"two entries of the {noun} registry have the same name")

    def __getitem__(self, name: str) -> Entry:
        """The entry called `name`; TreecoreError naming all entries when there is none."""
        if name in self:
            return self._entries[name]
        raise TreecoreError(
            f"There is no {self.noun} called {name!r}",
            where=self.noun,
            remedy="Choose one of: " + ", ".join(self) + ".",
        )

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._entries or name in self._all())

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, Entry]:
        """All entries. While the others are being found there are none but the first ones, for whoever asks then."""
        with self._lock:
            others, self._others = self._others, None
            if others is not None:
                self._entries = self._entries | {entry.name: entry for entry in others()}
            return self._entries
