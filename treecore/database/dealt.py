"""Which role a row has, and whether it is in the sample: from its hash and a seed, here and in an engine alike."""

import hashlib
import itertools

import numpy as np

from treecore.data.roles import Roles
from treecore.errors import TreecoreError

PRIME = (1 << 31) - 1
"""A row's hash is less than this, so that its product with another such number is an int64."""
PARTS = 1_000_000
"""Into so many parts rows are dealt."""


def hash_of(relation, key: tuple[str, ...]):
    """int64 from 0 to PRIME - 1, an Ibis expression: of each row by its key, or by all its columns.

    DuckDB hashes them as one record, which takes a fifth of the time of column by column as for other engines.
    """
    import ibis

    names = key or tuple(relation.columns)
    if relation.get_backend().name == "duckdb":
        return _positive(ibis.struct({name: relation[name] for name in names}).hash())
    mixed = 0
    for i, name in enumerate(names):
        cell = relation[name]
        known = cell.fill_null(0) if cell.type().is_numeric() else cell.cast("string").fill_null("")
        mixed = mixed + _positive(_hash_of(known, relation.get_backend().name)) * (2 * i + 1)
    return mixed % PRIME


def _hash_of(cell, engine: str):
    """int64, of one cell. SQLite has no such function: it calls one in this process."""
    if engine != "sqlite":
        return cell.hash()
    import ibis

    @ibis.udf.scalar.python
    def hash_of_text(text: str) -> int:
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest(), "little")

    return hash_of_text(cell.cast("string"))


def _positive(found):
    """Below PRIME, whatever integer an engine makes of a hash: its smallest has no absolute value."""
    return (found % PRIME + PRIME) % PRIME


def part_of(row_hash, seed: int | str):
    """int64 from 0 to PARTS - 1: of each row's hash, an Ibis expression or an array.

    a · hash + b modulo a prime, a and b from the seed: rows that one seed puts together another one does not
    (Carter and Wegman 1979, Universal classes of hash functions).
    """
    digest = hashlib.sha256(f"treecore {seed}".encode()).digest()
    a, b = (int.from_bytes(half, "little") % (PRIME - 1) + 1 for half in (digest[:16], digest[16:]))
    return (row_hash * a + b) % PRIME % PARTS


def ends_of(roles: Roles) -> list[tuple[int, int]]:
    """The parts (from, to) of each role, in the order of a split; TreecoreError for roles that need the rows."""
    if roles.column is not None or roles.order is not None:
        remedy = "Give fractions, or open three views"
        raise TreecoreError("Roles by a column or an order need the rows", where="Roles", remedy=remedy)
    if roles.estimation:
        what = "Estimation rows have to be here, as each of them is sent down the tree"
        raise TreecoreError(what, where="Roles", remedy="Set their share to 0, or take a sample of the table as a file")
    shares = [roles.train, roles.validation, roles.test, *([roles.pruning] if roles.pruning else [])]
    ends = np.rint(np.cumsum([0, *shares]) * PARTS).astype(int).tolist()
    return list(itertools.pairwise(ends))
