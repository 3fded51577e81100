"""Text from data is shown as that text: what cannot be seen is written out, what Markdown knows is taken apart."""

import re

import pandas as pd
import pytest
import streamlit as st

from pages.shared.widgets import messages
from pages.shared.widgets.messages import plain
from tests.hostile import NAMES, SEEN, UNSEEN
from treecore.brief import visible
from treecore.plots.picture_style import text
from treecore.tree.short_text import clean

TRANSFORMED = re.compile(
    r"https?://|www\.|\w@\w|:(material[/_]\w+|[\w+-]+):|:material/|(?:^|\s)(<->|->|<-|--|>=|<=|~=)(?:\s|$)", re.I
)
"""What Streamlit replaces in a piece of text after Markdown is parsed."""


@pytest.mark.parametrize("name", NAMES + SEEN)
def test_what_can_be_seen_stays(name):
    assert visible(name) == name
    assert clean(name) == " ".join(name.split())


@pytest.mark.parametrize(("name", "seen"), UNSEEN.items())
def test_what_cannot_be_seen_is_written_out_everywhere(name, seen):
    assert visible(name) == clean(name) == text(name, None) == seen
    assert plain(name) == plain(seen)


def test_names_that_differ_are_seen_to_differ():
    names = ["a", "a\u200b", "a\u200c", "\u202ea", "a\u00ad"]
    assert len({visible(name) for name in names}) == len(names)


def test_white_space_is_one_line():
    assert visible("a\tb\nc\r\nd\u2028e") == "a b c  d e"
    assert "\n" not in plain("a\nb")


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_to_markdown(name):
    pieces = re.split(r":color\[(\\.)\]", plain(name))
    unescaped = [re.sub(r"\\(.)", r"\1", piece).replace("&#32;", " ") for piece in pieces]
    assert "".join(unescaped) == name
    assert not any(TRANSFORMED.search(piece) for piece in unescaped)
    bare = re.sub(
        r"\\[^A-Za-z0-9\s]|&#32;|(?<=[^\W_])[_-](?=[^\W_])|(?<=[a-z])[.](?=[a-z])", "", "".join(pieces), flags=re.I
    )
    assert not set(bare) & set("\\`*_{}[]()#+-.!|<>$~:&@=")
    assert ":material/" not in plain(name), "Streamlit looks for it before it parses"


def test_signs_within_words_are_left_as_they_are():
    """Streamlit has the label of a field read out with its backslashes."""
    assert plain("petal_length self-employed Sepal.Length") == "petal_length self-employed Sepal.Length"
    assert plain("__init__ a__b _c") == "\\_\\_init\\_\\_ a\\_\\_b \\_c"
    assert plain("www.outside") == "www:color[\\.]outside"


@pytest.mark.parametrize("widget", sorted(messages.MARKDOWN_OPTIONS | messages.PLAIN_OPTIONS, key=lambda w: w.__name__))
def test_options_are_literal(widget):
    show = plain if widget in messages.MARKDOWN_OPTIONS else visible
    for settings in ({}, {"format_func": {name: name for name in UNSEEN}.get}):
        told = messages.options(widget, settings)["format_func"]
        assert [told(name) for name in UNSEEN] == [show(name) for name in UNSEEN]


def test_widgets_without_options_are_left_alone():
    assert messages.options(st.toggle, {"help": "x"}) == {"help": "x"}


def test_tables_are_literal():
    frame = pd.DataFrame({"a\u202e": ["b\u200b", None], 3: [1.5, 2.5], "c": pd.Categorical(["d\u200b", "e"])})
    shown = messages.frame(frame)
    assert list(shown.columns) == ["a[U+202E]", 3, "c"]
    assert shown.iloc[0, 0] == "b[U+200B]"
    assert shown["c"].tolist() == ["d[U+200B]", "e"]
    assert shown[3].tolist() == [1.5, 2.5]
    assert list(frame.columns) == ["a\u202e", 3, "c"], "the table given stays"


def test_long_names_keep_their_ends_and_leave_the_page_room():
    long = "a" * 5000 + "z"
    assert plain(long) == "a" * 60 + "…" + "a" * 18 + "z"
    assert plain(f"IF {long} < 3") == rf"IF {plain(long)} \< 3"
    assert plain("a" * 80) == "a" * 80
    many = plain(" ".join(["word"] * 5000))
    assert len(many) < 1700
    assert many.startswith("word word")
    assert many.endswith("word word")


def test_a_figure_is_not_torn_from_its_sign():
    assert plain("91.9\u00a0% of a\u00a0b") == "91\\.9\u00a0% of a b"
