"""How the tree was made, to be passed on: a link, a recipe, a script; all of the work; and opening it again."""

from functools import partial

import streamlit as st

from pages.shared.bench.exports import stem
from pages.shared.data import source
from pages.shared.session import link, note
from pages.shared.trees import work
from pages.shared.widgets import fold
from treecore.errors import TreecoreError
from treecore.export.code import to_notebook, to_script

RECIPES = (
    ("Recipe", lambda recipe: recipe.to_json(indent=1), ".json", "application/json"),
    ("Python script", to_script, ".py", "text/x-python"),
    ("Notebook", to_notebook, ".ipynb", "application/x-ipynb+json"),
)


def menu(page: str) -> None:
    """On a page that shows the tree. page : its name."""
    fold.menu("Share", "share", lambda: _offered(page), type="tertiary", icon=":material/link:", width="content")


def _offered(page: str) -> None:
    try:
        recipe = work.recipe()
    except TreecoreError:  # the page says what is wrong
        return
    st.caption("A link to this tree. It contains your steps and column names, but no rows")
    st.code(link.to(recipe), language=None)
    st.caption("Your steps as a file")
    with st.container(horizontal=True, gap="small"):
        for label, write, suffix, media in RECIPES:
            st.download_button(
                label, partial(write, recipe), f"{stem()}-recipe{suffix}", media, key=f"recipe {suffix}",
                on_click="ignore",
            )  # fmt: skip
    st.caption("Everything except the table: steps, undo history, choices, results of experiments")
    st.download_button(
        "Work file", note.work_file(page), f"{stem()}-work.json", "application/json", key="work file",
        on_click="ignore",
    )  # fmt: skip
    source.upload_recipe()
