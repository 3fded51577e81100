"""The app behind a sign-in: a provider of OpenID Connect on this machine, and who is let in."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlparse

import pytest

from pages.shared.server.sign_in import is_member, name_of
from tests.browser.app_steps import APP
from tests.browser.running import free_port, start_server, stop_server

pytestmark = pytest.mark.browser


class Provider(BaseHTTPRequestHandler):
    """Signs everybody in as `claims` says, without asking."""

    def do_GET(self):
        asked = urlparse(self.path)
        if asked.path == "/authorize":
            query = parse_qs(asked.query)
            self.server.nonce = query.get("nonce", [""])[0]
            back = urlencode({"code": "once", "state": query["state"][0]})
            self.send_response(302)
            self.send_header("Location", f"{query['redirect_uri'][0]}?{back}")
            self.end_headers()
        elif asked.path == "/keys":
            self.answer({"keys": [self.server.key.as_dict(private=False) | {"use": "sig", "alg": "RS256"}]})
        else:
            names = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
            self.answer(
                {"issuer": self.server.address, **{name: f"{self.server.address}/{at}" for name, at in names.items()}}
            )

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        from time import time

        from joserfc import jwt

        claims = {"iss": self.server.address, "aud": "treecore", "iat": int(time()), "exp": int(time()) + 600}
        claims |= {"nonce": self.server.nonce, **self.server.claims}
        token = jwt.encode({"alg": "RS256", "kid": self.server.key.kid}, claims, self.server.key)
        self.answer({"access_token": "a", "token_type": "Bearer", "expires_in": 600, "id_token": token})

    def answer(self, value: dict) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def provider():
    jwk = pytest.importorskip("joserfc.jwk", reason="Authlib is not installed")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.address = f"http://127.0.0.1:{server.server_port}"
    server.key = jwk.RSAKey.generate_key(2048, parameters={"kid": "one"})
    server.claims = {"sub": "1", "name": "Ada *Lovelace*", "email": "ada@school.example"}
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def guarded(provider, tmp_path_factory):
    """The address of an app that lets in school.example."""
    port, folder = free_port(), tmp_path_factory.mktemp("sign_in")
    secrets = folder / "secrets.toml"
    secrets.write_text(
        f'[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\ncookie_secret = "{"s" * 40}"\n'
        f'client_id = "treecore"\nclient_secret = "secret"\n'
        f'server_metadata_url = "{provider.address}/.well-known/openid-configuration"\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
        patch.setenv("TREECORE_MEMBERS", "school.example, Grace@Navy.example")
        server, address = start_server(APP, Path(folder) / "log.txt", port)
    yield address
    stop_server(server)


def test_who_is_not_signed_in_sees_nothing_but_the_door(page, guarded):
    for place in ("", "/compare", "/predict?sample=titanic"):
        page.goto(guarded + place)
        page.get_by_role("button", name="Sign in").wait_for()
        assert page.get_by_test_id("stFileUploader").count() == 0
        assert "Titanic" not in page.inner_text("body")


def test_a_member_comes_in_and_leaves(page, guarded, provider):
    provider.claims = {"sub": "1", "name": "Ada *Lovelace*", "email": "ada@school.example"}
    page.goto(guarded)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_test_id("stFileUploader").first.wait_for()
    page.reload()
    page.get_by_test_id("stFileUploader").first.wait_for()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_text("Signed in as Ada *Lovelace*.").wait_for()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()


def test_somebody_else_stays_outside(page, guarded, provider):
    provider.claims = {"sub": "2", "email": "eve@elsewhere.example"}
    page.goto(guarded)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("eve@elsewhere.example, who is not on this server's list").wait_for()
    assert page.get_by_test_id("stFileUploader").count() == 0
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in").wait_for()


def test_a_door_that_is_set_up_wrongly_is_shut(page, tmp_path, monkeypatch):
    """tests/app/test_page_door.py has the other ways."""
    (tmp_path / "secrets.toml").write_text("[auth\n")
    monkeypatch.setenv("STREAMLIT_SECRETS_FILES", str(tmp_path / "secrets.toml"))
    monkeypatch.setenv("TREECORE_MEMBERS", "school.example")
    server, address = start_server(APP, tmp_path / "log.txt")
    try:
        page.goto(address)
        page.get_by_text("secrets.toml cannot be read").wait_for()
        assert page.get_by_test_id("stFileUploader").count() == 0
    finally:
        stop_server(server)


@pytest.mark.parametrize(
    ("claims", "members", "let_in"),
    [
        ({"email": "a@x.org"}, "", True),
        ({}, "", True),
        ({"email": "A@X.org"}, "x.org", True),
        ({"email": "a@x.org"}, "@x.org , b@y.org", True),
        ({"email": "b@Y.org"}, "x.org, B@y.org", True),
        ({"email": "c@y.org"}, "x.org, b@y.org", False),
        ({"email": "a@evil-x.org"}, "x.org", False),
        ({"email": "a@x.org.evil.example"}, "x.org", False),
        ({"email": "x.org"}, "x.org", False),
        ({"email": "a@x.org", "email_verified": False}, "x.org", False),
        ({"email": ""}, "x.org", False),
        ({"name": "x.org"}, "x.org", False),
    ],
)
def test_who_is_let_in(claims, members, let_in):
    assert is_member(claims, members) is let_in


def test_somebody_without_a_name():
    assert name_of({}) == "somebody"
    assert name_of({"email": "a@x.org", "name": ""}) == "a@x.org"
