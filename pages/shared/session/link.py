"""A recipe as an address: who opens it has the same sample with the same steps."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import streamlit as st

from pages.shared.session import resumed, state
from pages.shared.session.note import Before
from pages.shared.session.resumed import Awaited
from treecore.errors import TreecoreError
from treecore.exercises.classwork import Classwork
from treecore.recipe import Recipe

NAME, CLASS = "recipe", "class"
MOST_BYTES = 1 << 20
"""Of a recipe that comes by an address: more is no recipe of ours."""


def to(recipe: Recipe) -> str:
    """The address of this app with the recipe in it."""
    return _address(NAME, urlsafe_b64encode(zlib.compress(recipe.to_json().encode("utf-8"), 9)).decode().rstrip("="))


def to_class(given: Classwork) -> str:
    """The address of this app with the work of a class in it."""
    return _address(CLASS, given.to_text())


def _address(name: str, text: str) -> str:
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}/?{name}={text}"


def follow() -> None:
    """Open what the address holds that brought the user here, once; what he has at work stays in its own tab."""
    for name, open_it in ((NAME, _open_recipe), (CLASS, _open_class)):
        text = st.query_params.get(name)
        if text:
            del st.query_params[name]
            if state.raw() is None:
                open_it(text)


def _open_class(text: str) -> None:
    with state.answered():
        before = Before(choices={"classwork": text})
        resumed.open_recipe(Awaited(Classwork.from_text(text).recipe, before=before))


def _open_recipe(text: str) -> None:
    with state.answered():
        resumed.open_recipe(Awaited(read(text)), go_on=True)


def read(text: str) -> Recipe:
    """The recipe of an address; TreecoreError for any other text."""
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        found = zlib.decompressobj().decompress(packed, MOST_BYTES).decode("utf-8")
    except (ValueError, zlib.error):
        raise TreecoreError("This link holds no recipe", where="Link", remedy="Copy the whole of it") from None
    return Recipe.from_json(found)
