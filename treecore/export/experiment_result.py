"""What an experiment has found, as plain data: sentences, tables and pictures with the recipe and rows they are of."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from treecore.errors import TreecoreError
from treecore.export.chart import Chart

MOST = 40
"""So many are kept, the last ones."""
MOST_LINES, MOST_ROWS, MOST_LETTERS = 200, 2000, 20_000

Told = tuple[str, tuple[str | tuple | Chart, ...]]
"""A section of a report: its title, and paragraphs, tables (heads, rows) or pictures."""


@dataclass(frozen=True)
class ExperimentResult:
    """One experiment that was made.

    kind, title : the question. recipe : in words. settings : (name, value) pairs in words, the seed among them.
    steps : JSON of the recipes that were tried. table : name of the rows' source. data : fingerprint of the table, ''
    where the rows are invented. when : UTC, "2026-01-31 17:05". lines : paragraphs, and tables (heads, rows).
    """

    kind: str
    title: str
    recipe: str
    settings: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    table: str
    data: str
    when: str
    lines: tuple[str | tuple, ...]
    charts: tuple[Chart, ...] = ()

    @property
    def key(self) -> tuple:
        """What it was found for: the same question about the same rows by the same recipe and settings."""
        return self.kind, self.steps, self.data, self.settings

    def is_of(self, steps: tuple[str, ...], data: str) -> bool:
        """Do its recipes and rows equal these?"""
        return self.steps == steps and self.data == data

    @property
    def made_of(self) -> str:
        """Recipe, settings and rows in a sentence or two."""
        settings = ", ".join(f"{name} {value}" for name, value in self.settings)
        rows = f" Rows of {self.table}." if self.table else ""
        return f"Recipe: {self.recipe}." + rows + (f" {settings[:1].upper()}{settings[1:]}." if settings else "")

    def told(self) -> Told:
        """As a section of a report."""
        return self.title, (self.made_of, *self.charts, *self.lines)

    @cached_property
    def json(self) -> str:
        """One JSON object, as a file keeps it."""
        return json.dumps(asdict(self), ensure_ascii=False, allow_nan=False)


def findings(data: Any) -> tuple[ExperimentResult, ...]:
    """Those that a file has kept, the last MOST of them; TreecoreError where one is damaged.

    data : a list of objects as `ExperimentResult.json` has them.
    """
    try:
        return tuple(_finding(of) for of in list(data)[-MOST:])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as fault:
        raise TreecoreError(
            "The results of experiments in it are damaged", where="findings", remedy="Make them again"
        ) from fault


def added(kept: Iterable[ExperimentResult], more: Iterable[ExperimentResult]) -> tuple[ExperimentResult, ...]:
    """Those kept and more of them: a newer one takes the place of one that was found for the same."""
    result = {of.key: of for of in kept}
    for of in more:
        result.pop(of.key, None)
        result[of.key] = of
    return tuple(result.values())[-MOST:]


def _finding(of: Mapping) -> ExperimentResult:
    words = {name: _text(of[name]) for name in ("kind", "title", "recipe", "table", "data", "when")}
    settings = tuple((_text(name), _text(value)) for name, value in of["settings"])
    lines = tuple(_line(line) for line in of["lines"][:MOST_LINES])
    charts = tuple(Chart.from_dict(chart) for chart in of["charts"][:MOST_LINES])
    return ExperimentResult(
        **words, settings=settings, steps=tuple(map(_text, of["steps"])), lines=lines, charts=charts
    )


def _line(line) -> str | tuple:
    if isinstance(line, str):
        return _text(line)
    heads, rows = line
    heads = tuple(map(_text, heads))
    rows = tuple(tuple(map(_text, row)) for row in rows[:MOST_ROWS])
    if len(set(heads)) < len(heads) or any(len(row) != len(heads) for row in rows):
        raise ValueError(heads)
    return heads, rows


def _text(value) -> str:
    if not isinstance(value, str) or len(value) > MOST_LETTERS:
        raise ValueError(value)
    return value
