"""The first steps of a recipe: which file, how it is read, and what its columns are."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from treecore.data.column import Nominal, Ordinal, kind_and_levels, quoted
from treecore.data.options import ReadOptions
from treecore.data.read import read_table
from treecore.data.samples import SAMPLES
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.target import Counted, Counts, Effect, Survival
from treecore.target.effects import MIN_ROWS

_DECLARED = {"ordinal": Ordinal, "nominal": Nominal}


@dataclass(frozen=True)
class Read:
    """The file and how it is read.

    file : its name, of a sample the sample's. sample : is it one of ours? options : (name, value) pairs of ReadOptions
    that are not the default. derive : (date column, parts) pairs. weights : column of case weights, or None.
    infinite : "error" or "missing". refine : as of open_table, for a table that stays where it is.
    """

    step = "read"
    file: str = ""
    sample: bool = False
    options: tuple[tuple[str, Any], ...] = ()
    derive: tuple[tuple[str, tuple[str, ...]], ...] = ()
    weights: str | None = None
    infinite: str = "error"
    refine: bool | None = None

    def __post_init__(self):
        object.__setattr__(self, "options", tuple(sorted(dict(self.options).items())))
        object.__setattr__(self, "derive", tuple((c, _tuple(parts)) for c, parts in dict(self.derive).items()))
        known = {field.name for field in fields(ReadOptions)}
        for name in dict(self.options):
            if name not in known:
                remedy = f"Choose from {', '.join(sorted(known))}"
                raise TreecoreError(f"A file is not read by {name!r}", where="options", remedy=remedy)
        self.read_options()
        if not isinstance(self.weights, str | None):
            raise TreecoreError(f"{quoted(repr(self.weights))} is no column", where="weights", remedy="Give its name")
        if self.infinite not in ("error", "missing"):
            remedy = "Choose error or missing"
            raise TreecoreError(f"{self.infinite!r} is not possible", where="infinite", remedy=remedy)
        if not isinstance(self.refine, bool | None):
            raise TreecoreError(f"{self.refine!r} is not possible", where="refine", remedy="Give true, false or null")
        if self.sample:
            SAMPLES[self.file]

    @classmethod
    def of(cls, file: str, sample: bool, options: ReadOptions, **more) -> "Read":
        """The step for these options."""
        return cls(file, sample, options.changed(), **more)

    def read_options(self) -> ReadOptions:
        return ReadOptions(**dict(self.options))

    def text(self) -> str:
        return f"read {self.file or 'a table'}"


@dataclass(frozen=True)
class Data:
    """Which content the recipe was written for, and what its columns are.

    fingerprint : of the table ('' accepts any). kinds : (column, kind) pairs that differ from the guess; a kind with
    levels of its own is a pair again, ("ordinal", ("S", "M", "L")). class_names : (class, what texts call it) pairs.
    descriptions : (column, what it holds, in words) pairs. exposure : of a target of counts the column that says in how
    much each was counted, '' for none; None: the target is no count. shrink : see target.Counts. survival : is the
    exposure a time, and the target whether it ended in an event? See target.Survival. treatment : of a target of
    effects the column that says who was treated, '' for none; control : its value of those who were not; min_rows : of
    each arm in a leaf. See target.Effect.
    """

    step = "data"
    fingerprint: str = ""
    target: str = ""
    features: tuple[str, ...] = ()
    kinds: tuple[tuple[str, object], ...] = ()
    class_names: tuple[tuple[str, str], ...] = ()
    descriptions: tuple[tuple[str, str], ...] = ()
    exposure: str | None = None
    shrink: float = 1.0
    survival: bool = False
    treatment: str = ""
    control: str = ""
    min_rows: int = MIN_ROWS

    def __post_init__(self):
        named = tuple(sorted(dict(self.class_names).items()))
        object.__setattr__(self, "class_names", named)
        if not all(isinstance(text, str) for pair in named for text in pair):
            raise TreecoreError("Names of classes are texts", where="class_names", remedy="Give a name for each class")
        described = tuple(sorted(dict(self.descriptions).items()))
        object.__setattr__(self, "descriptions", described)
        if not all(isinstance(text, str) for pair in described for text in pair):
            raise TreecoreError("Descriptions are texts", where="descriptions", remedy="Give a text for each column")
        object.__setattr__(self, "kinds", tuple(sorted((c, plain_kind(k)) for c, k in dict(self.kinds).items())))
        self.column_kinds()
        if not isinstance(self.exposure, str | None):
            raise TreecoreError(f"{self.exposure!r} is no column", where="exposure", remedy="Give its name, or null")
        for name in ("fingerprint", "target", "treatment", "control"):
            if not isinstance(getattr(self, name), str):
                raise TreecoreError(f"{getattr(self, name)!r} is no text", where=name, remedy="Write it in quotes")
        if self.treatment and (self.survival or self.exposure is not None):
            what = "The target is the effect of a treatment, or it is counted or timed, not both"
            raise TreecoreError(what, where="treatment", remedy="Leave out the treatment, or the exposure")
        if not isinstance(self.survival, bool):
            raise TreecoreError(f"{self.survival!r} is not possible", where="survival", remedy="Give true or false")
        self.predicted()

    @classmethod
    def of(cls, predicted: str | Counted | None, fingerprint: str = "", **more) -> "Data":
        """The step for what is predicted, as read_table takes it."""
        if isinstance(predicted, Effect):
            more |= {name: getattr(predicted, name) for name in ("treatment", "control", "min_rows")}
            predicted = predicted.name
        elif isinstance(predicted, Counted):
            more |= {"exposure": predicted.exposure, "shrink": predicted.shrink}
            more |= {"survival": True} if isinstance(predicted, Survival) else {}
            predicted = predicted.name
        return cls(fingerprint, predicted or "", **more)

    def predicted(self) -> str | Counted | None:
        """What is predicted, as read_table takes it; None leaves it open."""
        if self.treatment:
            return Effect(self.target, self.treatment, self.control, self.min_rows)
        if self.survival:
            return Survival(self.exposure or "", self.target, self.shrink)
        if self.exposure is None:
            return self.target or None
        return Counts(self.target, self.exposure, self.shrink)

    def column_kinds(self) -> dict:
        """Column -> kind, or its declared levels, as read_table takes them."""
        return {column: _kind(column, text) for column, text in self.kinds}

    def text(self) -> str:
        what = f"{self.target} per {self.exposure}" if self.exposure else self.target
        what = f"{self.exposure} until {self.target}" if self.survival else what
        what = f"the effect of {self.treatment} on {self.target}" if self.treatment else what
        return f"predict {what} from {len(self.features)} feature{'s' * (len(self.features) != 1)}"


def plain_kind(kind):
    """A kind as plain text, or (kind, levels)."""
    return (kind.kind, kind.levels) if isinstance(kind, Ordinal | Nominal) else kind


def _kind(column: str, told):
    if isinstance(told, str):
        return told
    where = f"kind of {column!r}"
    if not isinstance(told, tuple) or len(told) != 2 or told[0] not in _DECLARED or not isinstance(told[1], tuple):
        raise TreecoreError(f"{told!r} is no kind", where=where, remedy="Give a kind, or a kind and its levels")
    kind_and_levels(made := _DECLARED[told[0]](told[1]), where=where)
    return made


def _tuple(parts) -> tuple[str, ...]:
    return (parts,) if isinstance(parts, str) else tuple(parts)


def read(source, how: Read, data: Data) -> Table:
    """The table of a file as these steps say; rows without a target are left out.

    source : whatever read_table takes; None for the sample that `how` names.
    """
    if source is None:
        if not how.sample:
            what = f"The recipe is for the file {how.file!r}" if how.file else "The recipe names no file"
            raise TreecoreError(what, where="recipe", remedy="Give the file")
        sample = SAMPLES[how.file]
        source = sample.path
    options: Mapping = dict(how.options)
    table = read_table(
        source, target=data.predicted(), kinds=data.column_kinds(), features=data.features or None,
        weights=how.weights, derive=dict(how.derive) or None, infinite=how.infinite, **options,
    )  # fmt: skip
    known = table.target is not None and table.target_column.present().any()
    return table.without_missing_target() if known else table
