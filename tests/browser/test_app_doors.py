"""The server from outside: who is let in, and what its answers say. Pages that keep to it: test_app_dark."""

import http.client
from urllib.parse import urlparse

import pytest

from tests.browser.app_steps import APP

pytestmark = pytest.mark.browser
HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}


def answer(address: str, path: str, host: str | None = None, **headers: str) -> http.client.HTTPResponse:
    """The server's answer to whoever calls it by this host."""
    parts = urlparse(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": host or parts.netloc, **headers}.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil", " "])
@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/upload_file/a/b", "/_stcore/host-config"])
def test_another_host_is_refused(serve, path, host):
    assert answer(serve(APP), path, host).status == 400


@pytest.mark.parametrize(("host", "status"), [("evil.example", 400), ("localhost", 101), (None, 101)])
def test_a_websocket_of_another_host_is_refused(serve, host, status):
    assert answer(serve(APP), "/_stcore/stream", host, **HANDSHAKE).status == status


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
@pytest.mark.parametrize("session", ["1", "0" * 36, "00000000-0000-4000-8000-000000000000", "%2e%2e", "None"])
def test_who_guesses_a_session_can_give_it_no_file_and_take_none_away(serve, method, session):
    parts = urlparse(serve(APP))
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=20)
    connection.request(method, f"/_stcore/upload_file/{session}/1", body=b"a,b\n1,2\n" if method == "PUT" else None)
    assert connection.getresponse().status in (400, 403, 404, 405)


@pytest.mark.parametrize(
    "path", ["/media/1.csv", "/media/", "/media/../streamlit_app.py", "/media/%2e%2e/pyproject.toml"]
)
def test_who_guesses_a_file_to_download_gets_none(serve, path):
    found = answer(serve(APP), path)
    assert found.status in (400, 403, 404)
    assert b"import" not in found.read()


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/_stcore/metrics?families=session_stats"])
def test_figures_of_the_server_are_closed(serve, path):
    found = answer(serve(APP), path)
    assert (found.status, found.read()) == (404, b"Not found")


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/metrics", "/nowhere.js"])
def test_every_answer_has_the_headers(serve, path):
    headers = answer(serve(APP), path).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy["script-src"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/", "/grow"])
def test_the_looks_are_part_of_the_page(serve, path):
    found = answer(serve(APP), path, **{"Accept": "text/html", "Accept-Encoding": "gzip"})
    page = found.read()
    assert int(found.headers["Content-Length"]) == len(page)
    assert b".st-key-strip" in page.split(b"</head>")[1]
    assert page.rstrip().endswith(b"</html>")


def test_pages_are_loaded_by_their_address_and_on_a_phone_from_the_side_bar(app, listen):
    asked = []
    listen("response", lambda response: asked.append((response.status, response.url)))
    app.page.set_viewport_size({"width": 600, "height": 800})
    app.open_sidebar()
    app.page.get_by_test_id("stSidebar").get_by_role("link", name="Explore").click()
    app.page.wait_for_url("**/grow")
    app.page.set_viewport_size({"width": 1280, "height": 860})
    for path in ("/grow", "/size_and_pruning?from=a#b"):
        app.page.goto(app.address + path)
        app.heading().wait_for()
        app.settled()
    assert not [url for status, url in asked if status >= 400]
    assert [url for _, url in asked if "/grow/_stcore" in url] == []
