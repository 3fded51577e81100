"""What one node of a tree diagram shows, apart from how trees are stored and how they are drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from treecore.figures import count as number
from treecore.figures import measure, percent
from treecore.judging.interest import Interest, Tint, shown_rate, tint
from treecore.tree.short_text import NOWHERE, Places, shorten

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
    band : the mean less and plus the standard deviation of a regression, on the scale of `value`, or None.
    """

    role: str
    shares: tuple[float, ...] | None
    value: float | None
    n: float
    band: tuple[float, float] | None = None


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
    branch : the condition on the way here, on one line; of two trees on a line each, where they differ. levels : those
    that it lists. mark : what sets the node apart where two trees are drawn as one, and look : the class of its border
    and edge.
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

    @property
    def missing_count(self) -> str:
        """How many rows have no value for its test, in words."""
        return missing_count(self.missing_rows, self.missing_weight)

    @property
    def rows_told(self) -> str:
        """ "120 rows"; "120 estimation rows" on a card of an honest tree."""
        of = "estimation rows" if self.bars and self.bars[0].role == "estimation" else "rows"
        return f"{number(self.rows, ',')} {of}"


def as_grown(cards: Iterable[NodeCard]) -> tuple[NodeCard, ...]:
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


def card_tint(card: NodeCard, classes: Sequence[str], interest: Interest | None) -> Tint | None:
    """The colour of a card, by the first bar that has rows; None for numbers."""
    bar = next((bar for bar in card.bars if bar.shares and bar.n > 0), None)
    return None if bar is None else tint(bar.shares, _answer(card, classes), interest)


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
        parts.append(f"{shorten(card.impurity_name, 40)} {measure(card.impurity)}")
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
