"""The canvas in the browser makes no markup of data, in whichever module."""

import re
from pathlib import Path

import pytest

MODULES = sorted((Path(__file__).parents[2] / "assets/workbench").glob("*.js"))
MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|DOMParser")


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_no_data_ever_becomes_markup(module):
    assert not MARKUP.search(module.read_text(encoding="utf-8"))


def test_all_modules_are_looked_at():
    assert {"pane", "node", "hover", "make"} <= {path.stem for path in MODULES}
    assert MARKUP.search("element.innerHTML = text")
