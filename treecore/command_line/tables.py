"""The table to learn from, and what there is to say of it."""

from argparse import Namespace

from treecore.command_line.files import say
from treecore.data.raw_table import RawTable
from treecore.data.read import build_table
from treecore.data.table import Table
from treecore.data.target_guess import TargetGuess, why_target
from treecore.errors import TreecoreError
from treecore.target import Counts, Survival


def table_of(raw: RawTable, given: Namespace) -> tuple[Table, str]:
    """The table to grow from, and why its target was chosen where none was named."""
    kinds, why = {}, ""
    for entry in given.kind:
        column, _, kind = entry.rpartition("=")
        if kind not in ("numeric", "nominal", "ordinal", "boolean"):
            remedy = "Write COLUMN=numeric, nominal, ordinal or boolean"
            raise TreecoreError(f"{entry!r} names no kind", where="--kind", remedy=remedy)
        kinds[column] = kind
    target, survival = given.target, _survival_of(given)
    if target is None and survival is None:
        guess = why_target(raw.guesses)
        if guess.name is None:
            raise TreecoreError(guess.reason.rstrip("."), where=given.file, remedy="Name one with --target")
        target = guess.name
        why = f"target: {target}. {_why(guess, given)}"
    counted = survival or _counts_of(target, given) or target
    return build_table(raw, target=counted, kinds=kinds, weights=given.weights).without_missing_target(), why


def _why(guess: TargetGuess, given: Namespace) -> str:
    """The reason of the guess, and the arguments for another target, or for the same one as counts or survival."""
    if guess.exposure is None or _counts_of(guess.name, given):
        return f"{guess.reason} Another: --target COLUMN"
    how = f"--time {guess.exposure} --event {guess.name}" if guess.survival else f"--exposure {guess.exposure}"
    return f"{guess.reason_alone} Another: {how}"


def _survival_of(given: Namespace) -> Survival | None:
    """Times until an event, where the arguments say so; --target may name the event."""
    time, event = getattr(given, "time", None), getattr(given, "event", None)
    if not (time or event):
        return None
    if given.counts or given.exposure:
        remedy = "Leave out --counts and --exposure, or --time and --event"
        raise TreecoreError("The target is counts, or times until an event, not both", where="--time", remedy=remedy)
    if event and given.target not in (None, event):
        what = f"Two columns are to be predicted, '{given.target}' and '{event}'"
        raise TreecoreError(what, where="--target", remedy="Leave it out: --event is what is predicted")
    event = event or given.target
    if not time or not event:
        lacking, held = ("--time", "times") if not time else ("--event", "events")
        remedy = f"Name the column of {held} with {lacking}"
        raise TreecoreError("Survival needs both --time and --event", where=lacking, remedy=remedy)
    return Survival(time, event, 1.0 if given.shrink is None else given.shrink)


def _counts_of(target: str, given: Namespace) -> Counts | None:
    """The target as counts, where the arguments say that it is one."""
    exposure, shrink = getattr(given, "exposure", None), getattr(given, "shrink", None)
    if not (getattr(given, "counts", False) or exposure or shrink is not None):
        return None
    return Counts(target, exposure or "", 1.0 if shrink is None else shrink)


def tell_notes(notes: tuple[str, ...], why: str = "") -> None:
    """Told when the work is done: bad input ends with the one line that says what is wrong."""
    if why:
        say(why)
    for note in notes:
        say(f"note: {note}")
