"""One row: a form of what the tree asks, filled from the table or typed, and the way it takes."""

from collections.abc import Callable

import numpy as np
import streamlit as st

import treecore as tc
from pages.shared.bench import side_panel
from pages.shared.node import inspector
from pages.shared.session import state
from pages.shared.trees import interest, tables, work
from pages.shared.widgets import explained, frames
from pages.shared.widgets.fold import fold
from pages.shared.widgets.messages import plain
from treecore.data.table import Table
from treecore.export.portable import Portable
from treecore.figures import count, counted, per_cent, percent
from treecore.growing.settings.parts import LEAF_SHARES
from treecore.judging.interest import rate, shown_class
from treecore.predicting.decision_path import (
    Ending,
    Story,
    asked_features,
    backup_features,
    next_question,
    row_values,
    story,
)
from treecore.predicting.mixture import likeliest, mixed_share, mixture_lines
from treecore.tree.schema import FeatureSchema

# The row that is asked about: its values by feature, and where your tree sends it.

ROW, VALUES = "row to predict", "values to predict"


def portable_tree() -> Portable:
    """Your tree, question by question."""
    tree = work.pruned()
    return work.cached_cut("portable", make=lambda: Portable(tree))


def names() -> list[str]:
    """The features that your tree asks for, those of the most rows first."""
    return asked_features(portable_tree())


def n_rows() -> int:
    return work.table_in_sight().n_rows


def asked_row() -> dict:
    """feature -> number, level, or None: of the row of the table that was chosen, with what was typed over it."""
    return over(values_of(work.table_in_sight(), min(state.choice(ROW, 1), n_rows()) - 1), typed())


def over(own: dict, others: dict) -> dict:
    """A row's own values with others that were typed over them, as far as it has such features."""
    return own | {name: value for name, value in others.items() if name in own}


def values_of(table: Table, place: int) -> dict:
    """feature -> number, level, or None, of one row of a table."""
    return row_values(table, place, work.pruned().schema.own_names)


def typed() -> dict:
    """What was typed over the row's own values."""
    return state.choice(VALUES)


def take_row(place) -> None:
    """Another row of the table, with its own values."""
    state.choose(VALUES, {})
    state.choose(ROW, int(place or 1))
    _look()


def take_value(name: str, value) -> None:
    """Another value; None: it is not known."""
    take_values({name: value})


def take_values(values: dict) -> None:
    """Several of them at once."""
    state.choose(VALUES, {**typed(), **values})
    _look()


def _look() -> None:
    """The tree shows the way of the row."""
    state.change(selected=grown_node(story_of_row().ends[0].node))


def story_of_row(values: dict | None = None) -> Story:
    """The way of a row with these values; None: of the row that is asked about."""
    return story(portable_tree(), asked_row() if values is None else values)


def ends() -> list[int]:
    """Nodes of the grown tree in which the row that is asked about ends."""
    return ends_of(story_of_row())


def ends_of(found: Story) -> list[int]:
    """The same of any row: those of its largest parts first."""
    return [grown_node(end.node) for end in sorted(found.ends, key=lambda end: -end.share)]


def grown_node(node: int) -> int:
    """A node of your tree in the grown one, whose nodes are on the canvas."""
    return int(work.cuts().standing(work.grown())[node])


# A field for a value of a feature, which may be unknown.

UNKNOWN = "not known"
MOST_LEVELS = 500


def field(feature: FeatureSchema, value: float | str | None, key: str, save: Callable[[object], None]) -> None:
    """save : takes a number, a level's name, or None."""
    told = plain(tables.description(feature.name)) or None
    if feature.by_number:
        now = value if isinstance(value, float | int) else None
        state.controlled(
            st.number_input,
            plain(feature.name),
            now,
            save,
            key,
            value=None,
            format="%.6g",
            placeholder=UNKNOWN,
            help=told,
        )
        return
    levels = [UNKNOWN, *feature.levels[:MOST_LEVELS]]
    if value is not None and value not in levels:  # it keeps the level that it has
        levels.append(value)
    state.controlled(
        st.selectbox, plain(feature.name), 0 if value is None else levels.index(value),
        lambda i: save(None if i == 0 else levels[i]), key, options=list(range(len(levels))),
        format_func=lambda i: levels[i], help=told,
    )  # fmt: skip


# The answer for a row and how it came about, on the page.

WEIGHTED = "share used by the tree"


def answer(found: Story) -> None:
    """The answer first, and how sure it is."""
    tree = work.pruned()
    st.subheader(f"{plain(tree.target_kind.answer_name(tree))} = {plain(found.said)}", anchor=False)
    if len(found.ends) > 1:
        looked_for = interest.of(tree)
        order = likeliest(found) if looked_for is None else dict.fromkeys([looked_for.k, *likeliest(found)])
        mixed = ", ".join(
            f"{tree.class_names[k]} {mixed_share(tree, found, k)}" for k in order if found.answer is not None
        )
        told = (
            f"The row is shared among {len(found.ends)} leaves; the prediction is their average, weighted by the parts"
        )
        how = _how(tree) if tree.classes and any(_is_estimated(end) for end in found.ends) else ""
        st.caption(plain(f"{told}{f', with {how}' if how else ''}: {mixed}." if mixed else f"{told}."))
    elif tree.classes and found.ends[0].weight:
        end = found.ends[0]
        k = shown_class(end.counted, int(tree.summary[end.node]), interest.of(tree))
        if end.sums:
            st.caption(plain(f"{rate(float(end.shares[k]), tree.class_names[k])} by the line of its leaf."))
            for said in end.sums:
                st.caption(plain(said))
        said = f"{rate(float(end.counted[k]), tree.class_names[k])} among the {_rows(end)} in its leaf"
        st.caption(plain(f"{said}; 95 % interval {percent(float(end.low[k]))} to {percent(float(end.high[k]))}."))
        if _is_estimated(end) and not end.sums:
            st.caption(plain(f"With {_how(tree)} the tree uses {rate(float(end.shares[k]), tree.class_names[k])}."))
    elif not tree.classes and found.ends[0].weight:
        end = found.ends[0]
        kind, from_ = tree.target_kind, int(tree.answer[end.node])
        st.caption(plain(kind.end_text(tree, from_, _rows(end))))
        for said in end.sums:
            st.caption(plain(said))


def flag(found: Story) -> None:
    """Whether the row is flagged, where there is a flag rule."""
    rule = work.flag_rule()
    if rule is not None and found.ends:
        ends = [end.node for end in found.ends], [end.share for end in found.ends]
        st.markdown(f":material/flag: {plain(rule.verdict(work.pruned(), *ends))}")


def curve(found: Story) -> None:
    """Of times until an event, how long rows like this one are without it: the curve of its leaf, and its risk."""
    if len(found.ends) == 1:
        inspector.of_node(grown_node(int(work.pruned().answer[found.ends[0].node])), asks_horizon=True)


def _is_estimated(end: Ending) -> bool:
    """Is a share another one than that of the rows?"""
    return len(end.counted) > 0 and not np.allclose(end.shares, end.counted, rtol=0, atol=1e-12)


def _how(tree: tc.Tree) -> str:
    """What makes the shares others than those of the rows."""
    priors = ["the class weights"] if tree.priors is not None else []
    priors += [] if tree.lines is None else ["the lines of the leaves"]
    estimate = LEAF_SHARES[tree.growth["leaf_shares"]].label
    return " and ".join([*priors, f"“{estimate}”"] if tree.added is not None else priors)


def _rows(end: Ending) -> str:
    return f"{count(end.weight, ',')} {work.pruned().rows_named.removesuffix('s')}{'' if end.weight == 1 else 's'}"


def way(found: Story) -> None:
    """Step by step."""
    lines = [f"{i}. {plain(step.text)}" for i, step in enumerate(found.steps, 1)]
    st.markdown("\n".join(lines) or "The tree has no splits.")


def mixture(found: Story) -> None:
    """Of a row that is shared: the leaves, its parts in them, and the sums of their answers."""
    lines = mixture_lines(work.pruned(), found)
    if lines:
        st.markdown("**How the leaves' predictions are averaged**")
        explained.show(lines)


def endings(found: Story) -> None:
    """The leaves, their rows, and the interval of each share."""
    tree = work.pruned()
    if tree.classes:
        looked_for = interest.of(tree)
        order = sorted(range(len(tree.classes)), key=lambda k: looked_for is not None and k != looked_for.k)
        rows = [_shares_row(end, k) for end in found.ends for k in order]
    else:
        rows = [
            {"leaf": e.node, "part": e.share, "rows": e.weight, tree.target_kind.noun: e.answer} for e in found.ends
        ]
    frame = frames.of(rows)
    shares = [name for name in ("part", "share", "from", "to", WEIGHTED) if name in frame]
    frame[shares] = frame[shares].map(per_cent)
    frames.show(frame, dict.fromkeys(shares, frames.SHARE), hide_index=True)
    for end in found.ends[:4]:
        at = grown_node(end.node)
        st.button(
            f"Show leaf {end.node} in the tree", key=f"show_leaf_{end.node}", disabled=at == state.record().selected,
            on_click=lambda at=at: state.change(selected=at),
        )  # fmt: skip


def _shares_row(end: Ending, k: int) -> dict:
    known = len(end.low) > 0
    row = {
        "leaf": end.node, "part": end.share, "rows": end.weight, "class": work.pruned().class_names[k],
        "share": float(end.counted[k]) if known else None, "from": float(end.low[k]) if known else None,
        "to": float(end.high[k]) if known else None,
    }  # fmt: skip
    return row | {WEIGHTED: float(end.shares[k])} if _is_estimated(end) else row


def show() -> None:
    """The answer, the form, the way."""
    result = story_of_row()
    answer(result)
    flag(result)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        place = min(state.choice(ROW, 1), n_rows())
        state.controlled(
            st.number_input, f"Row (1 to {n_rows():,})", place, take_row, "predict_row", min_value=1,
            max_value=n_rows(), step=1, width=170,
        )  # fmt: skip
        st.button(
            "Reset row", key="predict_reset", on_click=take_row, args=(place,),
            disabled=not typed(),
        )  # fmt: skip
    features = {feature.name: feature for feature in work.pruned().schema.features}
    row = asked_row()
    backups = backup_features(portable_tree())

    def fields(shown: list[str]) -> None:
        columns = st.columns(4 if side_panel.is_wider("predict") else 2)
        for i, name in enumerate(shown):
            with columns[i % len(columns)]:
                field(features[name], row[name], f"predict {name}", lambda value, name=name: take_value(name, value))

    fields([name for name in names() if name not in backups])
    if backups:
        many = counted(len(backups), "more column")
        fold(f"Read only where a value is missing: {many}", "surrogate fields", lambda: fields(list(backups)))
    curve(result)
    way(result)
    mixture(result)
    fold("The leaf, its rows and intervals", "endings of a row", lambda: endings(result))


# Twenty questions: one at a time, only what the way needs; "I don't know" is an answer.

ANSWERS = "answers"


def ask_questions() -> None:
    """The next question, or the answer; what was said so far can be taken back."""
    known, portable = state.choice(ANSWERS), portable_tree()
    feature = next_question(portable, known)
    if feature is None:
        result = story(portable, known)
        answer(result)
        way(result)
    else:
        _ask(work.pruned().schema.features[feature], len(known) + 1)
    if known:
        said = "; ".join(f"{name}: {'not known' if value is None else value}" for name, value in known.items())
        st.caption(f"So far: {plain(said)}")
    with st.container(horizontal=True):
        st.button("Back", key="question_back", disabled=not known, on_click=_back)
        st.button("Start over", key="question_anew", disabled=not known, on_click=_keep, args=({},))


def _ask(feature: FeatureSchema, place: int) -> None:
    """A form: Enter goes on, from the field as from its button."""
    key = f"question {place} {feature.name}"
    with st.form(f"form {key}", enter_to_submit=True):
        label = f"{place}. What is {plain(feature.name)}?"
        if feature.by_number:
            st.number_input(label, value=None, format="%.6g", key=key)
        else:
            _levels(label, feature, key)
        with st.container(horizontal=True):
            st.form_submit_button("Next", type="primary", on_click=_take, args=(feature.name, key))
            st.form_submit_button("I don't know", on_click=_take, args=(feature.name, None))


def _levels(label: str, feature: FeatureSchema, key: str) -> None:
    options = list(range(len(feature.levels)))
    named = lambda i: feature.levels[i]  # noqa: E731
    if len(options) <= 8:
        st.radio(label, options, index=None, key=key, format_func=lambda i: plain(named(i)))
    else:
        st.selectbox(label, options, index=None, key=key, format_func=named)


def _take(name: str, key: str | None) -> None:
    """Remember the answer; an empty field is no answer yet, and "I don't know" has a button of its own."""
    value = None if key is None else state.widget(key)
    if key is not None and value is None:
        return
    feature = next(f for f in work.pruned().schema.features if f.name == name)
    if value is not None and not feature.by_number:
        value = feature.levels[value]
    _keep({**state.choice(ANSWERS), name: value})


def _back() -> None:
    known = state.choice(ANSWERS)
    _keep(dict(list(known.items())[:-1]))


def _keep(known: dict) -> None:
    """The tree shows how far the way is known."""
    state.choose(ANSWERS, known)
    result = story(portable_tree(), known) if known else None
    if next_question(portable_tree(), known) is None and result is not None:
        state.change(selected=grown_node(result.ends[0].node))
