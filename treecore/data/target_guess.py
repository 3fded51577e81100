"""Which column is probably to be predicted, and why that one."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from treecore.data.kinds import FEATURE, ColumnGuess
from treecore.figures import counted
from treecore.target import Counted, Counts, Effect, Survival
from treecore.target.effects import named_control

# Names of targets, the most telling ones first; a name may have them among other words ("loan_status").
TARGET_NAMES = (
    *("target", "label", "y", "outcome", "response", "result", "klass", "output", "classification", "labels"),
    *("diagnosis", "survived", "churn", "churned", "defaulted", "default", "exited", "fraud", "spam", "died"),
    *("deceased", "approved", "subscribed", "purchased", "converted", "readmitted", "class", "species", "decision"),
    *("verdict", "quality", "category", "status", "price"),
)
ALONE = ("y", "default", "quality")  # beside other words these say something else: "air quality"
AT_ENDS = ("class", "klass", "category", "status", "response", "result", "output", "decision")
"""Beside other words these name features as often ("marital status"): those that stand first or last are preferred."""
GROUPING = ("category", "status")
"""Even as the whole name these are features as often: they are targets where they stand first or last."""
COUNT_NAMES = (
    *("claims", "accidents", "events", "visits", "cases", "incidents", "crashes", "deaths", "failures", "faults"),
    *("injuries", "defects", "calls", "admissions", "counts", "count"),
)
"""Words by which counts are named; they are read as counts where a column has one of EXPOSURE_NAMES."""
EXPOSURE_NAMES = ("exposure", "exposures", "personyears", "policyyears", "years at risk", "time at risk")
"""Names of what counts are counted in, without what separates their words, or words in them."""
EVENT_NAMES = (
    *("event", "events", "died", "dead", "death", "deceased", "relapse", "relapsed", "recurrence", "progressed"),
    *("failed", "failure", "status", "cens", "observed"),
)
"""Words by which the end of a time is named; of a column of 0 and 1 beside one of TIME_NAMES they say survival."""
TIME_NAMES = ("time", "futime", "followup", "duration", "survival", "lifetime", "tenure", "tte", "stime")
CLEAR_EVENTS = (
    *(
        "event",
        "events",
        "died",
        "dead",
        "death",
        "deceased",
        "relapse",
        "relapsed",
        "recurrence",
        "progressed",
        "cens",
    ),
)
"""Of EVENT_NAMES those that say survival beside any of TIME_NAMES; a status and a failure also stand beside the hour of
the day, the tenure of a customer or the duration of a call, where they are classes until somebody asks for more."""
VAGUE_TIMES = ("time", "duration", "tenure")
UNITS_OF_TIME = ("days", "weeks", "months", "years", "hours", "cycles")
"""Whole names that say how long a row was watched; in longer names they say as often how old something is, but where
one of UNTIL stands with them, "days to event"."""
UNTIL = ("to", "until", "till", "bis")
TREATMENT_NAMES = ("treatment", "treated", "treat", "intervention", "arm", "randomized", "randomised")
"""Words by which the column that says who was treated is named; of two values one must be named as a control is."""
CALLED, UNNAMED = "is what targets are often called", "no column has a name that targets often have"
NO_TARGETS = ("note", "notes", "comment", "comments", "remark", "remarks", "description", "source")
WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")
MAX_CLASSES = 10  # whole numbers up to this many different values may be classes
MIN_ROWS_PER_CLASS = 10


class TargetGuess(NamedTuple):
    """A column's name and a sentence or two that say why it; None where no column can be predicted.

    passed : what keeps the column that one would expect from being the target; "" where nothing is to be said.
    exposure : the column in which the target is counted; None where the target is no count. survival : is that a time
    until the target, an event? treatment : the column that says who was treated, "" where no effect is predicted.
    """

    name: str | None
    reason: str
    passed: str = ""
    exposure: str | None = None
    survival: bool = False
    treatment: str = ""

    @property
    def predicted(self) -> str | Counted | None:
        """What is predicted, as read_table takes it."""
        if self.name is None:
            return None
        if self.treatment:
            return Effect(self.name, self.treatment)
        if self.exposure is None:
            return self.name
        return Survival(self.exposure, self.name) if self.survival else Counts(self.name, self.exposure)

    @property
    def reason_alone(self) -> str:
        """The reason where the column is predicted by itself, as a class or a number, though another one counts it."""
        if self.treatment:
            return f"'{self.treatment}' may say who was treated; here the column is predicted by itself."
        if self.exposure is None:
            return self.reason
        beside = "the time until it" if self.survival else "what it is counted in"
        return f"'{self.exposure}' may be {beside}; here the column is predicted by itself."


def guess_target(guesses: Sequence[ColumnGuess]) -> str | None:
    """The column that is probably to be predicted; see why_target."""
    return why_target(guesses).name


def why_target(guesses: Sequence[ColumnGuess]) -> TargetGuess:
    """The column that is probably to be predicted: one named as targets are, else one of few values at either end.

    Of both ends the last one. Else it is the last one that can be used and is no remark and no weight by its name. A
    column in its place, or with such a name, that has one value alone or none is spoken of.
    """
    result = _guess(guesses)
    flat = _constant(guesses, result.name)
    if flat is None:
        return result
    why = f"'{flat.name}' has one value alone" if flat.n_distinct else f"Every value of '{flat.name}' is missing"
    passed = f"{why}, so it cannot be predicted."
    return result._replace(reason=f"{result.reason} {passed}", passed=passed)


def why_counts(guesses: Sequence[ColumnGuess], name: str | None = None) -> TargetGuess | None:
    """The column of counts beside an exposure, or whether the column of this name is one; None for no."""
    usable = [guess for guess in guesses if guess.use == FEATURE and guess.kind == "numeric"]
    exposure = next((guess for guess in usable if guess.positive and _is_exposure(guess)), None)
    if exposure is None:
        return None
    counts = [guess for guess in usable if guess.is_count and guess is not exposure]
    named = [guess for guess in counts if (guess.name == name if name else _has_word(guess, COUNT_NAMES))]
    if not named:
        return None
    why = f"'{named[-1].name}' holds whole numbers from 0 on, and '{exposure.name}' says in how much they were counted"
    return TargetGuess(named[-1].name, f"{why}, so they are counts and their rate is predicted.", "", exposure.name)


def why_survival(guesses: Sequence[ColumnGuess], name: str | None = None) -> TargetGuess | None:
    """The time and the event that it ends in, or those of which the column of this name is one; None for no.

    Unasked an event is 0 and 1: words are taken for classes. Of a named column any other of the right values will do,
    where none has the name of one.
    """
    usable = [guess for guess in guesses if guess.use == FEATURE]
    events, times = [g for g in usable if is_event(g) and (name or g.may_count)], [g for g in usable if is_time(g)]
    called = [g for g in events if _has_word(g, EVENT_NAMES)], [g for g in times if _is_called_time(g)]
    if name is not None:
        known = next((g for g in guesses if g.name == name), None)
        if known is None:
            return None
        in_units = [g for g in times if _has_word(g, UNITS_OF_TIME)]
        others = (called[1] or in_units or times) if is_event(known) else (called[0] or events)
        called = ([known], others) if is_event(known) else (others, [known])
    if not called[0] or not called[1] or not is_time(called[1][0]):
        return None
    if name is None and not _is_clear(called[0][-1], called[1][0]):
        return None
    event, time = called[0][-1].name, called[1][0].name
    why = f"'{event}' holds 0 and 1, and '{time}' is named as times until an event are, so that time is predicted"
    return TargetGuess(event, f"{why}: rows with 0 were only watched so long.", "", time, True)


def why_effect(guesses: Sequence[ColumnGuess], name: str | None = None) -> TargetGuess | None:
    """A treatment and the outcome that it may change, or the treatment beside the outcome of this name; None for no.

    Unasked the treatment has one of TREATMENT_NAMES and a value that is named as a control, and the outcome is the
    column that would be predicted without it. Of a named outcome either of the two will do for the treatment.
    """
    usable = [guess for guess in guesses if guess.use == FEATURE]
    arms = [g for g in usable if g.n_distinct == 2 and g.name != name]
    called = [g for g in arms if _has_word(g, TREATMENT_NAMES) and named_control(g.examples)]
    if name is not None:
        others = called or [g for g in arms if named_control(g.examples) or _has_word(g, TREATMENT_NAMES)]
        outcome = next((g for g in guesses if g.name == name and may_be_outcome(g)), None)
    else:
        others = called
        rest = _guess([g for g in guesses if g not in called]) if called else None
        outcome = next((g for g in usable if rest and rest.predicted == g.name and may_be_outcome(g)), None)
    if not others or outcome is None:
        return None
    treatment = others[0]
    control = named_control(treatment.examples)
    why = f"'{treatment.name}' says who was treated" + (f" ('{control}' is the control)" if control else "")
    why += f", so its effect on '{outcome.name}' is predicted: the two arms are compared."
    return TargetGuess(outcome.name, why, treatment=treatment.name)


def may_be_outcome(guess: ColumnGuess) -> bool:
    """Is it a number, or one of two values such as 0 and 1, no and yes?"""
    return is_event(guess) or (guess.kind == "numeric" and target_kind(guess) == "numeric")


def may_be_survival(guesses: Sequence[ColumnGuess], name: str) -> TargetGuess | None:
    """Survival with the column of this name as the event, where another one is named as times are; else None."""
    known = next((g for g in guesses if g.name == name), None)
    if known is None or not is_event(known):
        return None
    result = why_survival(guesses, name)
    time = next((g for g in guesses if result is not None and g.name == result.exposure), None)
    return result if time is not None and (_is_called_time(time) or _has_word(time, TIME_NAMES)) else None


def _is_clear(event: ColumnGuess, time: ColumnGuess) -> bool:
    """Do both names say survival and nothing else?"""
    if _has_word(event, CLEAR_EVENTS):
        return True
    words = _words(time)
    until = _has_word(time, UNITS_OF_TIME) and _has_word(time, UNTIL)
    by_name = any(word in TIME_NAMES and word not in VAGUE_TIMES for word in (*words, "".join(words)))
    return until or by_name or (words, _words(event)) == (["time"], ["status"])


def is_event(guess: ColumnGuess) -> bool:
    """Does it say whether something happened, by 0 and 1 or by words such as no and yes?"""
    if guess.n_distinct != 2:
        return False
    return guess.kind == "boolean" or (guess.kind == "numeric" and set(guess.examples) <= {"0", "1"})


def is_time(guess: ColumnGuess) -> bool:
    """Is it a number that may say how long a row was watched?"""
    return guess.kind == "numeric" and guess.positive and guess.n_distinct > 2


def _is_called_time(guess: ColumnGuess) -> bool:
    words = _words(guess)
    whole = "".join(words)
    until = _has_word(guess, UNITS_OF_TIME) and _has_word(guess, UNTIL)
    return any(word in (*words, whole) for word in TIME_NAMES) or whole in UNITS_OF_TIME or until


def _is_exposure(guess: ColumnGuess) -> bool:
    words = _words(guess)
    return any(word in EXPOSURE_NAMES for word in (*words, "".join(words), " ".join(words)))


def _constant(guesses: Sequence[ColumnGuess], chosen: str | None) -> ColumnGuess | None:
    """The column that one would expect to be the target, where all of its known values are the same."""
    flat = [guess for guess in guesses if guess.n_distinct <= 1 and guess.name != chosen]
    named = [guess for guess in flat if guess.name.strip().casefold() in TARGET_NAMES]
    last = [guesses[-1]] if flat and flat[-1] is guesses[-1] else []
    return next(iter([*named, *last]), None)


def _guess(guesses: Sequence[ColumnGuess]) -> TargetGuess:
    usable = [guess for guess in guesses if guess.use == FEATURE]
    if not usable:
        return TargetGuess(None, "No column can be predicted.")
    named, survival = _named(usable) or _named_at_an_end(usable), why_survival(guesses)
    if survival and named in (None, survival.name):
        return survival
    effect = why_effect(guesses)
    if effect:
        return effect
    if named:
        return TargetGuess(named, f"'{named}' {CALLED}.")
    counts = why_counts(guesses)
    if counts:
        return counts
    likely = [guess for guess in usable if not _is_remark_or_weight(guess)] or usable
    few = next(((guess, end) for guess, end in ((likely[-1], "last"), (likely[0], "first")) if _few(guess)), None)
    if few:
        guess, end = few
        values = counted(guess.n_distinct, "different value")
        return TargetGuess(guess.name, f"'{guess.name}' stands {end} and has {values}; {UNNAMED}.")
    inside = [guess.name for guess in reversed(usable) if _has_word(guess, AT_ENDS) and _few(guess)]
    if inside:
        return TargetGuess(inside[0], f"'{inside[0]}' {CALLED}.")
    stands = "stands last" if likely[-1] is usable[-1] else "stands last but for remarks and weights"
    return TargetGuess(
        likely[-1].name, f"'{likely[-1].name}' {stands}; {UNNAMED}, and neither the first nor the last has few values."
    )


def target_kind(guess: ColumnGuess) -> str:
    """The kind to take when this column is the target: few whole numbers are classes, so nominal."""
    few = guess.n_distinct <= MAX_CLASSES and guess.n_distinct * MIN_ROWS_PER_CLASS <= guess.n_rows
    return "nominal" if guess.kind == "numeric" and guess.whole_numbers and few else guess.kind


def _named(usable: Sequence[ColumnGuess]) -> str | None:
    """The column whose whole name is the most telling one, else the last that has a word which targets alone have."""
    whole = {guess.name.strip().casefold(): guess for guess in reversed(usable)}
    for word in TARGET_NAMES:
        if word in whole and _may_be_called(whole[word], word, usable):
            return whole[word].name
    words = [word for word in TARGET_NAMES if word not in ALONE + AT_ENDS]
    return next((guess.name for guess in reversed(usable) if _has_word(guess, words) and _few(guess)), None)


def _may_be_called(guess: ColumnGuess, word: str, usable: Sequence[ColumnGuess]) -> bool:
    """Is a column whose whole name is this word a target by it? A price of few values is a class of prices."""
    if word == "price":
        return guess.n_distinct > MAX_CLASSES
    return word not in GROUPING or guess in (usable[0], usable[-1])


def _named_at_an_end(usable: Sequence[ColumnGuess]) -> str | None:
    """The last or the first column, if it is named as targets and features are: "loan status", "price in EUR"."""
    for guess in (usable[-1], usable[0]):
        if _has_word(guess, AT_ENDS) and _few(guess):
            return guess.name
        if _words(guess)[:1] == ["price"]:
            return guess.name
    return None


def _has_word(guess: ColumnGuess, words: Sequence[str]) -> bool:
    return any(word in words for word in _words(guess))


def _is_remark_or_weight(guess: ColumnGuess) -> bool:
    """Is it a remark by its name, or the weight of the row? "weight kg" is what something weighs."""
    return _has_word(guess, NO_TARGETS) or _words(guess)[-1:] == ["weight"]


def _words(guess: ColumnGuess) -> list[str]:
    """The words of its name in small letters: "LoanStatus" has two."""
    return [word.casefold() for word in WORD.findall(guess.name)]


def _few(guess: ColumnGuess) -> bool:
    """Few classes rather than a number: and not one for nearly every row."""
    few = guess.n_distinct <= MAX_CLASSES and 2 * guess.n_distinct <= max(guess.n_rows, 4)
    return target_kind(guess) != "numeric" and few
