"""Who may come in, where the owner of the server asks for a sign-in: by OpenID Connect, which Streamlit speaks.

It is asked for where `secrets.toml` has a section [auth]; TREECORE_MEMBERS says who is let in. Nothing is stored about
anybody: the name is in a signed cookie of their browser.
"""

import os
from pathlib import Path

import streamlit as st
from streamlit.auth_util import is_authlib_installed

from pages.shared.widgets.messages import plain

MEMBERS = "TREECORE_MEMBERS"
"""Addresses (ada@school.org) and domains (school.org) that are let in, with commas between; "" lets in everybody whom
the provider knows."""


def is_asked_for() -> bool:
    """Has the owner of the server set up a provider?"""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def enter() -> None:
    """Go on if the visitor may come in; otherwise a page to sign in, and nothing else."""
    fault = _fault()
    if fault:
        st.error(f"Nobody is let in: {fault} The owner of this server can mend it.")
        st.stop()
    if not is_asked_for():
        return
    if not st.user.is_logged_in:
        _ask("This server is for people who sign in. What you upload stays in its memory and goes with your session.")
    if not is_member(st.user.to_dict(), os.environ.get(MEMBERS, "")):
        _refuse()


def _fault() -> str:
    """What keeps a sign-in that is asked for from being asked; "" for nothing. The door is then shut, not open."""
    files = [file for file in st.get_option("secrets.files") if Path(file).exists()]
    if files and not st.secrets.load_if_toml_exists():
        return "secrets.toml cannot be read, so it is not known who may come in."
    members = os.environ.get(MEMBERS, "").strip()
    if members and not _entries(members):
        return f"{MEMBERS} is set, but names nobody."
    if members and not is_asked_for():
        return f"{MEMBERS} is set, but secrets.toml has no section [auth]."
    if is_asked_for() and not is_authlib_installed():
        return "a sign-in is set up, but Authlib is missing (pip install 'treecore[sign-in]')."
    return ""


def offer_to_leave() -> None:
    """Who is signed in, and the way out, in the sidebar."""
    if is_asked_for():
        with st.sidebar:
            st.caption(f"Signed in as {plain(name_of(st.user.to_dict()))}.")
            st.button("Sign out", on_click=st.logout, key="sign_out", type="tertiary", icon=":material/logout:")


def is_member(claims: dict, members: str) -> bool:
    """Do these claims of a provider have an address that is let in? One that the provider says it has not checked is
    none."""
    allowed = _entries(members)
    if not allowed:
        return True
    if str(claims.get("email_verified", True)).casefold() == "false":
        return False
    address = str(claims.get("email", "")).strip().casefold()
    return "@" in address and (address in allowed or address.rpartition("@")[2] in allowed)


def _entries(members: str) -> set[str]:
    """The addresses and domains of a list, as they are compared."""
    return {entry.strip().removeprefix("@").casefold() for entry in members.split(",")} - {""}


def name_of(claims: dict) -> str:
    """What the provider calls somebody."""
    return next((str(claims[key]) for key in ("name", "email", "sub") if claims.get(key)), "somebody")


def _ask(why: str) -> None:
    st.title("treecore", anchor=False)
    st.markdown(why)
    st.button("Sign in", on_click=st.login, key="sign_in", type="primary", icon=":material/login:")
    st.stop()


def _refuse() -> None:
    st.title("treecore", anchor=False)
    who = name_of(st.user.to_dict())
    st.warning(
        f"You are signed in as {plain(who)}, who is not on this server's list. Ask its owner to add your address."
    )
    st.button("Sign out", on_click=st.logout, key="sign_out", icon=":material/logout:")
    st.stop()
