"""Settings that were chosen for another target or table: what no longer fits gives way, and the page says so."""

from contextlib import suppress

from pages.shared.controls.growth import has_order, put, situation, take, take_preset
from pages.shared.controls.settings import PANEL, SETTINGS, Setting, Situation, entries_for, value_of, why_not
from pages.shared.session import state
from pages.shared.trees import tables
from treecore.errors import TreecoreError
from treecore.presets import PRESETS
from treecore.recipe import Grow
from treecore.target import Target


def presets_for(target: Target) -> list[str]:
    """Names of the presets for this kind of target."""
    return [name for name, preset in PRESETS.items() if preset.serves(target)]


def refit() -> None:
    """Put the preset's own, or what fits, in the place of what does not fit; nothing grows the tree of a model."""
    if tables.in_force():
        return
    said = [*_costs(), *_preset(), *_menus()]
    if said:
        state.choose("refitted", " ".join(said))


def costs_belong_to(now: Situation) -> tuple:
    """What a loss matrix and priors are for: they name no classes themselves."""
    return now.table.target, now.table.classes


def keep_costs() -> None:
    """The loss matrix and the priors in force are for this table's classes: a recipe brings them along with it."""
    with suppress(TreecoreError):  # the page says what is wrong with the table
        state.choose("costs for", costs_belong_to(situation()))


def _costs() -> list[str]:
    now = situation()
    said = []
    by_class = [name for name in ("loss", "profit", "priors") if getattr(now.growth, name)]
    if by_class and state.choice("costs for") != costs_belong_to(now):
        what = " and ".join(PANEL[name].lower() for name in by_class)
        _drop(*by_class)
        said.append(f"The {what} were for other classes and have been reset.")
    gone = [feature for feature, _ in now.growth.costs if feature not in now.table.features]
    if gone:
        put("costs", tuple((f, cost) for f, cost in now.growth.costs if f not in gone))
        said.append(f"No longer a feature, so without a cost: {', '.join(gone)}.")
    return [*said, *_directions(now)]


def _directions(now: Situation) -> list[str]:
    """Answers are bound by features of this table, where the target has an order."""
    kept = tuple((f, sign) for f, sign in now.growth.monotonic if f in now.table.features and has_order(now))
    if kept == now.growth.monotonic:
        return []
    put("monotonic", kept)
    gone = [f for f, _ in now.growth.monotonic if f not in dict(kept)]
    return [f"No longer monotonic: {', '.join(gone)}."]


def _drop(*names: str) -> None:
    grow = state.record().grow
    take(Grow(grow.preset, tuple((k, v) for k, v in grow.settings if k not in names)))


def _preset() -> list[str]:
    target, former = situation().target, state.record().grow.preset
    fitting = presets_for(target)
    if former in fitting:
        return []
    take_preset(fitting[0])
    return [_replaced(f"{PRESETS[former].label} is not for {target.held}", PRESETS[fitting[0]].label, target)]


def _menus() -> list[str]:
    said = []
    for setting in SETTINGS.values():
        now = situation()
        value = value_of(now.growth, setting.name, now.task)
        if setting.menu is None:
            said += _unmeant(setting, value, now)
            continue
        if value in (fitting := entries_for(setting, now)):
            continue
        own = value_of(PRESETS[state.record().grow.preset].growth, setting.name, now.task)
        put(setting.name, own if own in fitting else next(iter(fitting)))
        new = setting.menu[value_of(situation().growth, setting.name, now.task)].label
        entry = setting.menu[value]
        said.append(_replaced(f"{entry.label} {why_not(entry, now)}", new, now.target))
    return said


def _unmeant(setting: Setting, value, now: Situation) -> list[str]:
    """A number that has no meaning for the target is the algorithm's own again."""
    if now.target.allows(setting.name, value):
        return []
    put(setting.name, getattr(PRESETS[state.record().grow.preset].growth, setting.name))
    return [f"{setting.label} is not for {now.target.held} and was reset."]


def _replaced(gone: str, new: str, target: Target) -> str:
    why = f"The target holds {target.held}, and " if gone.endswith(f"is not for {target.held}") else ""
    return f"{why}{gone}: {new} took its place."
