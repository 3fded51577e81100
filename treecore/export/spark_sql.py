"""The SELECT of a tree as Spark writes it, and what is made after it (Databricks, Hive)."""

import re

from treecore.export.format import Given
from treecore.export.sql import to_sql

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\bAS TEXT\b""")
"""A literal, a name, a type."""


def to_spark_sql(given: Given) -> str:
    """As to_sql, with names between backticks, escapes in literals, and its word for text. options : as there."""
    title, _, statement = to_sql(given).partition("\n")
    return f"{title}\n{_TOKEN.sub(_as_in_spark, statement)}"


def _as_in_spark(found: re.Match) -> str:
    token = found[0]
    if token[0] == '"':
        return "`" + token[1:-1].replace('""', '"').replace("`", "``") + "`"
    if token[0] == "'":
        return "'" + token[1:-1].replace("''", "'").replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "AS STRING"
