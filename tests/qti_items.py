"""Quiz packages in QTI 2.1 read and marked by pyslet, another project's implementation of that standard.

pyslet is no dependency, so that the suite does not collect this:

uv run --with pyslet==0.7.20170805 pytest -n 0 tests/qti_items.py

It refuses what the content model of QTI does not allow where it stands, and logs values that an attribute may not have.
Tolerances it keeps as one text instead of the schema's list of two, which is mended here before it marks.
"""

import io
import logging
import zipfile

import pytest
from pyslet.imscpv1p2 import ManifestDocument
from pyslet.qtiv2.expressions import Equal
from pyslet.qtiv2.tests import AssessmentSection
from pyslet.qtiv2.variables import ItemSessionState
from pyslet.qtiv2.xml import QTIDocument

from tests.unit.test_quiz import hostile, sheets
from treecore.teach.quiz import quiz
from treecore.teach.sheet import Blank

KNOWN = "single value will overwrite List or Dict"


@pytest.fixture(scope="module")
def package():
    """(the sheets, the files of their package by name)."""
    made = [*sheets(), *sheets("willwait", 2), hostile()]
    with zipfile.ZipFile(io.BytesIO(quiz(made, "qti"))) as file:
        return made, {name: file.read(name) for name in file.namelist()}


def read(document, data: bytes, caplog):
    """Its root, where nothing in it was refused or logged as wrong."""
    caplog.clear()
    document.read(src=io.StringIO(data.decode()))
    assert [r.getMessage() for r in caplog.records if KNOWN not in r.getMessage()] == []
    return document.root


def score(item, answers: dict[str, str | float]) -> float:
    """What its response processing gives for these answers."""
    for test in item.find_children_depth_first(Equal):
        if isinstance(test.tolerance, str):
            test.tolerance = test.tolerance.split()
    state = ItemSessionState(item)
    state.begin_session()
    for name, answer in answers.items():
        state[name].set_value(answer)
    item.ResponseProcessing.run(state)
    return state["SCORE"].value


def right(blank: Blank) -> str | float:
    return f"c{blank.right[-1]}" if blank.options else float(blank.value)


def wrong(blank: Blank) -> str | float:
    others = set(range(len(blank.options) + 1)) - set(blank.right)
    return f"c{min(others)}" if blank.options else float(blank.value) + 0.5


def test_every_item_is_valid_and_marked_as_its_key_says(package, caplog):
    made, files = package
    caplog.set_level(logging.WARNING)
    test = read(QTIDocument(), files["quiz.xml"], caplog)
    sections = list(test.find_children_depth_first(AssessmentSection))
    assert len(sections) == len(made)
    marked = 0
    for one, section in zip(made, sections, strict=True):
        tasks = [task for task in one.tasks if task.blanks]
        for ref, task in zip(section.SectionPart, tasks, strict=True):
            item = read(QTIDocument(), files[str(ref.href)], caplog)
            blanks = {f"R{i}": blank for i, blank in enumerate(task.blanks, 1)}
            assert score(item, {name: right(blank) for name, blank in blanks.items()}) == len(blanks)
            assert score(item, {name: wrong(blank) for name, blank in blanks.items()}) == 0
            assert score(item, {"R1": right(task.blanks[0])}) == 1
            marked += len(blanks)
    assert marked == sum(len(task.blanks) for one in made for task in one.tasks) > 100


def test_the_manifest_names_the_files_by_their_types(package, caplog):
    _, files = package
    caplog.set_level(logging.WARNING)
    manifest = read(ManifestDocument(), files["imsmanifest.xml"], caplog)
    kinds = [resource.type for resource in manifest.Resources.Resource]
    assert kinds[0] == "imsqti_test_xmlv2p1"
    assert set(kinds[1:]) == {"imsqti_item_xmlv2p1"}
    assert len(kinds) == len(files) - 1
