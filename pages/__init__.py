"""Every page of the app, in the order of the navigation: the entry shows this list, the tests walk it."""

from typing import NamedTuple


class Page(NamedTuple):
    """name : of its file. label : in the navigation. heading : over the page."""

    name: str
    label: str
    heading: str


PAGES = {
    page.name: page
    for page in (
        Page("data", "Data", "A table to learn from"),
        Page("grow", "Grow", "Grow a tree"),
        Page("step_by_step", "Step by step", "Step by step"),
        Page("regions", "Regions", "Decision regions"),
        Page("size_and_pruning", "Size & pruning", "Size and pruning"),
        Page("court", "Pruning court", "Pruning court"),
        Page("compare", "Compare", "Compare two trees"),
        Page("rules", "Rules", "Rules of the tree"),
    )
}
"""By name; the first one opens the app."""
