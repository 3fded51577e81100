"""What commands read and write: files, tables and name=value arguments; "-" is the terminal's input or output."""

import json
import os
import re
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from treecore.brief import visible
from treecore.covering import Learned
from treecore.data.options import ReadOptions
from treecore.data.raw_table import RawTable
from treecore.data.read import build_table
from treecore.data.readers import read_raw
from treecore.data.table import Table
from treecore.data.target_guess import TargetGuess, why_target
from treecore.errors import TreecoreError
from treecore.target import Counts, Effect, Survival
from treecore.tree.tree import Tree

Model = TypeVar("Model")


def read_tree(path: str) -> Tree:
    """A tree that `grow` wrote."""
    return _read(path, Tree.from_dict)


def read_tree_or_rules(path: str) -> Tree | Learned:
    """A tree that `grow` wrote, or the rules that `learn` did."""
    return _read(path, lambda data: (Learned if "rules_version" in data else Tree).from_dict(data))


def _read(path: str, made: Callable[[dict], Model]) -> Model:
    content, remedy = _bytes(path), "Give a file that `treecore grow --out` wrote"
    try:
        data = json.loads(content)
        return made(data if isinstance(data, dict) else {})
    except (ValueError, RecursionError):  # no JSON, or no text at all
        raise TreecoreError("This is no saved tree", where=path, remedy=remedy) from None
    except TreecoreError as fault:
        raise TreecoreError(fault.what, where=path, remedy=remedy) from None


def read_rows(path: str, part: str | None = None) -> RawTable:
    """A table of any kind that the app reads. part : see ReadOptions."""
    options = ReadOptions(part=part)
    return read_raw(_bytes(path), name=Path(path).name if path != "-" else "input", options=options)


def write(path: str | None, content: str | bytes) -> None:
    """Into a file; without one, to the terminal's output."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    if path in (None, "-"):
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        _put(Path(path), data)
    except OSError as fault:
        raise TreecoreError(_why(fault), where=path, remedy="Choose another place for --out") from None


def _put(path: Path, data: bytes) -> None:
    """Whole or not at all: what stood there before is good until the new file is complete, whatever ends the process.

    Written in place where the folder takes no second file, and into what is no file, such as a pipe.
    """
    path = path.resolve() if path.is_symlink() else path
    beside = path.with_name(f".{path.name[:100]}.{os.getpid()}.part")
    if path.exists() and not (path.is_file() and os.access(path, os.W_OK)):
        path.write_bytes(data)
        return
    try:
        new = beside.open("xb")
    except OSError:
        path.write_bytes(data)
        return
    try:
        with new:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        if path.exists():
            shutil.copymode(path, beside)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def check_out(path: str | None) -> None:
    """Can a file be written there? Asked before the work is done; TreecoreError says why not."""
    if path in (None, "-"):
        return
    where, remedy = f"--out {path}", "Choose another place for --out"
    if not path:
        raise TreecoreError("It names no file", where="--out", remedy="Name a file, such as --out tree.json")
    if Path(path).is_dir():
        raise TreecoreError("This is a folder", where=where, remedy="Name a file in it")
    if not Path(path).parent.is_dir():
        raise TreecoreError(f"There is no folder {Path(path).parent}", where=where, remedy=remedy)


def say(text: str) -> None:
    """What is not the result goes to stderr, so that results can be piped; a line is a line, whatever data is in it."""
    print(visible(text), file=sys.stderr, flush=True)


def _bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    if not path:
        raise TreecoreError("The name of the file is empty", remedy="Name a file, or - for what is piped in")
    try:
        return Path(path).read_bytes()
    except OSError as fault:
        raise TreecoreError(_why(fault), where=path, remedy="Check the name of the file") from None


def _why(fault: OSError) -> str:
    if isinstance(fault, FileNotFoundError):
        return "There is no such file"
    return "This is a folder" if isinstance(fault, IsADirectoryError) else (fault.strerror or "Cannot be opened")


# The table to learn from, and what there is to say of it.


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
    _check_one_kind(given)
    if target is None and survival is None:
        guess = why_target(raw.guesses)
        if guess.name is None:
            raise TreecoreError(guess.reason.rstrip("."), where=given.file, remedy="Name one with --target")
        target = guess.name
        why = f"target: {target}. {_why_target(guess, given)}"
    counted = survival or _effect_of(target, given) or _counts_of(target, given) or target
    return build_table(raw, target=counted, kinds=kinds, weights=given.weights).without_missing_target(), why


def _why_target(guess: TargetGuess, given: Namespace) -> str:
    """The reason of the guess, and the arguments for another target, or for the same one as counts or survival."""
    if guess.predicted == guess.name or _effect_of(guess.name, given) or _counts_of(guess.name, given):
        return f"{guess.reason} Another: --target COLUMN"
    if guess.treatment:
        how = f"--target {guess.name} --treatment {guess.treatment}"
        return f"{guess.reason_alone} Another: {how}"
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


def _check_one_kind(given: Namespace) -> None:
    """TreecoreError where arguments of effects stand beside those of counts or survival, or --control alone."""
    treatment = getattr(given, "treatment", None)
    if getattr(given, "control", None) is not None and not treatment:
        what = "It is a value of the treatment, which is not named"
        raise TreecoreError(what, where="--control", remedy="Name its column with --treatment")
    others = [name for name in ("counts", "exposure", "shrink", "time", "event") if getattr(given, name, None)]
    if treatment and others:
        remedy = "Leave out --treatment, or " + ", ".join(f"--{name}" for name in others)
        raise TreecoreError("One kind of target is predicted, not two", where="--treatment", remedy=remedy)


def _effect_of(target: str, given: Namespace) -> Effect | None:
    """The effect of a treatment on the target, where the arguments ask for it."""
    treatment = getattr(given, "treatment", None)
    return Effect(target, treatment, getattr(given, "control", None) or "") if treatment else None


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


# name=value arguments.

LISTS = ("--set", "--prune-set", "--kind")
"""Options that take several name=value."""
_SETTING = re.compile(r"[A-Za-z][\w-]*=|.*=(numeric|nominal|ordinal|boolean)$", re.DOTALL)


def one_by_one(words: Iterable[str]) -> list[str]:
    """`--set a=1 b=2 FILE` as `--set a=1 --set b=2 FILE`, so that a file after the settings is the file."""
    made: list[str] = []
    option = ""
    for word in words:
        if word.startswith("-"):
            option = word if word in LISTS else ""
        elif option and made[-1] != option:
            option = option if _SETTING.match(word) else ""
            made += [option] if option else []
        made.append(word)
    return made


def parsed(given: Iterable[str], known: Iterable[str], what: str) -> dict:
    """name -> value; values are JSON where they can be read so, else text.

    known : the names there are; TreecoreError names the closest of them for any other.
    what : what the names are of, in messages.
    """
    known, result = list(known), {}
    for entry in given:
        name, sign, value = entry.partition("=")
        name = name.strip().replace("-", "_")
        if not sign:
            raise TreecoreError(f"{entry!r} has no value", where=what, remedy=f"Write {name}=VALUE")
        if name not in known:
            close = get_close_matches(name, known, 3, 0.5)
            remedy = f"Close to it: {', '.join(close)}" if close else f"There are: {', '.join(known) or 'none'}"
            raise TreecoreError(f"There is no {what} {name!r}", remedy=remedy)
        result[name] = _value(value.strip())
    return result


def _value(text: str):
    """JSON: 6, 0.1, true, null (no limit), [0.5, 0.5]; anything else is a word, "none" among them."""
    try:
        return _tuples(json.loads(text))
    except ValueError:
        return text


def _tuples(value):
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


# How the command line tells the app which file to begin with.

FILE_TO_OPEN = "TREECORE_FILE"
"""The environment variable with the file's path."""
