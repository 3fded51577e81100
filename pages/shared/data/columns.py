"""What each column was taken for, to look at and to change."""

from dataclasses import replace

import streamlit as st

import treecore as tc
from pages.shared.controls import bin_edges
from pages.shared.data import reading
from pages.shared.database import external_table
from pages.shared.server import cache
from pages.shared.session import state
from pages.shared.trees import tables, work
from pages.shared.trees.plan import growth_in_force
from pages.shared.widgets import frames
from pages.shared.widgets.messages import plain
from treecore.data import KINDS, Ordinal, infer_kinds, missing_report, target_kind, why_target
from treecore.data.read import doubt_note
from treecore.data.target_guess import is_event, is_time, may_be_outcome, why_counts, why_effect, why_survival
from treecore.detectors.arms import UNLIKE, standardised_differences
from treecore.errors import TreecoreError
from treecore.figures import counted, percent
from treecore.growing.settings.parts import MISSING_STRATEGIES
from treecore.plots.distributions import column_histogram
from treecore.study.column_counts import column_counts
from treecore.target import Counted, Counts, Effect, Survival
from treecore.target.effects import MIN_ROWS, MOST_ROWS, named_control
from treecore.tree.validate import check_class_names

MOST_NAMED_CLASSES, NAME_REFUSED = 6, "name refused"
USES = ("feature", "target", "exposure", "time", "treatment", "weight", "left out")
MOST_NOTES = 12
NO_WEIGHTS, EVERY_ROW = "none", "every row alike"
MOST_LETTERS, DESCRIBED = 200, "What the column holds, in your words: it is shown wherever a page asks for the column"


def editor() -> None:
    """One row per column: use and kind can be changed."""
    guesses = infer_kinds(state.raw())
    given, uses = dict(state.record().kinds), _uses()
    kinds = given
    if isinstance(work.predicted(), Counted):
        kinds = dict.fromkeys(work.predicted().numbers, "numeric") | given
    frame = frames.of(
        {
            "column": [g.name for g in guesses],
            "use": [uses.get(g.name, "left out") for g in guesses],
            "kind": [_kind(g, kinds) for g in guesses],
            "missing": [g.n_missing for g in guesses],
            "values": [g.n_distinct for g in guesses],
            "such as": [_examples(g) for g in guesses],
            "why": ["Set by you, or by the sample." if g.name in given else g.reason for g in guesses],
        }
    )
    described = [tables.description(g.name) for g in guesses]
    frame.insert(1 if any(described) else len(frame.columns) - 1, "description", described)
    where = " in the sample" * external_table.is_sampled()
    settings = {
        "column": st.column_config.Column(width=frames.name_width((g.name for g in guesses), 132, 260)),
        "use": st.column_config.SelectboxColumn("use", options=USES, required=True),
        "kind": st.column_config.SelectboxColumn("kind", options=KINDS, required=True),
        "missing": st.column_config.NumberColumn(f"missing{where}", format="localized"),
        "values": st.column_config.NumberColumn(f"values{where}", format="localized"),
        "description": st.column_config.TextColumn("description", max_chars=MOST_LETTERS, help=DESCRIBED),
        "why": st.column_config.TextColumn("why", width="large"),
    }
    state.table_editor(
        frame, "columns", lambda changed: _take(changed, [g.name for g in guesses]),
        column_config=settings, disabled=["column", "missing", "values", "such as", "why"], hide_index=True,
        height=frames.height(len(guesses), 430),
    )  # fmt: skip


def _examples(guess) -> str:
    """Values of a column; of the target, while test rows are sealed, those that the other rows have."""
    if guess.name != work.target() or not work.is_sealed():
        return ", ".join(map(str, guess.examples))
    return ", ".join(work.table_in_sight().target_column.examples(len(guess.examples)))


def _uses() -> dict[str, str]:
    """What each column is used for; those left out are not named."""
    others = dict(zip(work.target_columns(), ("target", getattr(work.predicted(), "second", "")), strict=False))
    return {name: "feature" for name in work.features()} | {state.record().weights: "weight"} | others


def _kind(guess, kinds: dict) -> str:
    given = kinds.get(guess.name)
    if given is None:
        return target_kind(guess) if guess.name == work.target() else guess.kind
    return given if isinstance(given, str) else type(given).__name__.lower()


def _take(changed: dict[int, dict], names: list[str]) -> None:
    """Edited cells become part of the record."""
    for row, cells in changed.items():
        name = names[int(row)]
        if "kind" in cells:
            kinds = dict(state.record().kinds) | {name: cells["kind"]}
            state.change(kinds=tuple(sorted(kinds.items(), key=lambda item: item[0])), selected=0)
        if "description" in cells:
            described = dict(state.record().descriptions) | {name: (cells["description"] or "").strip()}
            state.change(descriptions=tuple(sorted(described.items())))
        if "use" in cells:
            _take_use(name, cells["use"])


def _take_use(name: str, use: str) -> None:
    features = [f for f in work.features() if f != name]
    if use == "target":
        take_target(name)
        return
    if use == "weight":
        take_weights(name)
        return
    if use in (Counts.second, Survival.second):
        take_predicted(_counted_in(name, use))
        return
    if use == Effect.second:
        take_predicted(_treated_by(name))
        return
    if use == "feature":
        features.append(name)
    weights = None if name == state.record().weights else state.record().weights
    chosen = None if name == work.target() else work.predicted()
    if name in work.target_columns()[1:]:
        chosen = chosen.alone
    state.change(features=_in_order(features), target=chosen, weights=weights, selected=0)


def _counted_in(name: str, use: str) -> Counted:
    """The target counted in another column; TreecoreError where either cannot be: it would stop every page."""
    guesses, target = {g.name: g for g in infer_kinds(state.raw())}, work.target()
    if name == target:
        raise TreecoreError("It is the target", where=f"Column '{name}'", remedy="Choose another target first")
    if _kind(guesses[name], dict(state.record().kinds)) != "numeric":
        what = f"It holds no numbers, so it is no {use}"
        raise TreecoreError(what, where=f"Column '{name}'", remedy="Choose a column of numbers above 0")
    held = guesses.get(target)
    if held is not None and (not held.may_count if use == Counts.second else held.kind not in ("numeric", "boolean")):
        what = "The target is no count" if use == Counts.second else "The target does not say whether an event happened"
        needed = "whole numbers from 0 on" if use == Counts.second else "0 and 1, or of no and yes"
        raise TreecoreError(what, where=f"Target '{target}'", remedy=f"Choose a target of {needed} first")
    now = work.predicted()
    if use == Counts.second:
        return replace(now, exposure=name) if isinstance(now, Counts) else Counts(target, name)
    return replace(now, time=name) if isinstance(now, Survival) else Survival(name, target)


def _treated_by(name: str) -> Effect:
    """The effect of this column on the target; TreecoreError where either cannot be: it would stop every page."""
    guesses, target = {g.name: g for g in infer_kinds(state.raw())}, work.target()
    if name == target:
        raise TreecoreError("It is the target", where=f"Column '{name}'", remedy="Choose another target first")
    if guesses[name].n_distinct != 2:
        what = f"It has {counted(guesses[name].n_distinct, 'value')}, and a treatment has two"
        raise TreecoreError(what, where=f"Column '{name}'", remedy="Choose a column of two values, such as no and yes")
    held = guesses.get(target)
    if held is None or not may_be_outcome(held):
        what = "The target is neither a number nor one of two values such as no and yes"
        raise TreecoreError(what, where=f"Target '{target}'", remedy="Choose another target first")
    return Effect(target, name, _control_of(name))


def _control_of(treatment: str) -> str:
    """The value that the control has unasked: that which is named so, else the commoner one."""
    values = next((g.examples for g in infer_kinds(state.raw()) if g.name == treatment), ())
    return named_control(values) or (values[0] if values else "")


def _in_order(features: list[str]) -> tuple[str, ...]:
    """In the order of the file; parts of dates come last."""
    order = {g.name: place for place, g in enumerate(infer_kinds(state.raw()))}
    return tuple(sorted(features, key=lambda f: order.get(f, len(order))))


def target_and_weights() -> None:
    """What the tree predicts, and which column says how much a row counts."""
    names = [g.name for g in infer_kinds(state.raw())]
    left, right = st.columns(2, gap="large")
    with left:
        state.controlled(st.selectbox, "What the tree predicts (target)", work.target(), take_target, "target",
                         options=names)  # fmt: skip
        guess = why_target(infer_kinds(state.raw()))
        if state.record().target is None and guess.name == work.target():
            st.caption(f"Chosen for you: {plain(guess.reason)}")
        _counted()
        _until_event()
        _treatment()
        _class_names()
    with right:
        numeric = [g.name for g in infer_kinds(state.raw()) if g.kind == "numeric" and g.name != work.target()]
        chosen = state.record().weights
        state.controlled(
            st.selectbox, "Case weights", chosen if chosen in numeric else NO_WEIGHTS,
            lambda name: take_weights(None if name == NO_WEIGHTS else name), "weights", options=[NO_WEIGHTS, *numeric],
        )  # fmt: skip


def _counted() -> None:
    """Is the target a count, and in which column is it counted?"""
    columns = [g for g in infer_kinds(state.raw()) if g.kind in ("numeric", "boolean")]
    target, now = work.target(), work.predicted()
    guess = next((g for g in columns if g.name == target), None)
    if isinstance(now, Survival):
        return
    if not isinstance(now, Counts) and (guess is None or not guess.may_count or state.opened()):
        return
    if isinstance(now, Effect):
        return
    counts = now if isinstance(now, Counts) else None
    state.controlled(
        st.toggle, "It is a count: predict how often per unit of exposure", counts is not None, _take_count, "is_count",
        help="A count of events, such as claims or visits. Splits then lower the Poisson deviance, and leaves answer "
        "with a rate and its interval.",
    )  # fmt: skip
    if counts is None:
        return
    others = [g.name for g in columns if g.name not in (target, state.record().weights) and g.positive]
    others = [EVERY_ROW, *dict.fromkeys(filter(None, (counts.exposure, *others)))]
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Counted in (exposure)", counts.exposure or EVERY_ROW,
            lambda name: take_predicted(replace(counts, exposure="" if name == EVERY_ROW else name)), "exposure",
            options=others, help="The column that says in how much each row was counted: years insured, "
            "kilometres, patients. A row with twice the exposure says twice as much.",
        )  # fmt: skip
        _shrinkage(counts, "Rates", "the rate of all rows")


def _shrinkage(now: Counts | Survival, what: str, to: str) -> None:
    """How far answers of small nodes are drawn to that of all rows."""
    state.controlled(
        st.number_input, f"Shrinkage k of {what.lower()}", float(now.shrink),
        lambda k: take_predicted(replace(now, shrink=1.0 if k is None else k)), "shrink", value=None,
        min_value=0.0, step=0.1, format="%.2f", width=220, help=f"{what} of small nodes are drawn to {to}, as if they "
        "had seen 1/k² events more; 0 takes them as they are. rpart's own: 1.",
    )  # fmt: skip


def _take_count(on: bool) -> None:
    """The target as a count, with the exposure that its table seems to have; or as a column again."""
    if not on:
        take_target(work.target())
        return
    result = why_counts(infer_kinds(state.raw()), work.target())
    take_predicted(Counts(work.target(), "") if result is None else result.predicted)


def _until_event() -> None:
    """Is the target a time until an event, and which columns hold both?"""
    weights = state.record().weights
    columns = [g for g in infer_kinds(state.raw()) if g.name != weights]
    events, times = [g.name for g in columns if is_event(g)], [g.name for g in columns if is_time(g)]
    now, target = work.predicted(), work.target()
    on = isinstance(now, Survival)
    offered = (target in events or target in times) and why_survival(columns, target)
    if not on and (isinstance(now, Counts | Effect) or not offered or state.opened()):
        return
    named = "It is an event: predict the time until it" if target in events else "It is a time until an event"
    state.controlled(
        st.toggle, named, on, _take_survival, "is_survival",
        help="How long until a failure, a relapse, a customer leaves: of rows without the event the time is how long "
        "they were watched (censored). Leaves answer with hazard ratios, curves and median times.",
    )  # fmt: skip
    if not on:
        return
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Time", now.time, lambda name: take_predicted(replace(now, time=name)), "time",
            options=[name for name in dict.fromkeys([now.time, *times]) if name != now.event],
            help="How long each row was watched, above 0: until its event, or without one.",
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Event", now.event, lambda name: take_predicted(replace(now, event=name)), "event",
            options=[name for name in dict.fromkeys([now.event, *events]) if name != now.time],
            help="1 where the time ended in the event, 0 where the row was only watched so long.",
        )  # fmt: skip
        _shrinkage(now, "Hazard ratios", "1")


def _take_survival(on: bool) -> None:
    """The target as the event, or the time, of survival; or as a column again."""
    weights = state.record().weights
    columns = [g for g in infer_kinds(state.raw()) if g.name != weights]
    result = why_survival(columns, work.target()) if on else None
    if result is None:
        take_target(work.target())
    else:
        take_predicted(result.predicted)


def _treatment() -> None:
    """Is the effect of a treatment predicted, of which one, and who is the control?"""
    weights, now = state.record().weights, work.predicted()
    columns = [g for g in infer_kinds(state.raw()) if g.name != weights]
    on, outcome = isinstance(now, Effect), work.target()
    offered = why_effect(columns, outcome)
    if not on and (isinstance(now, Counts | Survival) or not offered or state.opened()):
        return
    state.controlled(
        st.toggle, "Predict the effect of a treatment on it", on, _take_effect, "is_effect",
        help="Who gains by a drug, a training, a letter? The tree parts rows by how much the treatment changes the "
        "target. It needs rows of both arms, and that who was treated was drawn by chance, or follows from the "
        "features.",
    )  # fmt: skip
    if not on:
        return
    arms = [g.name for g in columns if g.n_distinct == 2 and g.name != outcome]
    values = next((g.examples for g in columns if g.name == now.treatment), ())
    control = now.control or _control_of(now.treatment)
    with st.container(horizontal=True):
        state.controlled(
            st.selectbox, "Treatment", now.treatment,
            lambda name: take_predicted(replace(now, treatment=name, control=_control_of(name))), "treatment",
            options=list(dict.fromkeys([now.treatment, *arms])),
            help="The column with two values that says who was treated.",
        )  # fmt: skip
        state.controlled(
            st.selectbox, "Control", control, lambda value: take_predicted(replace(now, control=value)), "control",
            options=list(dict.fromkeys([control, *values])), help="The value of those who were not treated.",
        )  # fmt: skip
        state.controlled(
            st.number_input, "Smallest leaf (rows of each arm)", now.min_rows,
            lambda n: take_predicted(replace(now, min_rows=MIN_ROWS if n is None else int(n))), "min_rows_arm",
            value=None, min_value=1, max_value=MOST_ROWS, step=1, width=220,
            help="A leaf compares its arms: each needs rows. Larger = simpler tree, narrower intervals.",
        )  # fmt: skip
    _arms()


def _arms() -> None:
    """What effects need, and how alike the arms are."""
    try:
        table = work.table_in_sight()
        apart = cache.get(("arms", work.sight_key()), lambda: standardised_differences(table))
    except TreecoreError:
        return  # what is wrong is told below
    told = "Effects are those of the treatment where it was drawn by chance who was treated, or where the features "
    told += "hold all that decided it."
    if apart:
        name, most = max(apart.items(), key=lambda item: abs(item[1]))
        told += f" The arms differ most in {name}: by {abs(most):.2f} standard deviations; less than {UNLIKE:g} is "
        told += "called balanced."
    st.caption(plain(told))


def _take_effect(on: bool) -> None:
    """The effect of the treatment that the table seems to have; or the target as a column again."""
    result = why_effect([g for g in infer_kinds(state.raw()) if g.name != state.record().weights], work.target())
    if not on or result is None:
        take_target(work.target())
        return
    take_predicted(replace(result.predicted, control=_control_of(result.treatment)))


def take_predicted(predicted: Counted) -> None:
    """Another way of counting the target; columns that are none of it any more become features again."""
    taken = (predicted.name, predicted.exposure)
    features = [f for f in (*work.features(), *work.target_columns()) if f not in taken]
    weights = None if state.record().weights in taken else state.record().weights
    state.change(target=predicted, features=_in_order(features), weights=weights, selected=0, edits=())


def _class_names() -> None:
    """What classes that are codes mean, for all texts; answers and code keep the codes."""
    classes, names = _classes(), dict(state.record().class_names)
    if not 2 <= len(classes) <= MOST_NAMED_CLASSES or not any(len(name) < 2 or name.isdigit() for name in classes):
        return
    with st.container(horizontal=True, key="class_names"):
        for k, name in enumerate(classes):
            state.controlled(
                st.text_input, f"What does {plain(name)} mean?", names.get(name, ""),
                lambda called, name=name: _take_class_name(name, called), f"class_name {k}",
                placeholder="e.g. churned" if k else "e.g. stayed", max_chars=60, width=220,
            )  # fmt: skip
    if state.choice(NAME_REFUSED):
        st.caption(plain(state.choice(NAME_REFUSED)))


def _classes() -> tuple[str, ...]:
    """Of the target; () while there is no table: what is wrong with it is told below."""
    try:
        return work.table().classes
    except TreecoreError:
        return ()


def _take_class_name(name: str, called: str | None) -> None:
    """One more name, or none any more; one that could be another class is refused."""
    classes, names = work.table().classes, dict(state.record().class_names)
    names = {k: v for k, v in names.items() if k in classes} | {name: (called or "").strip()}
    names = {k: v for k, v in names.items() if v and v != k}
    try:
        check_class_names(classes, tuple(names.get(k, k) for k in classes))
    except TreecoreError as fault:
        state.choose(NAME_REFUSED, f"{fault.what}. {fault.remedy}.")
        return
    state.choose(NAME_REFUSED, "")
    state.change(class_names=tuple(sorted(names.items())))


def take_weights(name: str | None) -> None:
    """Another column of case weights; the former one becomes a feature again."""
    former = state.record().weights
    features = [f for f in work.features() if f != name] + ([former] if former and former != name else [])
    state.change(weights=name, features=_in_order(features), selected=0, edits=())


def take_features(names: list[str]) -> None:
    """These columns, and no others, are asked for."""
    state.change(features=_in_order(list(names)), selected=0, edits=())


def leave_out(names: tuple[str, ...]) -> None:
    """Ask for these columns no more."""
    take_features([feature for feature in work.features() if feature not in names])


def take_target(name: str) -> None:
    """Another target; the former one becomes a feature again if it was guessed to be one."""
    usable = {g.name for g in infer_kinds(state.raw()) if g.use == "feature"}
    features = [f for f in work.features() if f != name]
    features += [former for former in work.target_columns() if former != name and former in usable]
    weights = None if name == state.record().weights else state.record().weights
    state.change(target=name, features=_in_order(features), weights=weights, selected=0, edits=())


def dates() -> None:
    """Dates are left out; their parts can become features."""
    for guess in infer_kinds(state.raw()):
        if guess.derived:
            derive = dict(state.record().derive)
            state.controlled(
                st.multiselect, f"Parts of {plain(guess.name)} to use as features",
                list(derive.get(guess.name, ())), lambda parts, name=guess.name: _take_parts(name, parts),
                f"derive {guess.name}", options=list(guess.derived),
            )  # fmt: skip


def _take_parts(name: str, parts: list[str]) -> None:
    before = dict(state.record().derive)
    derive = {**before, name: tuple(parts)}
    kept = [f for f in work.features() if f not in {f"{name}: {part}" for part in before.get(name, ())}]
    features = (*kept, *(f"{name}: {part}" for part in parts))
    state.change(derive=tuple(sorted((k, v) for k, v in derive.items() if v)), features=features, selected=0)


def level_order() -> None:
    """The order of an ordinal column's levels, by hand."""
    ordinal = [c for c in work.table().columns if c.kind == "ordinal" and ": " not in c.name]
    if not ordinal:
        return
    with st.expander("Order of the levels of ordinal columns"):
        names = [c.name for c in ordinal]
        name = state.choice("ordered", names[0])
        name = name if name in names else names[0]
        state.controlled(
            st.selectbox, "Ordinal column", name, lambda v: state.choose("ordered", v), "ordered", options=names
        )
        levels = ordinal[names.index(name)].levels
        frame = frames.of({"place": range(1, len(levels) + 1), "level": levels})
        state.table_editor(
            frame, f"order {name}", lambda changed: _take_order(name, levels, changed), hide_index=True,
            disabled=["level"], column_config={"place": st.column_config.NumberColumn("place", step=0.5)},
        )  # fmt: skip
        st.caption("Give a level another place: 1 is the lowest; 2.5 puts it between the second and the third.")


def _take_order(name: str, levels: tuple[str, ...], changed: dict[int, dict]) -> None:
    place = {i: float(cells.get("place") or i + 1) for i, cells in changed.items()}
    # a level that moves down takes its new place behind the level that stood there, up: before it
    key = lambda i: (place.get(i, i + 1), 0 if i not in place else (1 if place[i] > i + 1 else -1))  # noqa: E731
    order = tuple(levels[i] for i in sorted(range(len(levels)), key=key))
    kinds = dict(state.record().kinds) | {name: Ordinal(order)}
    state.change(kinds=tuple(sorted(kinds.items(), key=lambda item: item[0])), selected=0)


def infinite() -> None:
    """Infinite values in a feature stop the page until the user says what they are."""
    chosen = state.record().infinite
    if chosen == "missing" or _stopped_by_infinite():
        state.controlled(
            st.toggle, "Treat infinite values as missing", chosen == "missing",
            lambda on: state.change(infinite="missing" if on else "error", selected=0), "infinite",
        )  # fmt: skip


def _stopped_by_infinite() -> bool:
    try:
        work.table()
    except TreecoreError as fault:
        return "infinite" in fault.remedy
    return False


def notes(table: tc.Table) -> None:
    """What was done to the table on the way in; of many sentences the later ones are folded away."""
    above = {doubt.text for doubt in state.raw().doubts}  # they stand there with their remedies
    above |= {doubt_note(*doubt) for doubt in (*state.raw().column_doubts, *reading.open_doubts())}
    told = [plain(note) for note in table.notes if note not in above]
    for note in told[:MOST_NOTES]:
        st.caption("• " + note)
    if told[MOST_NOTES:]:
        with st.expander(f"{counted(len(told) - MOST_NOTES, 'more note')}"):
            st.caption("\n".join(f"- {note}" for note in told[MOST_NOTES:]))


def missing_note(table: tc.Table) -> None:
    """How many values are missing, and what happens to those rows."""
    gaps = [m for m in missing_report(table) if m.column in table.features and m.n]
    if gaps:
        listed = ", ".join(f"{plain(m.column)} {m.n:,} ({percent(m.share)})" for m in gaps[:12])
        listed += f" and {counted(len(gaps) - 12, 'more column')}" if len(gaps) > 12 else ""
        how = MISSING_STRATEGIES[growth_in_force().missing].label
        st.info(
            f"Missing values: {listed}. What becomes of such rows is chosen under *Missing values* beside the tree; "
            f"now: {plain(how)}."
        )


def histogram(table: tc.Table) -> None:
    """One column's values, by class."""
    names = [c.name for c in table.columns]
    name = state.choice("histogram", work.target())
    name = name if name in names else names[0]
    state.controlled(
        st.selectbox, "Look at a column", name, lambda v: state.choose("histogram", v), "histogram", options=names
    )
    counts = cache.get(("histogram", work.sight_key(), name), lambda: column_counts(table, name))
    if not bin_edges.on_histogram(table, counts):
        st.plotly_chart(column_histogram(counts, bin_edges.edges_of(name)), key="histogram_chart", height=260)
    bin_edges.edges_field(table, name)
