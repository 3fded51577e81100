"""What a tree diagram shows of each node: the cards, made of a tree, of what pruning leaves of it, and as text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from treecore.criteria import CRITERIA
from treecore.data.table import Table
from treecore.figures import brief, in_unit, percent
from treecore.figures import count as number
from treecore.judging.interest import Interest, Tint, around_zero, shown_rate, tint
from treecore.pruning.cuts import CUT, RAISED, Cuts, stub_lines
from treecore.study.node_targets import NodeTargets
from treecore.tree.columns import TreeColumns
from treecore.tree.missing import MissingRoute, as_grown, branch_name, is_for_missing, missing_parts, missing_route
from treecore.tree.node import NodeView
from treecore.tree.node_statistics import missing_weights
from treecore.tree.short_text import NOWHERE, Places, clean, shorten
from treecore.tree.tree import Tree

# Okabe and Ito's colours (told apart under the common colour-vision deficiencies) without black, which
# would vanish on a dark page, then three more of clearly different lightness. Each of them stands off
# both white and Streamlit's dark background; names are always printed too, so colour is never alone.
PALETTE = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
    "#d55e00", "#e0d040", "#7b5ea7", "#8c6d46", "#8a9099",
)  # fmt: skip

NUMBERS = "#1f5f8b"
"""The colour of predicted numbers, which have no class."""
PALE = 0.21
"""Of a class's colour at most on the ground of a picture: small grey text is read on it, and the bars stand off it."""


@dataclass(frozen=True)
class Bar:
    """The mixture of one data set inside one node.

    role : 'train', 'estimation', 'validation', 'test', or 'other' for the rows of another table.
    shares : class shares in the order of the classes, or None for a regression.
    value : the mean of a regression scaled to 0..1 over the tree, or None.
    n : weight of the rows behind it; 0 draws an empty bar.
    band : the mean less and plus the standard deviation of a regression, on the scale of `value`, or None; of a tree of
        quantiles or Huber means the 10 % and 90 % quantiles, around what the rows would answer. told : these in words.
    """

    role: str
    shares: tuple[float, ...] | None
    value: float | None
    n: float
    band: tuple[float, float] | None = None
    told: str = ""


@dataclass(frozen=True)
class NodeCard:
    """One node as a reader sees it; all texts are plain and unescaped.

    missing_rows : training rows without the value that the node's test asks for, missing_weight : theirs;
    missing_to : the child that took all of them, None where they were shared, stayed or were sent by surrogates,
    which missing_goes says. for_missing : only missing values lead here.
    below : nodes under this one that are not drawn.
    differs : "train ≠ valid, p 0.004" where the two bars differ significantly.
    stub : method and number of the verdict on a cut or raised node. raised : the node below that takes this one's
    place; place : the node whose place this one takes.
    tint : its colour, where it follows from no bar. facts : what its answer is made of.
    branch : the condition on the way here, on one line; of two trees on a line each, where they differ. levels : those
    that it lists. mark : what sets the node apart where two trees are drawn as one, and look : the class of its border
    and edge. line : of a leaf that answers with a line, how its answer changes with the first feature of it;
    whole_line : all of it, for pictures.
    """

    id: int
    parent: int | None
    branch: str
    title: str
    is_leaf: bool
    rows: float
    share: float
    impurity: float | None
    impurity_name: str
    spread: str = field(default="", kw_only=True)
    tint: Tint | None = field(default=None, kw_only=True)
    facts: tuple[str, ...] = field(default=(), kw_only=True)
    bars: tuple[Bar, ...]
    predicted: str
    missing_rows: float = 0.0
    missing_weight: float = 0.0
    missing_to: int | None = None
    missing_goes: str = ""
    for_missing: bool = False
    ghost: bool = False
    cut: str = ""
    stub: tuple[str, ...] = ()
    raised: int | None = None
    place: int | None = None
    below: int = 0
    differs: str = ""
    levels: tuple[str, ...] = ()
    mark: str = ""
    look: str = ""
    line: str = ""
    whole_line: str = ""

    @property
    def missing_count(self) -> str:
        """How many rows have no value for its test, in words."""
        return missing_count(self.missing_rows, self.missing_weight)

    @property
    def rows_told(self) -> str:
        """ "120 rows"; "120 estimation rows" on a card of an honest tree."""
        of = "estimation rows" if self.bars and self.bars[0].role == "estimation" else "rows"
        return f"{number(self.rows, ',')} {of}"


def cards_as_grown(cards: Iterable[NodeCard]) -> tuple[NodeCard, ...]:
    """The same cards without cuts, ghosts and differences: what the screen lays out.

    So pruning moves nothing, nor does another level or correction of the twin bars' test: the screen draws these
    marks over the layout, a picture that is laid out for itself has them in the node.
    """
    return tuple(replace(card, ghost=False, cut="", stub=(), raised=None, place=None, differs="") for card in cards)


def with_differences(cards: Iterable[NodeCard], marks: Mapping[int, str]) -> tuple[NodeCard, ...]:
    """The same cards with the marks of nodes whose bars differ; see evaluation.twin_words.marks."""
    return tuple(replace(card, differs=marks.get(card.id, "")) for card in cards)


def outline(cards: Sequence[NodeCard]) -> list[dict]:
    """One small JSON-ready dict per node: who is whose child, what a screen reader says, ghost and cut.

    The screen sends this on every rerun beside a drawing that stays the same. Texts are cleaned and
    shortened, but not escaped: they are shown with textContent.
    """
    levels: dict[int, int] = {}
    rows = []
    for card in cards:
        levels[card.id] = 1 if card.parent is None else levels[card.parent] + 1
        rows.append(_outline_row(card, levels[card.id]))
    return rows


def _outline_row(card: NodeCard, level: int) -> dict:
    row = {"id": card.id, "parent": card.parent, "level": level, "label": spoken(card)}
    row["predicted"] = shorten(card.predicted, 24)
    tint = majority(card.bars)
    if tint is not None:
        row["tint"] = tint
    if card.ghost:
        row["ghost"] = True
    if card.cut:
        row["cut"] = shorten(card.cut, 60)
    if card.raised is not None:
        row["raised"] = card.raised
    if card.stub:
        row["stub"] = [shorten(line, 28) for line in card.stub]
    if card.place is not None:
        row["place"] = card.place
    if card.differs:
        row["differs"] = shorten(card.differs, 60)
    if card.missing_rows > 0:
        row["missing"] = f"{card.missing_count}: {shorten(card.missing_goes, 240)}"
    return row


def card_rate(
    card: NodeCard, classes: Sequence[str], interest: Interest | None, letters: int = 24, places: Places = NOWHERE
) -> str:  # fmt: skip
    """The share of the first bar that a card tells, with the name of its class; '' for numbers and without rows."""
    shares = card.bars[0].shares if card.bars else None
    return "" if shares is None else shown_rate(shares, _answer(card, classes), classes, interest, letters, places)


def card_part(
    card: NodeCard, classes: Sequence[str], interest: Interest | None, places: Places = NOWHERE, letters: int = 10
) -> str:  # fmt: skip
    """The figure that matters, by its name: the share of the class of interest, or of the answer, which a leaf names
    above it; or the mean. letters : of the name."""
    shares = card.bars[0].shares if card.bars else None
    if shares is None:
        return shorten(card.line, 16, places) if card.is_leaf else shorten(card.predicted, 16)
    if card.is_leaf and interest is None and card.predicted in classes:
        return percent(shares[classes.index(card.predicted)])
    return card_rate(card, classes, interest, letters, places)


def card_tint(card: NodeCard, classes: Sequence[str], interest: Interest | None) -> Tint | None:
    """The colour of a card, its own, or by the first bar that has rows; None for numbers."""
    if card.tint is not None:
        return card.tint
    bar = next((bar for bar in card.bars if bar.shares and bar.n > 0), None)
    return None if bar is None or bar.shares is None else tint(bar.shares, _answer(card, classes), interest)


def fill(tint: Tint, colors: Sequence[str] = PALETTE, most: float = PALE, ground: str = "#ffffff") -> str:
    """A tint as a colour that text can be read on: at most so much of the class's colour on the ground; a grey where no
    class has it."""
    hue = colors[tint.k % len(colors)] if tint.k >= 0 else "#5b6270"
    part = most * tint.depth
    mixed = (
        round(part * int(hue[i : i + 2], 16) + (1 - part) * int(ground[i : i + 2], 16)) for i in (1, 3, 5)
    )  # fmt: skip
    return "#" + "".join(f"{value:02x}" for value in mixed)


def number_fill(part: float) -> str:
    """The colour of a predicted number, 0 for the least of the tree and 1 for the largest: text can be read on it."""
    share = (4 + 34 * min(max(part, 0.0), 1.0)) / 100
    return fill(Tint(0, 1.0, False), (NUMBERS,), share)


def _answer(card: NodeCard, classes: Sequence[str]) -> int:
    return classes.index(card.predicted) if card.predicted in classes else -1


def spoken(card: NodeCard, told: str = "") -> str:
    """The node in one sentence, for tooltips and screen readers. told : the share that it tells, see card_rate."""
    test = f"leaf {card.title}" if card.is_leaf else f"test {card.title}"
    parts = [shorten(test, 240), f"{card.rows_told}, {percent(card.share)}", *[told] * bool(told)]
    if card.branch:
        parts.insert(0, "branch " + shorten(card.branch, 240))
    if card.spread:
        parts.append(f"standard deviation {shorten(card.spread.removeprefix('± '), 40)}")
    elif card.impurity is not None:
        parts.append(f"{shorten(card.impurity_name, 40)} {brief(card.impurity)}")
    if not card.is_leaf or card.predicted != card.title:
        parts.append(f"predicts {shorten(card.predicted, 60)}")
    if card.mark:
        parts.append(shorten(card.mark, 120))
    if card.missing_rows > 0:
        parts.append(f"{card.missing_count}: {shorten(card.missing_goes, 120)}")
    if card.differs:
        parts.append(f"bars differ significantly: {shorten(card.differs, 60)}")
    if card.cut:
        parts.append(f"cut by {shorten(card.cut, 60)}")
    if card.raised is not None:
        parts.append(", ".join([f"node {card.raised} takes this place", *card.stub]))
    if card.place is not None:
        parts.append(f"raised to the place of node {card.place}")
    return "; ".join(parts)


def missing_count(n_rows: float, weight: float) -> str:
    """The training rows without the value of the node's test, with their weight where it is another number."""
    count, together = number(n_rows), number(weight)
    return f"{count} missing" + (f", weight {together}" if together not in (count, "0") else "")


def majority(bars: Iterable[Bar]) -> int | None:
    """Index of the most frequent class of the first bar that has any rows."""
    for bar in bars:
        if bar.shares and bar.n > 0:
            return max(range(len(bar.shares)), key=bar.shares.__getitem__)
    return None


# A tree as the cards of its diagram.


def describe_prediction(view: NodeView) -> str:
    """What a node predicts, as its card says it: a large number with separators of thousands, and its unit."""
    return view.tree.target_kind.card_text(view.tree, view.id)


def deviation_text(tree: TreeColumns, variance: float) -> str:
    """ "± 12,345 €": the root of a squared error has the unit of the target, it itself says little to anybody."""
    return f"± {in_unit(brief(variance**0.5), tree.schema.target_unit)}"


def tree_cards(
    tree: Tree,
    nodes: np.ndarray,
    stats: dict[str, np.ndarray],
    cuts: Cuts | None = None,
    values: np.ndarray | None = None,
) -> tuple[NodeCard, ...]:
    """One card per node to draw.

    nodes : ids, ascending, closed under parents (but for the first). stats : role -> float64 (n_nodes, S),
    see tree.node_statistics. cuts : marks cut and raised nodes, and ghosts. values : what sets the scale of a
    regression's bars, the tree's own values unless given.
    """
    cuts = cuts or Cuts.none(tree)
    result = cuts.stand(tree)
    ghost = np.ones(tree.n_nodes, bool)
    ghost[result.nodes] = False
    place = dict(zip(result.nodes[result.raised].tolist(), result.place[result.raised].tolist(), strict=True))
    drawn = set(nodes.tolist())
    values = tree.summary if values is None else values
    low, high = (0.0, 1.0) if tree.classes else (float(values.min()), float(values.max()))
    size = tree.add_up(np.ones(tree.n_nodes, np.int64))

    taken = {place: node for node, place in place.items()}

    def card(node: int) -> NodeCard:
        view = tree.node(node)
        leaf = view.is_leaf
        shown = any(child in drawn for child in tree.children(node))
        return NodeCard(
            id=node,
            parent=int(tree.parent[node]) if int(tree.parent[node]) in drawn else None,
            branch=clean(view.branch.removeprefix("∈ ").removeprefix("= ")),
            levels=view.branch_levels,
            title=describe_prediction(view) if leaf else view.feature or "",
            is_leaf=leaf,
            rows=view.weight,
            share=view.weight / float(tree.weight[0]),
            impurity=view.impurity if tree.target_kind.tells_impurity else None,
            impurity_name=CRITERIA[tree.criterion].label,
            tint=around_zero(tree, float(tree.summary[node])),
            facts=()  # a picture has the whole line
            if tree.lines is not None
            else tuple(f"{name} {figure}" for name, figure in tree.target_kind.card_lines(tree, node)),
            spread=deviation_text(tree, view.impurity) if tree.criterion == "squared_error" else "",
            bars=tuple(node_bar(tree, node, role, s[node], low, high) for role, s in stats.items()),
            predicted=describe_prediction(view),
            line=tree.target_kind.card_line(tree, node),
            whole_line=tree.target_kind.whole_line(tree, node) if leaf else "",
            **(_missing(tree, node) if shown and not leaf else {}),
            for_missing=only_missing(tree, node),
            ghost=bool(ghost[node]),
            place=place.get(node),
            **_verdict(cuts, node, bool(ghost[node]), taken),
            below=0 if leaf or shown else int(size[node]) - 1,
        )

    return tuple(card(int(node)) for node in nodes)


def _verdict(cuts: Cuts, node: int, ghost: bool, taken: dict[int, int]) -> dict:
    """The card's fields that say what a method made of the node, where it shows: taken is place -> node in it."""
    reason = cuts.reasons.get(node)
    if cuts.verdict[node] == RAISED and node in taken:
        return {"raised": taken[node], "stub": stub_lines(reason)}
    if cuts.verdict[node] != CUT or ghost:
        return {}
    return {"cut": f"{reason.method}, {reason.text}" if reason else "cut", "stub": stub_lines(reason)}


def _missing(tree: Tree, node: int) -> dict:
    """The card's fields that say where rows without the value went."""
    route = missing_route(tree, node)
    if route is None or not route.rows:
        return {}
    parts = missing_parts(tree, node, route)
    return {
        "missing_rows": route.rows,
        "missing_weight": route.weight,
        "missing_to": int(tree.first_child[node]) + parts[0][0] if len(parts) == 1 else None,
        "missing_goes": missing_goes(tree, node, route),
    }


def only_missing(tree: Tree, node: int) -> bool:
    """Do only rows without a value come here?"""
    above = int(tree.parent[node])
    return above >= 0 and is_for_missing(tree, above, node - int(tree.first_child[above]))


def missing_marks(tree: Tree, rows: Table | None = None) -> tuple[dict[int, str], dict[int, str]]:
    """What is written beside the routes of missing values, of all nodes.

    rows : the training rows, where they are at hand: only they tell which branch surrogates sent a row to.
    Returns (node -> what came to it without a value of what its parent asks for, inner node -> what no branch is known
    to have taken): "118 missing", or the weight where rows were shared; "3 missing stay here".
    """
    asked = np.flatnonzero((tree.missing_rows > 0) & ~tree.is_leaf).tolist()
    routes = {node: route for node in asked if (route := missing_route(tree, node)) is not None}
    weights = None
    if rows is not None and any(route.by_surrogates for route in routes.values()):
        weights = missing_weights(as_grown(tree), rows)
    came: dict[int, str] = {}
    rest: dict[int, str] = {}
    for node, route in routes.items():
        parts = {int(tree.first_child[node]) + branch: weight for branch, weight in missing_parts(tree, node, route)}
        if weights is not None and not parts:
            parts = {child: float(weights[child]) for child in tree.children(node) if weights[child] > 0}
        came |= {child: _missing_part(route, weight) for child, weight in parts.items()}
        left = route.weight - sum(parts.values())
        if route.by_surrogates and not parts:
            rest[int(node)] = f"{missing_count(route.rows, route.weight)}, by surrogates"
        elif left > LEAST_WEIGHT * route.weight:
            rest[int(node)] = f"{_missing_part(route, left)} stay here"
    return came, rest


def _missing_part(route: MissingRoute, weight: float) -> str:
    part = number(weight)
    return missing_count(route.rows, route.weight) if part == number(route.weight) else f"{part} missing"


LEAST_WEIGHT = 1e-9
"""Of the rows without a value: what sums leave over is no row that stays."""
MOST_SHARES = 4


def missing_goes(tree: Tree, node: int, route: MissingRoute) -> str:
    """Where the rows went, in few words: "≥ 2.5", "shared 60.0 % / 40.0 %", "2 by surrogate age, 1 stays here"."""
    if route.shares:
        if len(route.shares) > MOST_SHARES:
            return f"shared among {len(route.shares)} branches"
        return "shared " + " / ".join(percent(share) for share in route.shares)
    by = [f"{s.rows} by surrogate {s.feature}" for s in route.surrogates if s.rows] if route.asked else []
    if not by:
        return "stay here" if route.branch is None else branch_name(tree, node, route.branch)
    stay = f"{route.others} stay{'s' if route.others == 1 else ''} here"
    rest = [stay if route.branch is None else f"{route.others} to the larger branch"] if route.others else []
    return ", ".join(by + rest)


def node_bar(tree: Tree, node: int, role: str, stats: np.ndarray, low: float, high: float) -> Bar:
    """What the rows of a role are at a node. stats : (width,), theirs. low, high : ends of the scale of the answers."""
    n = float(tree.weight_of(stats))
    if tree.classes:
        return Bar(role, tuple((stats / n).tolist()) if n > 0 else None, None, n)
    if tree.schema.row_loss is not None and role == tree.figures_of and high > low and n > 0:
        return Bar(role, None, float((tree.value[node] - low) / (high - low)), n)  # rows say more: with_quantile_bars
    mean = tree.center[node] + tree.target_kind.answer_of(stats) if n > 0 else low
    if high <= low:
        return Bar(role, None, 0.5, n)
    if np.isnan(mean):
        return Bar(role, None, None, 0.0)
    place = float(np.clip((mean - low) / (high - low), 0.0, 1.0))  # an estimate is nearer to that of all rows
    return Bar(role, None, place, n, _band(tree, stats, float(tree.center[node]), low, high))


def _band(tree: Tree, stats: np.ndarray, center: float, low: float, high: float) -> tuple[float, float] | None:
    """What is drawn to either side of a node's answer, on the scale of its bar; see target.Target.band."""
    band = tree.target_kind.band(stats)
    if band is None:
        return None
    below, above = (float(np.clip((center + end - low) / (high - low), 0.0, 1.0)) for end in band)
    return below, above


def with_quantile_bars(
    cards: tuple[NodeCard, ...], tree: Tree, targets: Mapping[str, NodeTargets], values: np.ndarray | None = None
) -> tuple[NodeCard, ...]:
    """The cards with bars from the rows themselves: where the answer is among them, and between what most of them lie.

    targets : of the roles of the bars, see study.node_targets; the cards as they are where there are none.
    """
    if not targets:
        return cards
    values = tree.value if values is None else values

    def drawn(bar: Bar, node: int) -> Bar:
        return spread_bar(bar, tree, targets[bar.role], node, values) if bar.role in targets else bar

    return tuple(replace(card, bars=tuple(drawn(bar, card.id) for bar in card.bars)) for card in cards)


def spread_bar(bar: Bar, tree: Tree, targets: NodeTargets, node: int, values: np.ndarray) -> Bar:
    """The bar with where the answer is among these rows at a node, and between what most of them lie.

    values : the answers of all nodes, whose least and largest are the ends of the scale.
    """
    spread = targets.spread(node)
    if spread is None:
        return bar
    low, high = float(values.min()), float(values.max())
    begin, best, end = (float(np.clip((y - low) / ((high - low) or 1.0), 0.0, 1.0)) for y in spread)
    first, answer, last = (tree.target_kind.value_text(tree, float(f"{y:.6g}")) for y in spread)
    told = f"{tree.target_kind.noun} {answer}, 10 % to 90 %: {first} to {last}"
    return replace(bar, value=best, band=(begin, end), told=told)


# What cuts leave of a tree, as cards: laid out for itself, and its recomputed counts among the ghosts.


def pruned_cards(
    tree: Tree, cuts: Cuts, pruned: Tree, nodes: np.ndarray, stats: dict[str, np.ndarray]
) -> tuple[NodeCard, ...]:
    """Cards of the pruned tree: its structure, branches and counts, with the ids of the grown tree.

    pruned : tree.cut(cuts). nodes : ids in the pruned tree, ascending, closed under parents (but for the first).
    stats : role -> float64 (n nodes of the pruned tree, S).
    """
    ids = cuts.standing(tree)

    def grown(node: int | None) -> int | None:
        return None if node is None else int(ids[node])

    return tuple(
        replace(card, id=int(ids[card.id]), parent=grown(card.parent), missing_to=grown(card.missing_to))
        for card in tree_cards(pruned, nodes, stats, values=tree.summary)
    )


def with_cut(card: NodeCard, tree: Tree, cuts: Cuts) -> NodeCard:
    """A card of the pruned tree that says so where it is a leaf only because it was cut. tree : the grown one."""
    if not card.is_leaf or tree.is_leaf[card.id]:
        return card
    reason = cuts.reasons.get(card.id)
    return replace(card, cut=f"{reason.method}, {reason.text}" if reason else "cut")


def recounted(cards: Sequence[NodeCard], pruned: Sequence[NodeCard]) -> tuple[NodeCard, ...]:
    """Cards of the grown tree in which nodes that stand below a raised branch count the rows that reach them now.

    pruned : `pruned_cards` of the nodes that stand. What a node says of itself is taken from there; where it is
    drawn, and what is a ghost, stays.
    """
    now = {card.id: card for card in pruned}

    def counted(card: NodeCard) -> NodeCard:
        new = now.get(card.id)
        if new is None:
            return card
        title = new.predicted if card.is_leaf else card.title
        names = ("rows", "share", "impurity", "spread", "bars", "predicted", "tint", "facts")
        same = {name: getattr(new, name) for name in names}
        return replace(card, title=title, **same)

    return tuple(counted(card) for card in cards)
