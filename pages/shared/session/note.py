"""What the browser and a work file keep of a session: enough to go on without this server, and no row of the table.

A work file is a recipe with more in it: who reads recipes reads it, too.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from pages.shared.database.opened import REFINE
from pages.shared.session import choices, state
from pages.shared.session.state import Record
from pages.shared.trees.plan import Plan
from treecore.data import why_target
from treecore.errors import TreecoreError
from treecore.export.experiment_result import ExperimentResult, findings
from treecore.recipe import SCHEMA_VERSION, Data, Prepare, Read, Recipe
from treecore.target import Counted

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
    told, found = {**json.loads(_json(state.record())), **_about(page)}, state.findings()
    return lambda: _with_findings(told, found).encode("utf-8", "replace")


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
    found, letters = list(state.findings()), 0
    for place, of in reversed(list(enumerate(found))):
        letters += len(of.json)
        if letters > MOST_OF_FINDINGS:
            return tuple(found[place + 1 :])
    return tuple(found)


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
