"""What happens between two runs: a change that is none is not taken, a fault in taking one is a message."""

from streamlit.testing.v1 import AppTest

from pages.shared.session import state

SCRIPT = """
import streamlit as st
from pages.shared.session import state
from treecore.errors import TreecoreError

def save(value):
    if value == "bad":
        raise TreecoreError("It is bad", where="Choice", remedy="Choose another")
    state.change(target=value)
    state.choose("regions_roles", [*state.choice("regions_roles", []), value])

state.answer("Page")
state.controlled(st.selectbox, "Choice", "a", save, "box", options=["a", "b", "bad"])
state.controlled(st.number_input, "Limit", state.choice("many depth"), lambda v: state.choose("many depth", v), "limit",
                 min_value=1, value=None)
"""


def run():
    return AppTest.from_string(SCRIPT).run()


def test_a_fault_in_a_callback_is_a_message():
    at = run()
    at.selectbox(key="box").select("bad").run()
    assert not at.exception
    message = ["**Choice**: It is bad.  \nChoose another."]
    assert [e.value for e in at.error] == message
    assert [e.value for e in at.run().error] == message, "a run that nobody asked for took the message away"


def test_a_fault_is_put_away_or_goes_with_the_next_choice():
    at = run()
    at.selectbox(key="box").select("bad").run()
    at.button(key="close_answer").click().run()
    assert not at.error
    at.selectbox(key="box").select("bad").run()
    assert at.error
    at.selectbox(key="box").select("b").run()
    assert not at.error


def test_only_real_changes_are_taken():
    at = run()
    at.selectbox(key="box").select("b").run()
    at.selectbox(key="box").select("a").run()
    assert at.session_state[state.OWN]["record"].choices["regions_roles"] == ["b"]


def test_a_number_can_be_cleared():
    at = run()
    at.number_input(key="limit").set_value(5).run()
    assert at.session_state[state.OWN]["record"].choices["many depth"] == 5
    at.number_input(key="limit").set_value(None).run()
    assert at.session_state[state.OWN]["record"].choices["many depth"] is None
