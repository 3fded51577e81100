"""Every page of the app, in the order of the navigation: the entry shows this list, the tests walk it."""

from typing import NamedTuple


class Page(NamedTuple):
    """name : of its file. label : in the navigation. heading : in the strip over the page. group : of the navigation,
    '' for none."""

    name: str
    label: str
    heading: str
    group: str = ""


PAGES = {
    page.name: page
    for page in (
        Page("data", "Data", "Data"),
        Page("grow", "Explore", "Explore", "Tree"),
        Page("size_and_pruning", "Size & pruning", "Size and pruning", "Tree"),
        Page("regions", "Regions", "Regions", "Tree"),
        Page("court", "Pruning court", "Pruning court", "Tree"),
        Page("compare", "Compare", "Compare", "Tree"),
        Page("experiments", "Experiments", "Experiments", "Tree"),
        Page("segments", "Segments", "Segments", "Use"),
        Page("predict", "Predict", "Predict", "Use"),
        Page("rules", "Rules", "Rules", "Use"),
        Page("step_by_step", "Step by step", "Step by step", "Learn"),
        Page("guess", "Guess", "Guess", "Learn"),
        Page("worked_examples", "Worked examples", "Worked examples", "Learn"),
        Page("impurity", "Impurity", "Impurity", "Learn"),
        Page("exercises", "Exercises", "Exercises", "Learn"),
    )
}
"""By name; the first one opens the app."""
