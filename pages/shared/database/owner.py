"""What the server's owner lets users open besides files of their own: nothing, unless the environment says so."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from treecore.errors import TreecoreError

FOLDER, HOSTS, SECONDS = "TREECORE_TABLES_FOLDER", "TREECORE_TABLES_HOSTS", "TREECORE_TABLES_SECONDS"
"""A folder below which tables may be opened; hosts of databases, with commas between; the longest time of a query."""
OF_FILES = ("duckdb", "sqlite", "")
"""Schemes of a place that is a file."""


def folder() -> Path | None:
    """Below which files may be opened; None for nowhere."""
    given = os.environ.get(FOLDER, "").strip()
    return Path(given).resolve() if given else None


def hosts() -> tuple[str, ...]:
    """Of databases that may be asked."""
    return tuple(host.strip().lower() for host in os.environ.get(HOSTS, "").split(",") if host.strip())


def seconds() -> float | None:
    """That a query may take; None where the owner says nothing, or no number."""
    try:
        return max(float(os.environ.get(SECONDS, "")), 1.0)
    except ValueError:
        return None


def is_on() -> bool:
    """May anything be opened?"""
    return folder() is not None or bool(hosts())


def allowed(text: str) -> str:
    """The address that the library is to open; TreecoreError where the owner does not allow it.

    text : a path below the folder, with ::table for a database file; or scheme://user:password@host/name::table.
    """
    place, _, table = text.strip().rpartition("::")
    place, table = (place, table) if place else (table, "")
    if not place:
        raise TreecoreError("Nothing is asked for", where="Place", remedy="Give a file, a folder or a connection")
    scheme = urlsplit(place).scheme if "://" in place else ""
    if scheme not in OF_FILES:
        _check_host(place, table)
        return f"{place}::{table}"
    path = _inside(place.removeprefix("duckdb://").removeprefix("sqlite://"))
    return f"{path}::{table}" if table else str(path)


def _check_host(place: str, table: str) -> None:
    if not table:
        remedy = "Put the table behind it, as in postgres://user:password@host/name::schema.table"
        raise TreecoreError("No table is named", where="Connection", remedy=remedy)
    try:
        host = (urlsplit(place).hostname or "").lower()
    except ValueError:
        host = ""
    if not host or host not in hosts():
        remedy = f"Ask the owner of this server to name its host in {HOSTS}"
        raise TreecoreError("Connections to this host are not allowed here", where="Connection", remedy=remedy)


def _inside(text: str) -> Path:
    """The file or folder, with all links followed: below the owner's folder."""
    root = folder()
    if root is None:
        raise TreecoreError(
            "This server does not allow its files to be opened", where="Place", remedy=f"Ask its owner to set {FOLDER}"
        )
    given = Path(text.replace("\0", ""))
    found = next((p for p in (root / given, root / text.lstrip("/")) if _is_below(p.resolve(), root)), None)
    if found is None or not found.resolve().exists():
        remedy = "Give the path of a file or a folder as seen from the folder that this server opens tables of"
        raise TreecoreError("There is no such file or folder here", where=given.name or "Place", remedy=remedy)
    _check_links(found.resolve(), root)
    return found.resolve()


def _check_links(path: Path, root: Path) -> None:
    """Files of a folder must not be links that lead elsewhere."""
    if path.is_dir() and not all(_is_below(file.resolve(), root) for file in path.rglob("*") if file.is_symlink()):
        raise TreecoreError(
            "It holds links to files elsewhere", where=path.name, remedy="Ask the owner of this server to copy them"
        )


def _is_below(path: Path, root: Path) -> bool:
    return path == root or root in path.parents
