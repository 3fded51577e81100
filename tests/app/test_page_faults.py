"""What keeps a page from going on: said above everything, in the words of the screen, with the reason."""

import pytest

from pages.shared.widgets.messages import in_labels
from treecore.errors import TreecoreError

FILES = {
    "one row": (b"a,b,y\n1,2,n\n", "The table has one row"),
    "one column": (b"y\nn\ny\nn\n", "The table has one column, 'y'"),
    "two rows": (b"a,y\n1,n\n2,y\n", "There is one training row"),
}


@pytest.mark.parametrize("page", ["data", "grow", "rules"])
@pytest.mark.parametrize("fault", FILES)
def test_too_little_to_learn_from_is_named(app, fault, page):
    content, words = FILES[fault]
    [error] = app.upload(content).go(page).errors()
    assert words in error
    assert "No target" not in error


def left_out() -> bytes:
    days = [f"K{i:04d},2020-01-{i % 28 + 1:02d},{'yn'[i % 2]}" for i in range(60)]
    return "\n".join(["id,when,y", *days]).encode()


@pytest.mark.parametrize("page", ["data", "grow"])
def test_what_was_left_out_unasked_is_named_with_the_reason(app, page):
    [error] = app.upload(left_out()).go(page).errors()
    assert "every column besides the target was left out" in error
    assert "“id”: every row has a text of its own" in error
    assert "“when”: these are dates" in error
    assert "No feature is chosen" in app.change(features=()).errors()[0], "now it was asked for"


@pytest.mark.parametrize("page", ["data", "grow", "regions", "compare"])
def test_a_fault_that_ends_the_page_stands_above_it(app, page):
    app.upload(left_out()).go(page)
    main = list(app.at.main)
    kinds = [node.type for node in main]
    assert kinds.index("error") < kinds.index("title")


def test_names_of_the_library_are_called_as_their_controls_are():
    fault = TreecoreError(
        "cf is 0.7", where="cf", remedy="Give a cf of at most 0.5, or another max_depth (skip_ragged)"
    )
    told = in_labels(fault)
    assert told.where == "Confidence factor CF"
    assert told.what == "“Confidence factor CF” is 0.7"
    assert "“Maximum depth”" in told.remedy
    assert "“Read the file without these lines”" in told.remedy
    assert "_" not in str(told)


def test_the_user_s_own_names_stay():
    fault = TreecoreError(
        "'cf' has no number", where="Column 'max_depth'", remedy="Test the costs of “min_gain” by order"
    )
    told = in_labels(fault)
    assert (told.what, told.where, told.remedy) == (fault.what, fault.where, fault.remedy)


def test_a_parameter_is_called_as_its_own_pruner_calls_it():
    fault = TreecoreError("-1 is not possible", where="alpha", remedy="Give another alpha")
    assert in_labels(fault, "cost_complexity").where == "Cost of a leaf α"
    assert in_labels(fault, "critical_value").where == "Level of the test α"
