"""An experiment as it is set now, and what of its result is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from pages.shared.session import state
from pages.shared.trees import work
from pages.shared.trees.plan import Plan
from treecore.export.chart import Chart
from treecore.export.experiment_result import ExperimentResult
from treecore.recipe import Data, Recipe
from treecore.seal import Seal
from treecore.study import plain_lines

Made = tuple[list, list[Chart]]
"""Lines and pictures."""


@dataclass(frozen=True)
class Source:
    """An experiment as it is set now.

    key : what cache.py keeps its result under; () where it was not asked for. settings : names and values. told : lines
    and pictures of a result. plans : the recipes that it tries. pruned : does their pruning count? of_table : does the
    table? passing : names of settings that are looked through, of which only the last value is kept.
    """

    kind: str
    title: str
    key: tuple
    settings: tuple[tuple[str, object], ...]
    told: Callable[[object], Made]
    plans: tuple[Plan, ...] = ()
    pruned: bool = True
    of_table: bool = True
    passing: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[str, ...]:
        """The recipes as JSON: what they depend on besides the table's values."""
        r, whole = state.record(), work.table()
        seal = (Seal(),) if work.is_sealed() else ()
        about = (
            (Data.of(work.predicted(), features=whole.features, kinds=r.kinds), r.split, *seal) if self.of_table else ()
        )
        made = [
            Recipe(
                (
                    *about,
                    *((plan.prepare,) if self.of_table else ()),
                    plan.grow,
                    *((plan.prune,) * self.pruned),
                    *plan.edits,
                )
            )
            for plan in self.plans
        ]
        return tuple(recipe.to_json() for recipe in made)

    @property
    def data(self) -> str:
        """What tells the table from others; '' where rows are invented."""
        return work.table().fingerprint if self.of_table else ""

    @property
    def name(self) -> tuple:
        """As ExperimentResult.key of what it finds."""
        return self.kind, self.steps, self.data, self._settings

    @property
    def _settings(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, str(value)) for name, value in self.settings)

    def outdates(self, kept: ExperimentResult) -> bool:
        """Is the kept one a look at the same with another value of what is looked through?"""
        lasting = [tuple(pair for pair in of if pair[0] not in self.passing) for of in (self._settings, kept.settings)]
        same = kept.kind == self.kind and kept.is_of(self.steps, self.data)
        return bool(self.passing) and same and lasting[0] == lasting[1]

    def finding(self, result: object) -> ExperimentResult:
        """What the result says."""
        lines, charts = self.told(result)
        texts = [plan.text() for plan in self.plans]
        recipe = (
            texts[0] if len(texts) == 1 else "; ".join(f"{a}: {t}" for a, t in zip("ABCDEFGH", texts, strict=False))
        )
        table = state.raw().source if self.of_table else ""
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
        lines = tuple(plain_lines(lines))
        return ExperimentResult(
            self.kind, self.title, recipe, self._settings, self.steps, table, self.data, now, lines, tuple(charts)
        )
