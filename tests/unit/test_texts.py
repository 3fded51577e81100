"""All texts for people, as docs/texts.py gathers them: found wherever they stand, and in the project's words."""

import pytest

from docs import texts as gathered
from docs.texts import Text, faults, texts

PLANTED = '''
"""A docstring that is long enough to be a sentence."""

LABEL = "Smallest leaf"


def show(n, names):
    """Another one, which nobody reads on a page."""
    st.button("Prune to this size", key="prune to this size", help="What the tree loses: " + names)
    work.cached("bars of the pruned tree", make=lambda: None)
    st.caption(
        f"The first {n} of {len(names)} rows, "
        f"{'sorted by their error here' if n > 1 else 'as they stand'}."
    )
    return {"two words": "Largest first"}
'''


@pytest.fixture(scope="module")
def all_texts() -> list[Text]:
    return texts()


def test_every_text_keeps_the_rules(all_texts):
    wrong = [
        f"{text.file}:{text.line}: {text.said} ({', '.join(told)})" for text in all_texts if (told := faults(text))
    ]
    assert wrong == []


def test_texts_of_all_rooms_are_found(all_texts):
    rooms = {text.file.split("/")[0] for text in all_texts}
    assert rooms == {"pages", "treecore", "assets", "streamlit_app.py"}
    assert any(text.said.startswith("How small can the tree be") for text in all_texts)
    assert any(
        text.file.endswith("explorer.js") and "Choose the file that it is for" in text.said for text in all_texts
    )


def test_of_a_file_what_is_read_on_a_page_is_found_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(gathered, "ROOT", tmp_path)
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "page.py").write_text(PLANTED, "utf-8")
    assert {text.said for text in texts("room")} == {
        "Smallest leaf", "Prune to this size", "What the tree loses: ", "The first … of … rows, ….", "Largest first",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The tree  has leaves.", "two spaces"), ("Only 1 rows are left.", "a plural of one"),
        ("Some row(s) are left.", "a plural of one"), ("A leaf , too.", "a space before its sign"),
        ("The rows that judge are few.", "validation rows"), ("Call it so from this share on", "Flag as"),
        ("The mean squared error is 3.", "RMSE"), (f"A{' long' * 60} sentence.", "62 words"),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_told(said, told):
    assert any(told in fault for fault in faults(Text("pages/x.py", 1, said)))


def test_a_squared_error_may_be_taught():
    assert faults(Text("treecore/explaining/x.py", 1, "The mean squared error of the node:")) == []
    assert faults(Text("pages/x.py", 1, "Root mean squared error, lower is better.")) == []
