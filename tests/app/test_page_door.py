"""A door that is set up wrongly is shut, on every page."""

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import Secrets

from tests.app.conftest import App

FILES = "secrets.files"


@pytest.fixture
def behind(tmp_path, monkeypatch):
    """behind(secrets, members) -> a session of a server whose owner has set this up."""
    former = config.get_option(FILES)
    config.set_option(FILES, [str(tmp_path / "secrets.toml")])

    def begin(secrets: str, members: str) -> App:
        (tmp_path / "secrets.toml").write_text(secrets)
        monkeypatch.setattr(st, "secrets", Secrets())
        monkeypatch.setenv("TREECORE_MEMBERS", members)
        return App()

    yield begin
    config.set_option(FILES, former)


@pytest.mark.parametrize(
    ("secrets", "members", "why"),
    [
        ("[auth\n", "school.example", "secrets.toml cannot be read"),
        ("[other]\na = 1\n", "school.example", "secrets.toml has no section [auth]"),
        ("[auth]\nclient_id = 'a'\n", " , @", "names nobody"),
    ],
)
def test_a_door_that_is_set_up_wrongly_is_shut(behind, secrets, members, why):
    session = behind(secrets, members)
    for page in ("data", "compare"):
        session._at.switch_page(f"pages/{page}.py").run()
        (told,) = session.errors()
        assert why in told
        assert len(session._at.get("file_uploader")) == len(session._at.title) == len(session._at.button) == 0


def test_without_secrets_and_members_everybody_comes_in(behind):
    assert len(behind("[other]\na = 1\n", "").go("data").at.file_uploader) == 1
