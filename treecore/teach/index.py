"""The worked examples: the registry of them, by theme, by what a teacher wants to show, and by a search."""

from dataclasses import dataclass

from treecore.export.worked_example import ExampleStep, WorkedExample
from treecore.growing.inspect.candidates import Candidate
from treecore.registry import Registry
from treecore.teach.example_counts import COUNTING
from treecore.teach.example_impurity import MEASURES, WORDS
from treecore.teach.example_numbers import NUMBERS
from treecore.teach.example_tennis import TENNIS
from treecore.teach.example_traps import TRAP_GUIDES
from treecore.teach.example_unknown import UNKNOWN
from treecore.teach.example_words import FRUITS, RESTAURANT
from treecore.teach.guide import Guide, OpenExample, figure_rows, where_printed
from treecore.tree.tree import split_order

GUIDES: Registry[Guide] = Registry(
    "worked example", *TENNIS, *UNKNOWN, *WORDS, *RESTAURANT, *MEASURES, *FRUITS, *COUNTING, *NUMBERS, *TRAP_GUIDES
)


def guides_of(sample: str | None) -> tuple[Guide, ...]:
    """The worked examples of a sample table, in the order of the registry."""
    return tuple(guide for guide in GUIDES.values() if guide.sample == sample)


@dataclass(frozen=True)
class Showcase:
    """What one step of an example can show a class.

    what : to follow "I want to show …". guide : name of the example. step : 0-based."""

    what: str
    guide: str
    step: int = 0


THEMES = {
    "Impurity": ("play_tennis", "a_b", "a_b_3", "x1_x2", "node_50_50", "node_90_10", "color_shape"),
    "Growing": (
        "lengths", "cars", "xor", "willwait", "willwait_ordinal", "tissue", "oblique", "salary", "how_many",
        "trap_many_levels", "trap_identifier", "trap_two_equal", "trap_duplicate", "trap_xor", "trap_oblique",
    ),
    "Missing values": ("play_tennis_day8", "left_out", "trap_not_at_random"),
    "Pruning": ("play_tennis_day15", "trap_noisy_class", "trap_horizon", "trap_unstable_root"),
    "Rules": ("fruit", "teeth", "miles"),
    "Judging": ("n_fold", "trap_rare_class", "trap_leak"),
}  # fmt: skip
"""Theme -> names of its examples, the one to begin with first; every example has one theme."""

INDEX = (
    Showcase("what entropy measures", "play_tennis"),
    Showcase("how a split lowers entropy", "play_tennis", 1),
    Showcase("how ID3 chooses the first question", "play_tennis", 3),
    Showcase("why a level without rows is an empty branch", "play_tennis", 5),
    Showcase("that each branch is a smaller problem of the same kind", "play_tennis", 4),
    Showcase("what the gain ratio is for", "play_tennis", 8),
    Showcase("that one contradicting row changes a tree", "play_tennis_day15"),
    Showcase("why the error rate is a poor impurity", "node_50_50"),
    Showcase("that Gini and entropy prefer purer branches", "node_50_50", 1),
    Showcase("a good split that the error rate does not see", "node_90_10"),
    Showcase("how a threshold is found among sorted values", "lengths"),
    Showcase("an ordinal feature cut in two", "willwait_ordinal"),
    Showcase("classes joined to super-classes by twoing", "tissue"),
    Showcase("a feature that is useless alone", "xor"),
    Showcase("that a slanted border becomes a staircase", "trap_oblique"),
    Showcase("how many trees there could be", "how_many", 1),
    Showcase("a missing value filled in", "play_tennis_day8", 1),
    Showcase("a row shared among branches", "play_tennis_day8", 2),
    Showcase("that missing itself can tell something", "trap_not_at_random"),
    Showcase("overfitting to wrong labels", "trap_noisy_class"),
    Showcase("why to grow on and then prune", "trap_horizon", 1),
    Showcase("that trees are unstable", "trap_unstable_root"),
    Showcase("a path of the tree as a rule", "fruit", 1),
    Showcase("conditions that follow from others", "oblique", 2),
    Showcase("accuracy that misleads for a rare class", "trap_rare_class"),
    Showcase("a feature that gives the answer away", "trap_leak"),
    Showcase("why an identifier must be left out", "trap_identifier"),
    Showcase("training, validation and test rows", "n_fold"),
    Showcase("cross-validation with N folds", "n_fold", 1),
    Showcase("whether a difference between two trees is real", "n_fold", 2),
)
"""In the order of a course."""


def theme_of(guide: Guide) -> str:
    return next(theme for theme, names in THEMES.items() if guide.name in names)


def search_guides(text: str) -> list[tuple[Guide, int]]:
    """The examples in which all words of a text occur, each with the first step that has them all; those with the words
    in their names come first."""
    words = text.casefold().split()
    named, others = [], []
    for guide in GUIDES.values():
        about = f"{guide.label} {guide.sample} {theme_of(guide)}".casefold()
        whats = {shown.step: shown.what for shown in INDEX if shown.guide == guide.name}
        steps = [f"{s.title} {s.text} {whats.get(i, '')}".casefold() for i, s in enumerate(guide.steps)]
        if all(word in about for word in words):
            named.append((guide, 0))
            continue
        place = next((i for i, step in enumerate(steps) if all(word in about or word in step for word in words)), None)
        if place is not None:
            others.append((guide, place))
    return named + others


def splits_made(guide: Guide, place: int) -> int:
    """How many splits of its tree an example has made at a step (0-based).

    The tree grows with the steps: a node is split once the next step is about another one, and at the last step
    everything is. What a step is about is there in any case.
    """
    here, last = guide.opened(place), place == len(guide.steps) - 1
    order = split_order(here.tree).tolist()
    if last:
        return len(order)
    when, same = {node: k for k, node in enumerate(order, 1)}, guide.growth(place)
    made = 0
    for j in range(place + 1):
        if guide.growth(j) != same:
            continue
        node = guide.opened(j).node
        made = max(made, *(when[n] for n in here.tree.path(node)[:-1]), 0)
        stays = guide.growth(j + 1) == same and guide.opened(j + 1).node == node
        if not (stays and node == here.node):
            made = max(made, when.get(node, 0))
    return made


def worked_example(guide: Guide | str) -> WorkedExample:
    """An example, or the one of this name in GUIDES, as an exported page shows it: every step with its own tree, grown
    as far as the example has come."""
    guide = GUIDES[guide] if isinstance(guide, str) else guide
    return WorkedExample(guide.label, tuple(_example_step(guide, place) for place in range(len(guide.steps))))


def _example_step(guide: Guide, place: int) -> ExampleStep:
    step, here, rows = guide.steps[place], guide.opened(place), figure_rows(guide, place)
    tree = here.answering  # without what was cut by hand; nodes of both trees are known by their rules
    grown = {here.tree.node(int(t)).rule for t in split_order(here.tree)[: splits_made(guide, place)]}
    made = sum(tree.node(int(t)).rule in grown for t in split_order(tree))
    rule = here.tree.node(here.node).rule
    node = next((t for t in range(tree.n_nodes) if tree.node(t).rule == rule), 0)
    figures, remarks = tuple(row[:3] for row in rows), tuple(row[3] for row in rows if row[3])
    return ExampleStep(step.title, step.text, tree, node, made, where_printed(step.place), figures, remarks)


class _Watched(OpenExample):
    """Remembers the splits that figures ask for."""

    def split(self, feature: str, threshold: float | None = None) -> Candidate:
        candidate = super().split(feature, threshold)
        self.__dict__.setdefault("asked", {})[candidate.condition] = candidate
        return candidate


def weighed_split(guide: Guide, place: int) -> Candidate | None:
    """The one split of its node that a step's figures are of, while the node is not split yet: the text talks of its
    branches, so they are to be seen, too. None where the step compares several, or none."""
    here = guide.opened(place)
    if here.node not in split_order(here.tree)[splits_made(guide, place) :]:
        return None
    watched = _Watched(here.table, here.tree, here.node, here.answering)
    for figure in guide.steps[place].figures:
        figure.ours(watched)
    asked = list(vars(watched).get("asked", {}).values())
    return asked[0] if len(asked) == 1 else None
