"""The version, its date and what has changed are said alike wherever they are said."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECTION = re.compile(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", re.MULTILINE)


def test_the_changelog_begins_with_what_is_to_come_and_the_last_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cited = dict(re.findall(r"^(version|date-released): (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    assert cited["version"] == version
    sections = SECTION.findall((ROOT / "CHANGELOG.md").read_text())
    assert sections[:2] == [("Unreleased", ""), (version, cited["date-released"])]
    dates = [date for _, date in sections[1:]]
    assert dates == sorted(dates, reverse=True)


def test_every_heading_of_the_changelog_is_a_version():
    headings = re.findall(r"^## .*$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert all(SECTION.match(heading) for heading in headings)
