"""Every page of the app, in the order of the navigation: the entry shows this list, the tests walk it."""

from pathlib import Path
from typing import NamedTuple

ASSETS = Path(__file__).resolve().parents[1] / "assets"
WORKBENCH = ASSETS / "workbench"


class Page(NamedTuple):
    """name : of its file. label : in the navigation. heading : in the strip over the page. group : of the navigation,
    '' for none. purpose : what it is for, in a line. called : other addresses by which people ask for it."""

    name: str
    label: str
    heading: str
    group: str
    purpose: str
    called: tuple[str, ...] = ()


PAGES = {
    page.name: page
    for page in (
        Page("data", "Data", "Data", "",
             "Check how each column was read, and choose what to predict.", ("data", "start", "upload", "samples")),
        Page("grow", "Explore", "Explore", "Tree",
             "See the tree, and why each split was made. Click a node to ask about it.", ("explore", "tree")),
        Page("size_and_pruning", "Size & pruning", "Size & pruning", "Tree",
             "How small can the tree be before it gets worse? Drag along the curve.", ("size", "pruning", "prune")),
        Page("regions", "Regions", "Regions", "Tree",
             "See what the tree predicts for every value of two features."),
        Page("court", "Pruning methods", "Pruning methods", "Tree",
             "Which branches does each pruning method keep, and whose tree is best?", ("pruning_court",)),
        Page("compare", "Compare", "Compare", "Tree",
             "Compare two trees: which is better, and on which rows do they differ?"),
        Page("experiments", "Experiments", "Experiments", "Tree",
             "Is another recipe better? Is the tree stable? Try it by cross-validation.", ("experiment",)),
        Page("segments", "Segments", "Segments", "Use",
             "Find the rows to act on first, and decide how many.", ("segment", "risk", "lift")),
        Page("predict", "Predict", "Predict", "Use",
             "Predict one row or a whole file, and see what would change the prediction.", ("predictions",)),
        Page("rules", "Rules", "Rules", "Use",
             "Read the tree as IF … THEN … rules, and see how good each of them is.", ("rule",)),
        Page("step_by_step", "Step by step", "Step by step", "Learn",
             "Watch the tree grow one split at a time, with the arithmetic.", ("steps",)),
        Page("guess", "Guess", "Guess", "Learn",
             "Guess the next split or cut, then see how good your guess was."),
        Page("worked_examples", "Worked examples", "Worked examples", "Learn",
             "Follow examples of lectures; every figure is computed step by step.", ("examples", "lectures")),
        Page("impurity", "Impurity", "Impurity", "Learn",
             "Compare Gini index, entropy and error rate, and see where a node lies."),
        Page("exercises", "Exercises", "Exercises", "Learn",
             "Print exercises with a key, made from the table that is loaded.", ("exercise",)),
    )
}  # fmt: skip
"""By name; the first one opens the app."""
