"""Which of scikit-learn's own tests are left out is published, with the reasons, and nothing else."""

import re
from pathlib import Path

from tests.sklearn_trees import DESELECTED, DESELECTED_WORDS

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "sklearn.md"


def test_the_page_lists_what_is_left_out_and_why():
    part = PAGE.read_text("utf-8").split("## Scikit-learn's own tests")[1]
    told = dict(re.findall(r"^\| (?:names with )?`([^`]+)` \| (.+) \|$", part, re.MULTILINE))
    assert told == DESELECTED_WORDS | DESELECTED
