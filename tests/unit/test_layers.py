"""Imports only point one way, as in the layout of the README: read from the files, run only by the last tests."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from treecore.criteria import CRITERIA as CRITERIA_OF

ROOT = Path(__file__).resolve().parents[2]

# layer -> the layers it may import besides itself
FOUNDATION = {"errors", "registry", "engine", "figures"}
CRITERIA = FOUNDATION | {"criteria"}
KERNELS = CRITERIA | {"kernels"}
DATA = KERNELS | {"data"}
TREE = DATA | {"tree"}
FRONT = TREE | {"growing", "pruning", "rules", "cross_validation", "recipe", "recipe_data", "presets", "fit", "warm"}
RESULTS = FRONT | {"explaining", "estimators", "evaluation", "export"}
ALLOWED = {
    "errors": set(),
    "registry": {"errors"},
    "engine": set(),
    "figures": set(),
    "criteria": FOUNDATION,
    "kernels": CRITERIA,
    "data": KERNELS,
    "tree": DATA,
    "growing": TREE,
    "pruning": TREE,
    "rules": TREE,
    "cross_validation": TREE | {"growing", "pruning"},
    "recipe": FRONT,
    "recipe_data": DATA,
    "presets": FRONT,
    "fit": FRONT,
    "warm": FRONT,
    "explaining": FRONT,
    "estimators": RESULTS,
    "evaluation": RESULTS - {"export"},
    "experiments": RESULTS - {"export"},
    "export": RESULTS - {"growing", "explaining"},
    "plots": RESULTS | {"experiments"},
    "predicting": RESULTS,
    "detectors": FRONT,
    "exercises": RESULTS,
    "lectures": RESULTS | {"detectors", "experiments"},
    "command_line": RESULTS | {"predicting", ""},
    "__main__": {"command_line"},
    "": RESULTS,
}
OUTSIDE = {
    "numba": lambda path: path.name == "jit.py",
    "plotly": lambda path: "plots" in path.parts,
    "pandas": lambda path: "data" in path.parts or path.name == "serial.py",
    "streamlit": lambda path: False,
}
LIBRARY = sorted((ROOT / "treecore").rglob("*.py"))
APP = sorted((ROOT / "pages").rglob("*.py")) + [p for p in [ROOT / "streamlit_app.py"] if p.exists()]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imports_of(path: Path, wherever: bool = True) -> set[str]:
    """Dotted names a file imports. wherever : also those inside functions; never those for type checkers only."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    found = set()
    for node in ast.walk(tree) if wherever else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer_of(module: str) -> str | None:
    """ "kernels" of "treecore.kernels.grow"; "" of the package itself; None of anything else."""
    parts = module.split(".")
    if parts[0] != "treecore":
        return None
    if len(parts) > 1 and (ROOT / "treecore" / parts[1]).is_dir():
        return parts[1]
    if len(parts) > 1 and (ROOT / "treecore" / f"{parts[1]}.py").is_file():
        return parts[1]
    return ""


def layer_of_file(path: Path) -> str:
    first = path.relative_to(ROOT / "treecore").parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_imports_point_left(path):
    layer = layer_of_file(path)
    assert layer in ALLOWED, f"{layer} has no place in the picture yet"
    seen = {layer_of(module) for module in imports_of(path)} - {None, layer}
    assert seen <= ALLOWED[layer], f"{name_of(path)} must not import {sorted(seen - ALLOWED[layer])}"


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_each_outside_package_has_its_one_place(path):
    for module in imports_of(path):
        package = module.split(".")[0]
        assert package not in OUTSIDE or OUTSIDE[package](path), f"{name_of(path)} imports {package}"
        assert package not in ("pages", "tests")


@pytest.mark.parametrize("path", LIBRARY, ids=name_of)
def test_scipy_is_imported_where_it_is_used(path):
    """Inside functions: a tree is grown and drawn without it."""
    assert not [module for module in imports_of(path, wherever=False) if module.split(".")[0] == "scipy"]


def test_the_picture_has_no_way_back():
    """No two different layers may import each other, but for those that stand side by side."""
    beside = [{"recipe", "presets", "fit", "warm"}, {"estimators", "evaluation", "export"}]
    for a in ALLOWED:
        for b in ALLOWED[a] - {a, ""}:
            assert a not in ALLOWED[b] or any({a, b} <= group for group in beside), f"{a} <-> {b}"


@pytest.mark.parametrize("path", APP, ids=name_of)
def test_pages_keep_to_themselves(path):
    shared = path.parent.name == "shared"
    for module in imports_of(path):
        parts = module.split(".")
        assert parts[:2] != ["treecore", "kernels"], f"{name_of(path)} imports a kernel"
        assert parts[0] != "numba"
        if parts[0] == "pages" and path.name != "streamlit_app.py":
            assert parts[1] in ("shared", "PAGES"), f"{name_of(path)} imports another page"
        assert not (shared and parts[0] == "streamlit_app"), f"{name_of(path)} imports the entry at the top"
    if not (shared and path.name == "state.py"):
        assert not session_state_in(path), f"{name_of(path)} touches st.session_state"


def session_state_in(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return any(isinstance(n, ast.Attribute) and n.attr == "session_state" for n in nodes) or any(
        module.endswith("session_state") for module in imports_of(path)
    )


def test_the_rules_can_fail(tmp_path):
    """A file that breaks them is seen: in a function, under another name, by `from`."""
    bad = tmp_path / "bad.py"
    lines = ["def f():", "import streamlit as s", "from streamlit import session_state", "s.session_state.x = 1"]
    bad.write_text("\n    ".join(lines))
    assert imports_of(bad) == {"streamlit", "streamlit.session_state"}
    assert session_state_in(bad)
    assert layer_of("treecore.growing.grower") == "growing"
    assert layer_of("treecore.grow") == ""
    assert layer_of("treecore.fit.grow") == "fit"
    assert layer_of("numpy.random") is None


def loaded_by(statement: str) -> set[str]:
    """Top-level packages in sys.modules after a statement, in a process of its own."""
    code = f"import sys\n{statement}\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.split())


def test_importing_treecore_is_light():
    assert not loaded_by("import treecore") & {"plotly", "pandas", "sklearn", "streamlit"}


def test_growing_from_arrays_is_light_too():
    statement = (
        "import numpy as np, treecore as tc\n"
        "from treecore.data import level_column, numeric_column\n"
        "t = tc.Table((numeric_column('x', np.array([1., 2, 3])), level_column('y', 'nominal', list('aab'), 'ab')),\n"
        "             target='y', features=('x',))\n"
        "tc.grow(t).predict(t)"
    )
    assert not loaded_by(statement) & {"plotly", "pandas", "sklearn", "streamlit"}


@pytest.mark.parametrize("path", LIBRARY + APP, ids=name_of)
def test_criteria_are_taken_from_their_registry(path):
    """It gives them their codes: an entry as its own file has it has none yet."""
    entries = {f"{e.node.py_func.__module__}.{name.upper()}" for name, e in CRITERIA_OF.items()}
    assert path.parent.name == "criteria" or not imports_of(path) & entries
