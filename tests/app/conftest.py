"""The app without a browser: AppTest runs the entry and its pages in this process."""

import json
import re
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from pages.shared.data import source
from pages.shared.server import cache, long_work
from pages.shared.session import state
from pages.shared.session.saved_session import GO_ON
from pages.shared.trees import first_recipe
from treecore.data import ReadOptions
from treecore.recipe import Grow, Prune, Split

SESSION = "test session id"
"""What AppTest calls every session."""
ENTRY = str(Path(__file__).resolve().parents[2] / "streamlit_app.py")


@pytest.fixture(autouse=True, scope="module")
def forget_results():
    """Results are kept per server, by all that they follow from: tests of a file share them as sessions do."""
    cache.clear()
    cache._sessions.clear()


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Nothing looks again by itself at work that goes on, as a browser does: a run waits for its end."""
    monkeypatch.setattr(long_work, "JOB_PATIENCE", 100.0)


@pytest.fixture(autouse=True)
def quick_hands(monkeypatch):
    """These tests change a widget back as soon as the page has changed it, as no one at a browser can."""
    monkeypatch.setattr(state, "ECHO", -1.0)


@pytest.fixture(autouse=True)
def most_stay(monkeypatch):
    """A table that was read is grown by a recipe of its own, and its tree is shown: most tests go on with the table."""
    monkeypatch.setattr(source, "go_on", _if_followed(source.go_on, GO_ON))
    monkeypatch.setattr(first_recipe, "settle", _if_followed(first_recipe.settle, first_recipe.PENDING))


def _if_followed(step, choice: str):
    def take() -> None:
        if state.stored_for("follows", {}).get("now", True):
            step()
        elif state.choice(choice):
            state.choose(choice, False)

    return take


@pytest.fixture(scope="session", autouse=True)
def made_once():
    """What AppTest makes anew for every run, for longer than a page takes, and a server makes once.

    Installed packages are looked through for components, the pages compiled, the server's double derived from it, and
    all that a page has sent searched every millisecond for a sign that it is done. All widgets are copied for each
    select box and field, to look one up. Each message is signed for a cache of the browser, which is not there.
    """
    components, compiled, double = manifest_scanner.scan_component_manifests(), ScriptCache(), MagicMock(spec=Runtime)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", lambda: components)
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: compiled)
        patch.setattr(app_test, "MagicMock", lambda spec: double)
        patch.setattr(local_script_runner, "require_widgets_deltas", _await_end)
        patch.setattr(script_run_context, "populate_hash_if_needed", lambda message: None)
        patch.setattr(SafeSessionState, "filtered_state", property(lambda safe: _Looked(safe._state)))
        yield


class _Looked(Mapping):
    """The state by its keys, each read when it is asked for."""

    def __init__(self, state):
        self._state = state

    def __getitem__(self, key: str):
        return self._state[key]

    def __iter__(self):
        return iter(self._state.filtered_state)

    def __len__(self) -> int:
        return len(self._state.filtered_state)


def _await_end(runner, timeout: float) -> None:
    runner._script_thread.join(timeout)
    assert runner.script_stopped(), f"the page takes longer than {timeout} s"


class _Folds(set):
    """The folds that are open: all but the long ones, all of them, or none. menus : so are those that export and
    share."""

    are_open, long, menus = True, False, False
    LONG: ClassVar[dict] = {
        "All settings": "all settings", "Bars": "bars", "Two or three columns counted together": "two columns",
        "Distances between rows: is it a metric?": "distances", "How a figure is computed": "figure",
    }  # fmt: skip
    """Label -> name. They take a tenth of all that pages take, and few tests look into them."""

    def __contains__(self, name) -> bool:
        return self.are_open and (self.long or name.split(" of ")[0] not in self.LONG.values())


class _Menus(set):
    """The menus that are open: the one of the steps, and those that export and share where the folds say so."""

    def __init__(self, folds: _Folds):
        self._folds = folds

    def __contains__(self, name) -> bool:
        return name == "history" or self._folds.menus


class App:
    """A session: `app.go("grow")`, `app.set("max_depth", 2)`; each step checks that no page has crashed.

    All folds are open, but for the steps that read a table: what is folded away takes longer than all the rest of its
    page, and most tests go on to another one. The long ones are opened for who asks for what is in them.
    """

    _pages: ClassVar[dict] = {}
    """All pages, as the first session has found them: a later one can begin with any, and runs when it is asked."""

    def __init__(self):
        self._at = AppTest.from_file(ENTRY, default_timeout=120)
        self.folds = _Folds()
        menus = {"open": _Menus(self.folds), "turned": False, "page": ""}
        self.own = self._at.session_state[state.OWN] = {"open folds": self.folds, "menus": menus}
        self.follow(False)
        self.is_behind = True
        if not App._pages:
            App._pages = self.at._registered_pages
        self._at._registered_pages = App._pages

    @property
    def at(self) -> AppTest:
        """What the page shows."""
        if self.is_behind:
            self.run()
        return self._at

    def _checked(self, at):
        self.is_behind = False
        assert not at.exception, [e.value for e in at.exception]
        assert not any("should not have" in text for text in self.errors()), "a page failed: see the log"
        return self

    def follow(self, now: bool = True) -> None:
        """A table that is read from now on is grown by a recipe of its own, and its tree shown."""
        self.own["follows"] = {"now": now}

    def go(self, page: str, **fields) -> "App":
        """Go to a page with these changes of the record."""
        if fields:
            self.put(**fields)
        return self._checked(self._at.switch_page(f"pages/{page}.py").run())

    def tab(self, name: str) -> "App":
        """A tab of the drawer beside the tree."""
        return self.set("drawer_tab", name)

    def pane(self, key: str | None = None) -> dict:
        """What the tree pane of the page was given; of several the one with this key."""
        panes = [e for e in self.at.get("bidi_component") if e.proto.component_name == "treecore_bench"]
        [found] = [pane for pane in (json.loads(e.proto.json) for e in panes) if key in (None, pane["key"])]
        return found

    def rivals(self) -> list[dict]:
        """The bars of the drawer."""
        return self.given("treecore_rivals")["rivals"]

    def given(self, component: str) -> dict:
        """What the one component of this name was given."""
        [found] = [e for e in self.at.get("bidi_component") if e.proto.component_name == component]
        return json.loads(found.proto.json)

    def run(self) -> "App":
        return self._checked(self._at.run())

    def set(self, key: str, value) -> "App":
        """Give a widget a value, as a user would."""
        return self._checked(self.widget(key).set_value(value).run())

    def click(self, key_or_label: str) -> "App":
        return self._checked(self._button(key_or_label).click().run())

    def _button(self, name: str):
        found = [b for b in self.at.button if name in (b.key, b.label)]
        if not found and self._hides_more():
            return self.all_folds()._button(name)
        assert found, (name, [b.label for b in self.at.button])
        return found[0]

    def widget(self, key: str):
        """The widget with this key, of whatever sort."""
        found = self._widgets(key)
        assert found, f"no widget {key!r} on this page"
        return found[0]

    def has(self, key: str) -> bool:
        return bool(self._widgets(key))

    def _widgets(self, key: str) -> list:
        """Those with this key, looked for in the long folds, too."""
        found = [w for w in self.at._tree if getattr(w, "key", None) == key]
        return found or (self.all_folds()._widgets(key) if self._hides_more() else [])

    def _hides_more(self) -> bool:
        return not self.folds.long and any(w.label in self.folds.LONG for w in self.at.expander)

    def all_folds(self) -> "App":
        """All folds are open from now on."""
        self.folds.long = True
        return self.run()

    def with_menus(self) -> "App":
        """The menus that export and share are open from now on."""
        self.folds.menus = self.is_behind = True
        return self

    def upload(self, content: bytes, name: str = "f.csv", as_it_opens: bool = False) -> "App":
        """Give a file. as_it_opens : with the recipe that the app chooses for it; else grown as before, unpruned."""
        if as_it_opens:
            return self._upload(content, name)
        former = self._choices()
        with self._on_data():
            state.set_next_file((name, content, ReadOptions()))
        with self.folded():
            return self.run()._with(former)

    def _upload(self, content: bytes, name: str) -> "App":
        uploader = self.uploader("upload")
        assert uploader.value is None, "it holds no file of before"
        uploader.upload(name, content, "text/csv")
        self.follow()
        self.run().follow(False)
        return self

    @contextmanager
    def _on_data(self):
        """What the page Data calls before a run, called without that page."""
        self._at.switch_page("pages/data.py")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(state, "_own", lambda: self.own)
            patch.setattr(cache, "user", lambda: SESSION)
            yield
        self.is_behind = True

    @contextmanager
    def folded(self):
        """All folds are closed."""
        self.folds.are_open = False
        yield
        self.folds.are_open = True

    def _choices(self) -> dict:
        known = "record" in self.own
        return (
            {"grow": self.record().grow, "split": self.record().split} if known else {"grow": Grow(), "split": Split()}
        )

    def _with(self, former: dict) -> "App":
        """The settings of before, and no pruning: what most tests are about."""
        if "record" not in self.own:
            return self
        wanted = {**former, "split": replace(former["split"], column=None), "prune": Prune()}
        if any(getattr(self.record(), k) != v for k, v in wanted.items()):
            self.put(**wanted)
            self.is_behind = True
        return self

    def uploader(self, name: str):
        """The uploader of this name; its key goes on with a number."""
        found = [w for w in self.at.file_uploader if w.key.startswith(f"{name} ")]
        if not found and self._hides_more():
            return self.all_folds().uploader(name)
        assert found, name
        return found[0]

    def sample(self, name: str, as_it_opens: bool = False) -> "App":
        """Pick a sample. as_it_opens : from the menu of the page Data; else by what the menu calls, without a run."""
        if as_it_opens:
            return (self if self.has("sample") else self.go("data")).set("sample", name)
        former = self._choices()
        with self._on_data():
            source.take_sample(name)
        return self._with(former)

    def record(self):
        return self.own["record"]

    def put(self, **fields) -> None:
        """Change the record before the next step."""
        self.own["record"] = replace(self.record(), **fields)

    def change(self, **fields) -> "App":
        """Change the record as a click in the diagram or the editor would, and run."""
        self.put(**fields)
        return self.run()

    def errors(self) -> list[str]:
        return [_unescaped(e.value) for e in self.at.error]

    def text(self) -> str:
        """Everything the page says in words."""
        kinds = (self.at.title, self.at.subheader, self.at.markdown, self.at.caption, self.at.info, self.at.warning)
        return "\n".join(_unescaped(e.value) for found in kinds for e in found)

    def leaves(self) -> int:
        """Leaves of the unpruned tree, from the page Compare."""
        self.go("compare", choices={**self.record().choices, "compared B": "unpruned"})
        return int(self.at.dataframe[0].value["B"].iloc[0].replace(",", ""))


def _unescaped(text: str) -> str:
    text, out, i = re.sub(r":color\[(\\.)\]", r"\1", text).replace("&#32;", " "), [], 0
    while i < len(text):
        i += text[i] == "\\" and i + 1 < len(text)
        out.append(text[i])
        i += 1
    return "".join(out)


@pytest.fixture
def app():
    return App()
