"""The SELECT of a tree as Spark writes it, and what is made after it (Databricks, Hive)."""

import re

from treecore.export.format import Given
from treecore.export.sql import to_sql

_TOKEN = re.compile(r"""RTRIM\(RTRIM\(|, '0'\), '\.'\)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\bAS TEXT\b""")
"""Both ends of what takes zeros off the end, a literal, a name, a type."""
_TRAILING = {"RTRIM(RTRIM(": "TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ", ", '0'), '.')": "))"}
"""Spark's function of that name has its arguments in the other order."""


def to_spark_sql(given: Given) -> str:
    """As to_sql, with names between backticks, escapes in literals, and its word for text. options : as there."""
    title, select, statement = to_sql(given).partition("\nSELECT")
    return f"{title}{select}{_TOKEN.sub(_as_in_spark, statement)}"


def _as_in_spark(found: re.Match) -> str:
    token = found[0]
    if token in _TRAILING:
        return _TRAILING[token]
    if token[0] == '"':
        return "`" + token[1:-1].replace('""', '"').replace("`", "``") + "`"
    if token[0] == "'":
        return "'" + token[1:-1].replace("''", "'").replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "AS STRING"
