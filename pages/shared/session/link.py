"""A recipe as an address: who opens it has the same sample with the same steps."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import streamlit as st

from pages.shared.session import resumed, state
from pages.shared.session.resumed import Awaited
from treecore.errors import TreecoreError
from treecore.recipe import Recipe

NAME = "recipe"
MOST_BYTES = 1 << 20
"""Of a recipe that comes by an address: more is no recipe of ours."""


def to(recipe: Recipe) -> str:
    """The address of this app with the recipe in it."""
    here = urlsplit(st.context.url or "")
    text = urlsafe_b64encode(zlib.compress(recipe.to_json().encode("utf-8"), 9)).decode().rstrip("=")
    return f"{here.scheme}://{here.netloc}/?{NAME}={text}"


def follow() -> None:
    """Open the recipe of the address that brought the user here, once; what he has at work stays in its own tab."""
    text = st.query_params.get(NAME)
    if not text:
        return
    del st.query_params[NAME]
    if state.raw() is not None:
        return
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
