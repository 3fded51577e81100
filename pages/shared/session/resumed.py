"""From a recipe back to the session: its table is read again, and every choice and step is there."""

import json
from contextlib import suppress
from dataclasses import dataclass

from pages.shared.controls.refit import keep_costs
from pages.shared.database.opened import REFINE
from pages.shared.server import memo
from pages.shared.session import note, state
from pages.shared.session.kept_file import KeptFile
from pages.shared.session.note import KEPT_TREES, Before
from pages.shared.session.state import Record
from pages.shared.trees.plan import Plan
from treecore.data import RawTable, read_raw, why_target
from treecore.data.samples import SAMPLES
from treecore.errors import TreecoreError
from treecore.export.experiment_result import added
from treecore.judging.interest import FlagRule
from treecore.recipe import Data, Edit, Grow, Prepare, Prune, Read, Recipe, Split, Take
from treecore.seal import Seal
from treecore.target import Counted

GO_ON = "go on to the tree"


@dataclass(frozen=True)
class Awaited:
    """A recipe whose file has to be given first. fingerprint : of the file's content and how it is read; '' if not
    known. selected, page : the node and the page that were looked at. before : what came before and after."""

    recipe: Recipe
    fingerprint: str = ""
    selected: int = 0
    page: str = ""
    before: Before = Before()

    @property
    def file(self) -> str:
        return self.how.file or "its table"

    @property
    def how(self) -> Read:
        return self.recipe.last(Read) or Read()

    @property
    def n_steps(self) -> int:
        return sum(isinstance(step, Edit | Take) for step in self.recipe.steps)


def present() -> Awaited:
    """What the session holds besides its table, as of a work file."""
    told = json.loads(note.work_file("")())
    return Awaited(note.recipe_of(state.record()), selected=state.record().selected, before=note.before(told))


def open_recipe(asked: Awaited, go_on: bool = False) -> None:
    """Go on with a recipe: of a sample at once; of a file, on the table that is loaded if it is that one, else as soon
    as the file is given. go_on : to the tree. TreecoreError where the table lacks a column; then nothing has
    changed."""
    if asked.how.sample:
        sample = SAMPLES[asked.how.file]
        raw = memo.get(("sample", asked.how.file), lambda: read_raw(sample.path, name=sample.file))
        _take(asked, raw, None, {"sample": asked.how.file, GO_ON: go_on or asked.page})
    elif state.raw() is not None and (not asked.how.file or state.raw().source == asked.how.file):
        _take(asked, state.raw(), state.file(), {"sample": state.choice("sample"), GO_ON: go_on}, state.opened())
    else:
        state.await_file(asked)


def with_file(asked: Awaited, raw: RawTable, file: KeptFile | None, opened=None) -> None:
    """The file that a recipe waits for has been read; or its table was opened where its rows stay."""
    _take(asked, raw, file, {GO_ON: asked.page}, opened)
    state.await_file(None)


def _take(asked: Awaited, raw: RawTable, file: KeptFile | None, choices: dict, opened=None) -> None:
    told = _record(asked.recipe, raw)
    kept = tuple((name, _plan(recipe)) for name, recipe in asked.before.kept.items())
    choices = {**asked.before.choices, **({KEPT_TREES: kept} if kept else {}), **choices}
    past, future, names = _history(asked.before, raw)  # before anything has changed, as it may fail
    state.new_table(raw, source=file, opened=opened, **told, selected=asked.selected, choices=choices)
    keep_costs()
    state.set_history(past, future, names)
    state.set_findings(added(asked.before.findings, state.findings()))


def _record(recipe: Recipe, raw: RawTable) -> dict:
    """The fields of the session's record; TreecoreError where the table lacks a column."""
    read, data = recipe.last(Read) or Read(), recipe.last(Data) or Data()
    _check_columns(raw, data, read)
    derived = {f"{column}: {part}" for column, parts in read.derive for part in parts}
    kinds = tuple(sorted(data.column_kinds().items(), key=lambda kind: kind[0]))
    plan = _plan(recipe)
    return {
        "options": raw.options, "target": _predicted(raw, data), "kinds": kinds, "class_names": data.class_names,
        "descriptions": data.descriptions,
        "features": _chosen(raw, data, read, derived), "derive": read.derive, "weights": read.weights,
        "infinite": read.infinite, "split": recipe.last(Split) or Split(), "prepare": plan.prepare, "grow": plan.grow,
        "prune": plan.prune, "edits": plan.edits, "flag": recipe.last(FlagRule), "seal": recipe.last(Seal),
        "refine": next(chosen for chosen, refine in REFINE.items() if refine is read.refine),
    }  # fmt: skip


def _predicted(raw: RawTable, data: Data) -> str | Counted | None:
    """What the recipe predicts; None for what is guessed, which an older one that leaves it open takes as no count."""
    guess = why_target(raw.guesses)
    if guess.exposure is None:
        return data.predicted()
    return data.predicted() or guess.name


def _plan(recipe: Recipe) -> Plan:
    edits = tuple(step for step in recipe.steps if isinstance(step, Edit | Take))
    grow, prune = recipe.last(Grow) or Grow(), recipe.last(Prune) or Prune()
    return Plan(recipe.last(Prepare) or Prepare(), grow, prune, edits)


def _history(before: Before, raw: RawTable) -> tuple:
    """(past, future, names) as states of the session; none where the table has other columns."""
    made = lambda recipe: Record(**_record(recipe, raw))  # noqa: E731
    with suppress(TreecoreError):
        names = [(made(recipe), name) for recipe, name in before.names]
        return tuple(map(made, before.past)), tuple(map(made, before.future)), names
    return (), (), []


def _chosen(raw: RawTable, data: Data, read: Read, derived: set[str]) -> tuple[str, ...] | None:
    """None where they are the features that anybody would have guessed."""
    guessed = [
        g.name for g in raw.guesses if g.use == "feature" and g.name not in (data.target, data.exposure, read.weights)
    ]
    return data.features if data.features and (derived or set(data.features) != set(guessed)) else None


def _check_columns(raw: RawTable, data: Data, read: Read) -> None:
    derived = {f"{column}: {part}" for column, parts in read.derive for part in parts}
    asked = [data.target, data.exposure, *data.features, *(column for column, _ in data.kinds), read.weights]
    asked += [column for column, _ in read.derive]
    for name in asked:
        if name and name not in raw.names and name not in derived:
            raise TreecoreError(
                f"The recipe needs it, and the table {raw.source} has no such column",
                where=f"Column '{name}'",
                remedy=f"Give the table that the recipe is for{f', {read.file}' if read.file else ''}",
            )
