"""A recipe: the ordered steps from a table to a tree, readable, hashable, JSON."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date
from hashlib import sha256
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from treecore.brief import Brief
from treecore.data.discretize import BINNINGS
from treecore.data.prepare import FILLS, checked_bins, prepare
from treecore.data.roles import Roles
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.figures import exact
from treecore.growing.settings.grow_settings import CHOICES_OF, LABELS, GrowSettings
from treecore.judging.interest import FlagRule
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.pruning.pruner import Parameter
from treecore.recipe_data import Data, Read, read
from treecore.seal import Seal

if TYPE_CHECKING:
    from treecore.data.table import SourceLike
    from treecore.tree.tree import Tree

SCHEMA_VERSION = 2
READ_VERSIONS = (1, 2)
"""What this version reads; 1 had no step `read`, and its kinds had no levels."""


@dataclass(frozen=True)
class Split:
    """Which rows train, validate and test, and which are for pruning or for the figures of the leaves alone."""

    step = "split"
    train: float = 0.6
    validation: float = 0.2
    test: float = 0.2
    stratify: bool = True
    seed: int = 0
    column: str | None = None
    order: str | None = None
    pruning: float = 0.0
    estimation: float = 0.0

    def __post_init__(self) -> None:
        self.roles()
        if not isinstance(self.stratify, bool):
            raise TreecoreError(f"{self.stratify!r} is not possible", where="stratify", remedy="Give true or false")
        for name in ("column", "order"):
            if not isinstance(getattr(self, name), str | None):
                what = f"{getattr(self, name)!r} names no column"
                raise TreecoreError(what, where=name, remedy="Give a name, or nothing")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise TreecoreError(f"{self.seed!r} is not possible", where="seed", remedy="Give a whole number")

    def roles(self) -> Roles:
        return Roles(**asdict(self))

    def text(self) -> str:
        if self.column:
            return f"roles from column {self.column}"
        shares = "/".join(f"{100 * s:.4g}" for s in (self.train, self.validation, self.test))
        shares += " %"
        apart = {"pruning": self.pruning, "the figures of the leaves": self.estimation}
        shares += "".join(f" and {100 * share:.4g} % for {what}" for what, share in apart.items() if share)
        if self.order:
            return f"split {shares}, in order of {self.order}"
        return f"split {shares}{', stratified' if self.stratify else ''}, seed {self.seed}"


@dataclass(frozen=True)
class Prepare:
    """What is done to the rows of the roles before growing; see data.prepare for what the fields mean.

    missing : a name in data.FILLS. limit : share of missing values above which "drop_columns" leaves a feature out.
    bins : (feature, method, number) triples, the feature "" standing for all other numeric ones; the name of a
        method in data.BINNINGS puts all of them in 5 bins.
    """

    step = "prepare"
    missing: str = "none"
    limit: float = 0.7
    bins: tuple[tuple[str, str, int], ...] = ()

    def __post_init__(self) -> None:
        FILLS[self.missing]
        if not isinstance(self.limit, int | float) or not 0 <= self.limit <= 1:
            raise TreecoreError(f"{self.limit!r} is no share", where="limit", remedy="Give a number from 0 to 1")
        object.__setattr__(self, "limit", float(self.limit))
        object.__setattr__(self, "bins", checked_bins(self.bins))

    def tables(self, train: Table, *others: Table) -> tuple[Table, ...]:
        """The prepared training rows, and the rows of other roles in the same bins."""
        return prepare(train, *others, missing=self.missing, limit=self.limit, bins=self.bins)

    def text(self) -> str:
        sentence = [] if self.missing == "none" else [f"missing values: {lowered(FILLS[self.missing].label)}"]
        if self.missing == "drop_columns":
            sentence = [f"features with more than {100 * self.limit:.4g} % missing left out"]
        sentence += [_bins_text(*entry) for entry in self.bins[:SHOWN]]
        sentence += [f"and {len(self.bins) - SHOWN} more"] if len(self.bins) > SHOWN else []
        return "prepare: " + (", ".join(sentence) or "nothing")


def _bins_text(feature: str, method: str, n: int) -> str:
    """ "age in 5 bins (equal width)"; a method that needs classes finds the number of bins itself."""
    binning = BINNINGS[method]
    bins = "bins" if binning.needs_classes else f"{n} bins"
    return f"{feature or 'numeric features'} in {bins} ({lowered(binning.label)})"


def lowered(label: str) -> str:
    """A label inside a sentence; names that have digits or more capitals stay: C4.5, REPTree."""
    first = label.split(" ")[0]
    is_name = any(ch.isdigit() or ch.isupper() for ch in first[1:])
    return label if is_name else label[:1].lower() + label[1:]


@dataclass(frozen=True)
class Grow:
    """Grow with a preset and the settings that differ from it, as sorted (name, value) pairs."""

    step = "grow"
    preset: str = "cart"
    settings: tuple[tuple[str, object], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "settings", tuple(sorted((str(k), _frozen(v)) for k, v in dict(self.settings).items()))
        )
        self.growth()

    def growth(self) -> GrowSettings:
        """The complete settings; TreecoreError if one of them is not possible."""
        return GrowSettings.from_dict(PRESETS[self.preset].growth.to_dict() | dict(self.settings))

    def text(self) -> str:
        changed = [setting_text(name, value) for name, value in self.settings]
        return " · ".join([PRESETS[self.preset].label, *changed])


@dataclass(frozen=True)
class Import(Grow):
    """Take the tree of a model that was made elsewhere instead of growing one; see importing.read_model.

    file : its name. digest : sha256 of its bytes, "" for any. classes : what its classes 0, 1, ... are, where the file
    does not say; else (). preset, settings : by which trees are grown that stand beside it.
    """

    step = "import"
    file: str = ""
    digest: str = ""
    classes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "classes", tuple(self.classes))
        if not all(isinstance(text, str) for text in (self.file, self.digest, *self.classes)):
            raise TreecoreError("A model has a name, a digest and classes", where="import", remedy="Give them as texts")

    def text(self) -> str:
        return f"the tree of {self.file or 'a model'}"

    def not_grown(self) -> TreecoreError:
        """The error where the tree would have to be grown anew, on other rows or in another way."""
        return TreecoreError(
            f"The tree is read from {self.file or 'a model'}: what it was grown by is not known, so it cannot be grown "
            "again on other rows",
            where="Model",
            remedy="Choose an algorithm in its place, such as CART, to ask this of a tree that is grown here",
        )


def _learned(grown: Grow, tree: "Tree") -> str:
    """What the training rows have settled: " · δ = 5.4 by the training rows"; "" where the settings say all."""
    loss = tree.schema.row_loss
    if loss is None or loss.unset is None or getattr(grown.growth(), loss.parameter) != loss.unset:
        return ""
    return f" · {loss.setting_text} by the training rows"


SHOWN = 6
"""Classes and features that the line of a recipe names one by one; it counts more of them."""


def setting_text(name: str, value: Any) -> str:
    """A setting in words: "depth at most 3", "loss 0 1 | 4 0", "priors 0.5, 0.5", "cost of age 2"."""
    if name in ("loss", "profit") and value is not None:
        return _matrix_text(name, value)
    if name == "priors" and value is not None:
        return "priors " + (", ".join(map(_short, value)) if len(value) <= SHOWN else f"of {len(value)} classes")
    if name == "costs":
        items = [f"cost of {feature} {_short(cost)}" for feature, cost in GrowSettings(costs=value).costs]
        more = [f"and {len(items) - SHOWN} more"] if len(items) > SHOWN else []
        return ", ".join(items[:SHOWN] + more) or "no feature costs"
    if name == "monotonic":
        items = [
            f"answers {'rise' if sign > 0 else 'fall'} with {feature}"
            for feature, sign in GrowSettings(monotonic=value).monotonic
        ]
        return ", ".join(items) or "answers in any direction"
    if name == "edges":
        items = [
            f"{feature} in bins at {', '.join(map(exact, edges))}" for feature, edges in GrowSettings(edges=value).edges
        ]
        return "; ".join(items) or "no edges of bins"
    label = lowered(LABELS[name])
    if value is None:
        return f"{label}: {'no limit' if name.startswith('max_') else 'none'}"
    entry = CHOICES_OF[name][value] if name in CHOICES_OF and value else None
    return f"{label} {_short(value)}" if entry is None else f"{label}: {entry.label}"


def _matrix_text(name: str, loss: Any) -> str:
    if len(loss) <= SHOWN:
        return f"{name} " + " | ".join(" ".join(map(_short, row)) for row in loss)
    if name == "profit":
        return f"profit of {len(loss)} classes"
    other = sum(cost != 1 for i, row in enumerate(loss) for j, cost in enumerate(row) if i != j)
    return f"loss of {len(loss)} classes, {other} errors that do not cost 1"


def _short(value: Any) -> str:
    if value is None:
        return "none"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Prune:
    """Prune with a strategy and its parameters, as sorted (name, value) pairs."""

    step = "prune"
    method: str = "none"
    parameters: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        known = {p.name: p for p in PRUNERS[self.method].parameters}
        for name, value in dict(self.parameters).items():
            if name not in known:
                remedy = "Its parameters are: " + (", ".join(sorted(known)) or "none")
                raise TreecoreError(f"{self.method} has no parameter {name!r}", where=name, remedy=remedy)
            if not known[name].allows(value):
                raise TreecoreError(f"{value!r} is not possible", where=name, remedy=known[name].remedy)
        object.__setattr__(self, "parameters", tuple(sorted(dict(self.parameters).items())))

    def text(self) -> str:
        known = {p.name: p for p in PRUNERS[self.method].parameters}
        changed = [_parameter_text(known[name], value) for name, value in self.parameters if value is not None]
        return " · ".join([f"prune: {lowered(PRUNERS[self.method].label)}", *changed])


def _parameter_text(parameter: Parameter, value: Any) -> str:
    """ "standard errors above the least error: 1", "size chosen by: error on the validation rows"."""
    label, named = lowered(parameter.label), dict(parameter.choices)
    if isinstance(value, bool):
        return f"{label}: {'yes' if value else 'no'}"
    return f"{label}: {named[value] if value in named else _short(value)}"


def own_pruning(preset: str) -> Prune:
    """The pruning that a peer does within its fit; none for an algorithm that leaves the tree as it grows."""
    return Prune(PRESETS[preset].prune)


@dataclass(frozen=True)
class Edit:
    """Cut or restore one node by hand.

    action : "cut" or "restore". path : branch numbers from the root. expect : the feature tested there;
    replay stops with an error where another one stands.
    """

    step = "edit"
    action: str
    path: tuple[int, ...] = ()
    expect: str = ""

    def __post_init__(self) -> None:
        if self.action not in ("cut", "restore"):
            remedy = "Choose one of: cut, restore"
            raise TreecoreError(f"There is no edit called {self.action!r}", where="action", remedy=remedy)
        _check_path(self.path)

    def text(self) -> str:
        tested = f" that tests {self.expect}" if self.expect else ""
        return f"{self.action} the node{tested} ({_place(self.path)})"


@dataclass(frozen=True)
class Take:
    """Split one node as somebody wants it; what is below grows anew.

    path, expect : as of an Edit; expect "" accepts any test, or a leaf. feature : the one to split on.
    threshold : of a numeric or ordinal feature (ordinal: between two level indices), else None. An infinite one (in
    JSON "inf") parts the known values from the missing ones, where missing is a value of its own.
    branches : the levels of each branch of a nominal feature, else (). missing : the branch of rows without a value,
    None to leave that to the missing-value strategy. terms : (name, weight) pairs where the feature is their weighted
    sum, which takes a growth with oblique splits; else ().
    """

    step = "take"
    path: tuple[int, ...] = ()
    expect: str = ""
    feature: str = ""
    threshold: float | None = None
    branches: tuple[tuple[str, ...], ...] = ()
    missing: int | None = None
    terms: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        _check_path(self.path)
        if self.missing is not None and (type(self.missing) is not int or self.missing < 0):
            remedy = "Give the number of a branch, or nothing"
            raise TreecoreError(f"{self.missing!r} is no branch", where="missing", remedy=remedy)
        object.__setattr__(self, "branches", tuple(tuple(levels) for levels in self.branches))
        threshold: Any = self.threshold  # whatever a file has there
        if threshold == "inf":
            threshold = inf
        is_finite = type(threshold) in (int, float) and abs(threshold) <= sys.float_info.max
        number = is_finite or threshold == inf
        named = all(isinstance(level, str) for levels in self.branches for level in levels)
        grouped = threshold is None and len(self.branches) > 1 and all(self.branches) and named
        if not isinstance(self.feature, str) or not self.feature or not (grouped or (number and not self.branches)):
            remedy = "Give a feature, and either a threshold or the levels of two branches or more"
            raise TreecoreError("There is no such split to take", where="take", remedy=remedy)
        if number:
            object.__setattr__(self, "threshold", float(threshold))
        self._check_terms()

    def _check_terms(self) -> None:
        object.__setattr__(self, "terms", tuple((name, weight) for name, weight in self.terms))
        numbers = all(type(w) in (int, float) and 0 < abs(w) <= sys.float_info.max for _, w in self.terms)
        if not numbers or not all(isinstance(name, str) for name, _ in self.terms) or (self.terms and self.branches):
            remedy = "Give names and weights other than 0, and a threshold"
            raise TreecoreError(f"{self.feature!r} is no weighted sum", where="take", remedy=remedy)

    def text(self) -> str:
        split = self._groups() if self.threshold is None else f"{self.feature} at {exact(self.threshold)}"
        split = f"whether {self.feature} is known" if self.threshold == inf else split
        to = "" if self.missing is None else f", missing to branch {self.missing + 1}"
        return f"take {split}{to}{f' instead of {self.expect}' if self.expect else ''} ({_place(self.path)})"

    def _groups(self) -> str:
        return f"{self.feature}: " + " | ".join(", ".join(levels) for levels in self.branches)


def _check_path(path: Any) -> None:
    if not isinstance(path, tuple) or not all(type(branch) is int for branch in path):
        remedy = "A path lists branch numbers from the root, such as [0, 1]"
        raise TreecoreError(f"{path!r} is not a path", where="path", remedy=remedy)


def _place(path: tuple[int, ...]) -> str:
    return "/".join(map(str, path)) or "root"


Step = Read | Data | Split | Seal | Prepare | Grow | Import | Prune | Edit | Take | FlagRule
S = TypeVar("S")
STEPS = {kind.step: kind for kind in (Read, Data, Split, Seal, Prepare, Grow, Import, Prune, Edit, Take, FlagRule)}
_PAIRS = ("kinds", "class_names", "descriptions", "settings", "parameters", "options", "derive")


@dataclass(frozen=True, repr=False)
class Recipe(Brief):
    """Steps in order. A shorter prefix is an undo; equal recipes on equal data give equal trees."""

    steps: tuple = field(default=(Grow(),))

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(self.steps))

    def __str__(self) -> str:
        return self.text()

    def last(self, kind: type[S]) -> S | None:
        """The last step of this kind, None if there is none."""
        return next((s for s in reversed(self.steps) if isinstance(s, kind)), None)

    def growth(self) -> GrowSettings:
        """The growth settings in force; CART if no step grows. TreecoreError where the tree is read from a model."""
        step = self.last(Grow) or Grow()
        if isinstance(step, Import):
            raise step.not_grown()
        return step.growth()

    def then(self, step: Step) -> "Recipe":
        """The recipe with one more step."""
        return replace(self, steps=(*self.steps, step))

    @property
    def is_sealed(self) -> bool:
        """Are the test rows out of sight?"""
        seal = self.last(Seal)
        return seal is not None and seal.is_closed

    def opened(self, day: str | None = None) -> "Recipe":
        """The recipe with its test rows opened, for good. day : as "2026-01-31"; today if None.

        TreecoreError where they are not sealed, or were opened before.
        """
        seal = self.last(Seal)
        if seal is None:
            remedy = "Seal them first, before anybody has seen how good a tree is on them"
            raise TreecoreError("The test rows are not sealed", where="Test set", remedy=remedy)
        made = seal.at(day or date.today().isoformat(), self.digest())
        return replace(self, steps=tuple(made if step is seal else step for step in self.steps))

    def digest(self) -> str:
        """What tells the steps that make this tree from others: 16 hexadecimal digits."""
        steps = (s for s in self.steps if not isinstance(s, Seal | FlagRule))
        plain = [
            replace(s, fingerprint="", class_names=(), descriptions=()) if isinstance(s, Data) else s for s in steps
        ]
        # without what is not set: a later version has more to be set, and tells the same steps by the same digits
        written = [
            {"step": s.step} | {f.name: _json(f.name, v) for f in fields(s) if (v := getattr(s, f.name)) != f.default}
            for s in plain
        ]
        return sha256(json.dumps(written, ensure_ascii=False).encode("utf-8")).hexdigest()[:16]

    def text(self, tree: "Tree | None" = None) -> str:
        """One line for people. tree : as in lines."""
        return " → ".join(self.lines(tree))

    def lines(self, tree: "Tree | None" = None) -> list[str]:
        """Each step in words, classes by their names. tree : that was grown by it, which knows what the settings left
        to the training rows."""
        names, grown = dict((self.last(Data) or Data()).class_names), self.last(Grow)
        told = [step.text(names) if isinstance(step, FlagRule) else step.text() for step in self.steps]
        learned = "" if tree is None or grown is None or isinstance(grown, Import) else _learned(grown, tree)
        return [text + learned * (step is grown) for step, text in zip(self.steps, told, strict=True)]

    def read(self, source: "SourceLike | None" = None) -> Table:
        """The table it is for, of a path, bytes or whatever read_table takes; None for the sample that it names."""
        return read(source, self.last(Read) or Read(), self.last(Data) or Data())

    def to_json(self, indent: int | None = None) -> str:
        """Text that from_json takes back; docs/recipe.schema.json says what is in it."""
        steps = [{"step": s.step, **{f.name: _json(f.name, getattr(s, f.name)) for f in fields(s)}} for s in self.steps]
        return json.dumps({"schema_version": SCHEMA_VERSION, "steps": steps}, ensure_ascii=False, indent=indent)

    @classmethod
    def from_json(cls, text: str) -> "Recipe":
        """The recipe `to_json` wrote; TreecoreError saying what is wrong with any other text."""
        try:
            data = json.loads(text)
            json.dumps(data, ensure_ascii=False).encode("utf-8")  # half of a character can be written nowhere
            version, steps = data["schema_version"], list(data["steps"])
        except (ValueError, TypeError, KeyError, RecursionError):
            raise TreecoreError("This is not a recipe", where="recipe", remedy="Load a saved recipe") from None
        if version not in READ_VERSIONS:
            newer = isinstance(version, int) and version > SCHEMA_VERSION
            remedy = "It is of a newer version: update treecore" if newer else f"This one reads 1 to {SCHEMA_VERSION}"
            raise TreecoreError(f"The recipe has schema version {version!r}", where="recipe", remedy=remedy)
        return cls(tuple(_step(i, s) for i, s in enumerate(steps, 1)))


def _json(name: str, value: Any) -> Any:
    """Pairs become an object; tuples become lists."""
    if isinstance(value, tuple) and value and name in _PAIRS:
        return dict(value)
    return "inf" if isinstance(value, float) and value == inf else value


def _frozen(value: Any) -> Any:
    """Lists as tuples and objects as pairs, all the way down."""
    if isinstance(value, Mapping):
        return tuple(sorted((k, _frozen(v)) for k, v in value.items()))
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value


def _step(number: int, data: Mapping) -> Any:
    """One step from its JSON object."""
    try:
        values = {k: v for k, v in data.items() if k != "step"}
        kind = STEPS[data["step"]]
        for name, value in values.items():
            if isinstance(value, Mapping):
                values[name] = tuple(sorted((k, _frozen(v)) for k, v in value.items()))
            else:
                values[name] = _frozen(value)
        step = kind(**values)
        hash(step), step.text()  # show a value of the wrong type
        return step
    except TreecoreError:
        raise
    except (TypeError, KeyError, AttributeError, ValueError, OverflowError):
        remedy = "Steps are: " + ", ".join(STEPS)
        raise TreecoreError(f"Step {number} of the recipe cannot be read", where="recipe", remedy=remedy) from None
