"""Imports only point one way, as in the picture of the README: read from the files, run only by the last tests."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.imports import LIBRARY, ROOT, Source, source_at, source_of
from treecore.criteria import CRITERIA as CRITERIA_OF

# layer -> the layers it may import besides itself
FOUNDATION = {"brief", "errors", "registry", "plugins", "engine", "figures", "parallel"}
CRITERIA = FOUNDATION | {"criteria"}
KERNELS = CRITERIA | {"kernels"}
DATA = KERNELS | {"target", "data"}
TREE = DATA | {"tree"}
JUDGING = TREE | {"judging"}
RECIPES = {"recipe", "recipe_data", "seal", "presets", "fit", "warm"}
FRONT = JUDGING | RECIPES | {"growing", "pruning", "rules", "cross_validation"}
RESULTS = FRONT | {"explaining", "estimators", "study", "export"}
ALLOWED = {
    "errors": set(),
    "registry": {"errors"},
    "plugins": set(),
    "engine": set(),
    "figures": set(),
    "parallel": {"errors"},
    "brief": set(),
    "criteria": FOUNDATION,
    "kernels": CRITERIA,
    "target": CRITERIA,
    "data": KERNELS | {"target"},
    "tree": DATA,
    "judging": TREE,
    "growing": JUDGING,
    "pruning": JUDGING,
    "rules": TREE,
    "covering": JUDGING | {"growing", "pruning", "rules"},
    "cross_validation": JUDGING | {"growing", "pruning"},
    "recipe": FRONT,
    "recipe_data": DATA,
    "seal": FOUNDATION,
    "presets": FRONT,
    "fit": FRONT,
    "first_recipe": FRONT,
    "warm": FRONT,
    "explaining": FRONT,
    "estimators": RESULTS,
    "study": (RESULTS - {"export"}) | {"incremental", "ensembles", "optimal"},
    "database": FRONT,
    "export": RESULTS - {"growing", "explaining"},
    "ensembles": FRONT,
    "importing": RESULTS | {"ensembles"},
    "optimal": FRONT,
    "incremental": FRONT,
    "plots": RESULTS | {"teach"},
    "view": RESULTS,
    "notebook": RESULTS | {"view", "predicting", "first_recipe"},
    "predicting": RESULTS,
    "detectors": FRONT,
    "teach": RESULTS | {"detectors"},
    "command_line": RESULTS | {"predicting", "covering", "importing", "ensembles", ""},
    "__main__": {"command_line"},
    "": RESULTS | {"database", "predicting", "importing", "notebook"},
}
OUTSIDE = {
    "numba": lambda path: path.parts[:2] == ("treecore", "engine"),
    "plotly": lambda path: "plots" in path.parts,
    "pandas": lambda path: "data" in path.parts or path.name == "serial.py",
    "streamlit": lambda path: False,
    "sklearn": lambda path: "estimators" in path.parts or path.parts[-2:] == ("ensembles", "linear.py"),
    "narwhals": lambda path: "estimators" in path.parts,
    "anywidget": lambda path: path.parts[-2:] == ("notebook", "widget.py"),
    "traitlets": lambda path: path.parts[-2:] == ("notebook", "widget.py"),
    "ibis": lambda path: "database" in path.parts,
}
CRITERIA_THEMSELVES = {
    f"{getattr(e.node, 'py_func', e.node).__module__}.{name.upper()}" for name, e in CRITERIA_OF.items()
}
APP = sorted((ROOT / "pages").rglob("*.py")) + [p for p in [ROOT / "streamlit_app.py"] if p.exists()]


def layer_of(module: str) -> str | None:
    """ "kernels" of "treecore.kernels.records.grow_records"; "" of the package itself; None of anything else."""
    parts = module.split(".")
    if parts[0] != "treecore":
        return None
    return parts[1] if len(parts) > 1 and parts[1] in LAYERS else ""


def layer_of_file(path: Path) -> str:
    first = path.relative_to(ROOT / "treecore").parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


LAYERS = {layer_of_file(path) for path in LIBRARY} - {""}

# Rules: (path, source) -> what the file must not do


def imports_point_left(path: Path, source: Source) -> Iterator[str]:
    layer = layer_of_file(path)
    if layer not in ALLOWED:
        yield f"{layer} has no place in the picture yet"
        return
    seen = {layer_of(module) for module in source.anywhere} - {None, layer}
    yield from (f"imports {other or 'treecore itself'}" for other in sorted(seen - ALLOWED[layer]))


def each_outside_package_has_its_one_place(path: Path, source: Source) -> Iterator[str]:
    for package in sorted({module.split(".")[0] for module in source.anywhere}):
        if package in ("pages", "tests") or (package in OUTSIDE and not OUTSIDE[package](path.relative_to(ROOT))):
            yield f"imports {package}"


def scipy_is_imported_where_it_is_used(path: Path, source: Source) -> Iterator[str]:
    """Inside functions: a tree is grown and drawn without it."""
    yield from (f"imports {m} at the top" for m in sorted(source.at_the_top) if m.split(".")[0] == "scipy")


def pages_keep_to_themselves(path: Path, source: Source) -> Iterator[str]:
    shared = "shared" in path.parts
    for module in sorted(source.anywhere):
        parts = module.split(".")
        if parts[:2] == ["treecore", "kernels"] or parts[0] == "numba":
            yield f"imports {module}, a kernel's"
        if parts[0] == "pages" and path.name != "streamlit_app.py" and parts[1] != "shared" and not parts[1].isupper():
            yield f"imports {module}, another page"
        if shared and parts[0] == "streamlit_app":
            yield "imports the entry at the top"
    named = source.session_state or any(module.endswith("session_state") for module in source.anywhere)
    if named and path.parts[-3:] != ("shared", "session", "state.py"):
        yield "touches st.session_state"


def nothing_is_imported_relatively(path: Path, source: Source) -> Iterator[str]:
    if source.relative:
        yield "imports with dots"


def criteria_are_taken_from_their_registry(path: Path, source: Source) -> Iterator[str]:
    """It gives them their codes: an entry as its own file has it has none yet."""
    if path.parent.name != "criteria":
        yield from (f"imports {name}" for name in sorted(source.anywhere & CRITERIA_THEMSELVES))


RULES = {
    imports_point_left: LIBRARY,
    each_outside_package_has_its_one_place: LIBRARY,
    scipy_is_imported_where_it_is_used: LIBRARY,
    pages_keep_to_themselves: APP,
    nothing_is_imported_relatively: LIBRARY + APP,
    criteria_are_taken_from_their_registry: LIBRARY + APP,
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps(rule):
    assert RULES[rule], "there are files"
    broken = [f"{path.relative_to(ROOT)} {what}" for path in RULES[rule] for what in rule(path, source_at(path))]
    assert not broken, "\n".join(broken)


BROKEN = [
    (imports_point_left, "treecore/tree/bad.py", "def f():\n    from treecore.growing import grower"),
    (imports_point_left, "treecore/kernels/bad.py", "import treecore.data.table as t"),
    (imports_point_left, "treecore/tree/bad.py", "from treecore import grow"),
    (imports_point_left, "treecore/newcomer.py", ""),
    (each_outside_package_has_its_one_place, "treecore/tree/bad.py", "import numba.core"),
    (each_outside_package_has_its_one_place, "treecore/study/bad.py", "def f():\n    import plotly.express as p"),
    (each_outside_package_has_its_one_place, "treecore/tree/bad.py", "from pandas import DataFrame"),
    (each_outside_package_has_its_one_place, "treecore/bad.py", "def f():\n    import streamlit as s"),
    (each_outside_package_has_its_one_place, "treecore/tree/bad.py", "from sklearn.base import BaseEstimator"),
    (each_outside_package_has_its_one_place, "treecore/bad.py", "from pages.shared.session import state"),
    (each_outside_package_has_its_one_place, "treecore/bad.py", "import tests"),
    (scipy_is_imported_where_it_is_used, "treecore/criteria/bad.py", "from scipy import stats"),
    (pages_keep_to_themselves, "pages/bad.py", "from treecore.kernels import codes"),
    (pages_keep_to_themselves, "pages/bad.py", "def f():\n    import numba"),
    (pages_keep_to_themselves, "pages/bad.py", "from pages.grow import show"),
    (pages_keep_to_themselves, "pages/shared/bad.py", "import streamlit_app"),
    (pages_keep_to_themselves, "pages/bad.py", "import streamlit as s\ns.session_state.x = 1"),
    (pages_keep_to_themselves, "pages/state.py", "def f():\n    from streamlit import session_state"),
    (nothing_is_imported_relatively, "treecore/tree/bad.py", "def f():\n    from . import tree"),
    (nothing_is_imported_relatively, "pages/shared/bad.py", "from ..shared import state"),
    (criteria_are_taken_from_their_registry, "pages/bad.py", f"import {min(CRITERIA_THEMSELVES)}"),
]


@pytest.mark.parametrize(("rule", "path", "text"), BROKEN)
def test_a_file_that_breaks_a_rule_is_seen(rule, path, text):
    """In a function, under another name, by `from`."""
    assert list(rule(ROOT / path, source_of(text)))


def test_what_is_allowed_is_not_broken():
    assert {rule for rule, _, _ in BROKEN} == set(RULES)
    good = source_of("if TYPE_CHECKING:\n    import plotly\ndef f():\n    from scipy import stats")
    for rule in (imports_point_left, each_outside_package_has_its_one_place, scipy_is_imported_where_it_is_used):
        assert not list(rule(ROOT / "treecore/tree/good.py", good))
    state = source_of("import streamlit as st\nst.session_state.x = 1")
    assert not list(pages_keep_to_themselves(ROOT / "pages/shared/session/state.py", state))
    names = ["treecore.growing.grower", "treecore.grow", "treecore.fit.grow", "numpy.random"]
    assert [layer_of(name) for name in names] == ["growing", "", "fit", None]


def test_the_picture_has_no_way_back():
    """No two different layers may import each other, but for those that stand side by side."""
    beside = [{"recipe", "presets", "fit", "warm"}, {"estimators", "study", "export"}]
    for a in ALLOWED:
        for b in ALLOWED[a] - {a, ""}:
            assert a not in ALLOWED[b] or any({a, b} <= group for group in beside), f"{a} <-> {b}"


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in sys.modules after a statement, in a process of its own."""
    code = f"import sys\n{statement}\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.split())


def test_importing_treecore_is_light():
    assert not loaded_by("import treecore") & {"plotly", "pandas", "sklearn", "narwhals", "streamlit"}


def test_commands_need_no_package_of_the_app():
    assert not loaded_by("import treecore.command_line.main") & {"plotly", "sklearn", "narwhals", "streamlit", "mcp"}


def test_growing_from_arrays_is_light_too():
    statement = (
        "import numpy as np, treecore as tc\n"
        "from treecore.data import level_column, numeric_column\n"
        "t = tc.Table((numeric_column('x', np.array([1., 2, 3])), level_column('y', 'nominal', list('aab'), 'ab')),\n"
        "             target='y', features=('x',))\n"
        "tc.grow(t).predict(t)"
    )
    assert not loaded_by(statement) & {"plotly", "pandas", "sklearn", "narwhals", "streamlit"}


def test_the_picture_of_the_readme_shows_imports_that_are_allowed_and_made():
    picture = (ROOT / "README.md").read_text(encoding="utf-8").split("```mermaid")[1].split("```")[0]
    arrows = re.findall(r"(\w+)(?:\[[^\]]*\])? --> (\w+)", picture)
    assert len(arrows) > 12
    for above, below in arrows:
        files = APP if above == "pages" else (ROOT / "treecore" / above).rglob("*.py")
        assert above == "pages" or below in ALLOWED[above], (above, below)
        assert any(re.search(rf"\btreecore(\.| import ){below}\b", f.read_text(encoding="utf-8")) for f in files), (
            above,
            below,
        )
