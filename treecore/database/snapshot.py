"""Whether a table that stays where it is has changed: by its count of rows, and by when its files were written."""

from contextlib import suppress
from dataclasses import dataclass
from glob import glob
from os import stat

from treecore.database.source import Source
from treecore.figures import counted


@dataclass(frozen=True)
class Snapshot:
    """How a table was at a moment. n_rows : of all of it. files : (path, bytes, time of writing in ns) of each of its
    files; () where it is in none that can be seen from here."""

    n_rows: int
    files: tuple[tuple[str, int, int], ...] = ()

    def change_to(self, now: "Snapshot") -> str:
        """What is different, in words: "60,000 rows then, 50,000 now"; '' for nothing."""
        if now.n_rows != self.n_rows:
            return f"{counted(self.n_rows, 'row')} then, {now.n_rows:,} now"
        return "its files were written anew, with as many rows" if now.files != self.files else ""


def snapshot(source: Source) -> Snapshot:
    """How the table is now, with one query for the count of its rows; TreecoreError as of any query."""
    files = files_of(source)  # before the count: what is written meanwhile shows next time
    return Snapshot(int(source.run(source.relation.agg(n=source.relation.count()))["n"][0].as_py()), files)


def files_of(source: Source) -> tuple[tuple[str, int, int], ...]:
    """Those of a Snapshot, without a query."""
    found = []
    for path in sorted(glob(source.files, recursive=True)) if source.files else ():
        with suppress(OSError):  # it went since it was listed
            about = stat(path)
            found.append((path, about.st_size, about.st_mtime_ns))
    return tuple(found)
