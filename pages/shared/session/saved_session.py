"""What the browser and a work file keep of a session: enough to go on without this server, and no row of the table.

A work file is a recipe with more in it: who reads recipes reads it, too.
"""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import streamlit as st

from pages.shared.controls.refit import keep_costs
from pages.shared.database.external_table import REFINE
from pages.shared.server import cache
from pages.shared.session import choices, state
from pages.shared.session.state import Record
from pages.shared.session.uploaded_file import KeptFile
from pages.shared.trees.plan import Plan
from treecore.data import RawTable, read_raw, why_target
from treecore.data.samples import SAMPLES
from treecore.errors import TreecoreError
from treecore.export.experiment_result import ExperimentResult, added, findings
from treecore.judging.interest import FlagRule
from treecore.recipe import SCHEMA_VERSION, Data, Edit, Grow, Prepare, Prune, Read, Recipe, Split, Take
from treecore.seal import Seal
from treecore.target import Counted
from treecore.teach.classwork import Classwork

VERSION = 1
MOST_LETTERS, LONGEST_CHOICE, MOST_OF_FINDINGS = 1_000_000, 20_000, 300_000
"""Of the steps before and after the present state, of one choice, and of what experiments have found: a browser keeps
about five million in all."""
KEPT_TREES = "kept trees"


@dataclass(frozen=True)
class Before:
    """What a session held besides its recipe. past, future : recipes. names : (recipe, name). kept : name -> recipe.
    findings : of experiments."""

    past: tuple[Recipe, ...] = ()
    future: tuple[Recipe, ...] = ()
    names: tuple[tuple[Recipe, str], ...] = ()
    kept: Mapping[str, Recipe] = field(default_factory=dict)
    choices: Mapping = field(default_factory=dict)
    findings: tuple[ExperimentResult, ...] = ()


def recipe_of(r: Record) -> Recipe:
    """The steps as they were chosen, whether or not they could be done."""
    sample = state.choice("sample")
    file = sample or state.raw().source
    more = {"derive": r.derive, "weights": r.weights, "infinite": r.infinite, "refine": REFINE[r.refine]}
    read = Read.of(file, bool(sample), r.options, **more)
    guess = None if r.target else why_target(state.raw().guesses).predicted
    data = Data.of(  # a guess of counts is written down: what is open was no count before there were any
        r.target or (guess if isinstance(guess, Counted) else None), features=r.features or (), kinds=r.kinds,
        class_names=r.class_names, descriptions=r.descriptions,
    )  # fmt: skip
    prepare, flag = () if r.prepare == Prepare() else (r.prepare,), () if r.flag is None else (r.flag,)
    seal = () if r.seal is None else (r.seal,)
    return Recipe((read, data, r.split, *seal, *prepare, r.grow, r.prune, *r.edits, *flag))


def written(secret: str, page: str) -> str:
    """The note of this session."""
    told = {"version": VERSION, "secret": secret, "recipe": _json(state.record()), **_about(page)}
    return _with_findings(told, _last_findings())


def work_file(page: str) -> Callable[[], bytes]:
    """Writes all of this session but the table, for a file; it may be called outside of any run."""
    told, result = {**json.loads(_json(state.record())), **_about(page)}, state.findings()
    return lambda: _with_findings(told, result).encode("utf-8", "replace")


def _about(page: str) -> dict:
    """What there is besides the recipe."""
    r = state.record()
    about = {"fingerprint": state.raw().fingerprint, "selected": r.selected, "page": page, "choices": _plain(r.choices)}
    return {**about, "before": _history()}


def _with_findings(told: dict, found: tuple[ExperimentResult, ...]) -> str:
    """As JSON, in which each finding was written once and for all."""
    return json.dumps(told)[:-1] + f', "findings": [{", ".join(of.json for of in found)}]}}'


def _last_findings() -> tuple[ExperimentResult, ...]:
    """As many of the last ones as the browser has room for."""
    result, letters = list(state.findings()), 0
    for place, of in reversed(list(enumerate(result))):
        letters += len(of.json)
        if letters > MOST_OF_FINDINGS:
            return tuple(result[place + 1 :])
    return tuple(result)


def read(text) -> dict | None:
    """The note, None for what is none."""
    with suppress(ValueError, TypeError, RecursionError):
        note = json.loads(text)
        if isinstance(note, dict) and note.get("version") == VERSION and isinstance(note.get("secret"), str):
            return note
    return None


def before(note: dict) -> Before:
    """What it says besides the recipe; nothing where that was damaged or is not there."""
    return replace(_history_of(note), findings=_findings_of(note))


def _findings_of(note: dict) -> tuple[ExperimentResult, ...]:
    """None where they were damaged: the rest is good without them."""
    with suppress(TreecoreError):
        return findings(note.get("findings") or ())
    return ()


def _history_of(note: dict) -> Before:
    with suppress(TreecoreError, ValueError, TypeError, KeyError, IndexError, AttributeError):
        told = note["before"]
        made = lambda places: _recipe([told["steps"][i] for i in places])  # noqa: E731
        return Before(
            tuple(map(made, told["past"])), tuple(map(made, told["future"])),
            tuple((made(places), str(name)) for places, name in told["names"]),
            {str(name): made(places) for name, places in told["kept"]}, _plain(note["choices"]),
        )  # fmt: skip
    return Before()


def _history() -> dict:
    """Steps once, and every state as the places of its steps: states differ in few of them."""
    kept = [(name, _recipe_of_plan(plan)) for name, plan in state.choice(KEPT_TREES)]
    past, future, names = state.past(), state.future(), state.names()
    while True:
        steps: dict[str, int] = {}
        made = {
            "past": [_places(steps, _json(r)) for r in past],
            "future": [_places(steps, _json(r)) for r in future],
            "names": [(_places(steps, _json(r)), name) for r, name in names],
            "kept": [(name, _places(steps, recipe.to_json())) for name, recipe in kept],
        }
        if not past or sum(map(len, steps)) < MOST_LETTERS:
            return {"steps": [json.loads(step) for step in steps], **made}
        past, future = past[len(past) // 2 + 1 :], future[: len(future) // 2]


def _places(steps: dict[str, int], recipe: str) -> list[int]:
    return [steps.setdefault(json.dumps(step), len(steps)) for step in json.loads(recipe)["steps"]]


def _json(r: Record) -> str:
    """Made once per state."""
    return r.derived.setdefault("recipe for the note", recipe_of(r).to_json())


def _recipe(steps: list) -> Recipe:
    return Recipe.from_json(json.dumps({"schema_version": SCHEMA_VERSION, "steps": steps}))


def _recipe_of_plan(plan: Plan) -> Recipe:
    return recipe_of(replace(Record(), prepare=plan.prepare, grow=plan.grow, prune=plan.prune, edits=plan.edits))


def _plain(made: Mapping) -> dict:
    """Those that the browser keeps: JSON brings them back as they are."""
    return {
        name: value for name, value in dict(made).items() if choices.is_portable(name, value) and _comes_back(value)
    }


def _comes_back(value) -> bool:
    if not isinstance(value, str | bool | int | float | dict | list):
        return False
    with suppress(ValueError, TypeError, RecursionError):
        text = json.dumps(value, allow_nan=False)
        return len(text) <= LONGEST_CHOICE and json.loads(text) == value
    return False


# From a recipe back to the session: its table is read again, and every choice and step is there.

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
    told = json.loads(work_file("")())
    return Awaited(recipe_of(state.record()), selected=state.record().selected, before=before(told))


def open_recipe(asked: Awaited, go_on: bool = False) -> None:
    """Go on with a recipe: of a sample at once; of a file, on the table that is loaded if it is that one, else as soon
    as the file is given. go_on : to the tree. TreecoreError where the table lacks a column; then nothing has
    changed."""
    if asked.how.sample:
        sample = SAMPLES[asked.how.file]
        raw = cache.get(("sample", asked.how.file), lambda: read_raw(sample.path, name=sample.file))
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
    past, future, names = _resumed_history(asked.before, raw)  # before anything has changed, as it may fail
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
    if not isinstance(guess.predicted, Counted):
        return data.predicted()
    return data.predicted() or guess.name


def _plan(recipe: Recipe) -> Plan:
    edits = tuple(step for step in recipe.steps if isinstance(step, Edit | Take))
    grow, prune = recipe.last(Grow) or Grow(), recipe.last(Prune) or Prune()
    return Plan(recipe.last(Prepare) or Prepare(), grow, prune, edits)


def _resumed_history(before: Before, raw: RawTable) -> tuple:
    """(past, future, names) as states of the session; none where the table has other columns."""
    made = lambda recipe: Record(**_record(recipe, raw))  # noqa: E731
    with suppress(TreecoreError):
        names = [(made(recipe), name) for recipe, name in before.names]
        return tuple(map(made, before.past)), tuple(map(made, before.future)), names
    return (), (), []


def _chosen(raw: RawTable, data: Data, read: Read, derived: set[str]) -> tuple[str, ...] | None:
    """None where they are the features that anybody would have guessed."""
    guessed = [
        g.name
        for g in raw.guesses
        if g.use == "feature" and g.name not in (data.target, data.exposure, data.treatment, read.weights)
    ]
    return data.features if data.features and (derived or set(data.features) != set(guessed)) else None


def _check_columns(raw: RawTable, data: Data, read: Read) -> None:
    derived = {f"{column}: {part}" for column, parts in read.derive for part in parts}
    asked = [
        data.target,
        data.exposure,
        data.treatment,
        *data.features,
        *(column for column, _ in data.kinds),
        read.weights,
    ]
    asked += [column for column, _ in read.derive]
    for name in asked:
        if name and name not in raw.names and name not in derived:
            raise TreecoreError(
                f"The recipe needs it, and the table {raw.source} has no such column",
                where=f"Column '{name}'",
                remedy=f"Give the table that the recipe is for{f', {read.file}' if read.file else ''}",
            )


# A recipe as an address: who opens it has the same sample with the same steps.

NAME, CLASS = "recipe", "class"
MOST_BYTES = 1 << 20
"""Of a recipe that comes by an address: more is no recipe of ours."""


def recipe_address(recipe: Recipe) -> str:
    """The address of this app with the recipe in it."""
    return _address(NAME, urlsafe_b64encode(zlib.compress(recipe.to_json().encode("utf-8"), 9)).decode().rstrip("="))


def class_address(given: Classwork) -> str:
    """The address of this app with the work of a class in it."""
    return _address(CLASS, given.to_text())


def _address(name: str, text: str) -> str:
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}/?{name}={text}"


def follow_link() -> None:
    """Open what the address holds that brought the user here, once; what he has at work stays in its own tab."""
    for name, open_it in ((NAME, _open_recipe), (CLASS, _open_class)):
        text = st.query_params.get(name)
        if text:
            del st.query_params[name]
            if state.raw() is None:
                open_it(text)


def _open_class(text: str) -> None:
    with state.answered():
        before = Before(choices={"classwork": text})
        open_recipe(Awaited(Classwork.from_text(text).recipe, before=before))


def _open_recipe(text: str) -> None:
    with state.answered():
        open_recipe(Awaited(recipe_of_link(text)), go_on=True)


def recipe_of_link(text: str) -> Recipe:
    """The recipe of an address; TreecoreError for any other text."""
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        result = zlib.decompressobj().decompress(packed, MOST_BYTES).decode("utf-8")
    except (ValueError, zlib.error):
        raise TreecoreError("This link holds no recipe", where="Link", remedy="Copy the whole of it") from None
    return Recipe.from_json(result)
