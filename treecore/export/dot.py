"""A tree diagram as Graphviz source, from the cards of its nodes."""

import html
import re
from collections.abc import Mapping, Sequence
from itertools import groupby

import graphviz

from treecore.export.cards import PALE, PALETTE, Bar, NodeCard, card_rate, card_tint, fill, number_fill, spoken
from treecore.export.layout import PAD
from treecore.figures import brief, count, percent
from treecore.judging.interest import Interest, Tint
from treecore.tree.short_text import NOWHERE, Places, apart, clean, fit_lines, shorten

# Where none of them is installed, Graphviz estimates the widths of the first.
FONTS = "Helvetica,Arial,sans-serif"
INK, MUTED, LINE, EMPTY, CUT = "#1f2430", "#5b6270", "#8a909c", "#e3e6eb", "#a8323a"
BAR_WIDTH, BAR_HEIGHT = 80, 8
ROLE_WIDTH, ROLE_HEIGHT = 28, 12
ANSWER_WIDTH, SPREAD = 3, 0.6
"""Of the mark of an answer among its rows, in points; and of its colour the share in the bar of most of them."""
MISSING_WIDTH = "1.6"
"""Points, which are two pixels: wider than a branch, so that the route of missing values is told from it."""
TITLE_COLUMNS, BRANCH_COLUMNS, STUB_COLUMNS, STUB_LINES, RATE_COLUMNS, LINE_COLUMNS = 20, 18, 22, 4, 14, 26
# Graphviz puts the node's name where any label, HTML-like ones included, says \N (and so on), and offers no
# way to quote it: a space of no width after the backslash keeps the two apart.
_GRAPHVIZ_ESCAPE = re.compile(r"\\(?=[NGETHL])")
ROLES = {"train": "train", "validation": "valid", "test": "test", "other": "other"}
LOOKS = {
    "only-a": {"style": "dashed", "penwidth": "1.6"},
    "only-b": {"style": "dotted", "penwidth": "2"},
    "changed": {"penwidth": "2.6", "color": INK},
}  # fmt: skip
"""Lines of the places that two trees do not share, by the look of their cards."""


def tree_dot(
    cards: Sequence[NodeCard],
    *,
    classes: Sequence[str],
    colors: Sequence[str] = PALETTE,
    orientation: str = "TB",
    compact: bool = False,
    missing: bool = True,
    attributes: Mapping[str, str] | None = None,
    interest: Interest | None = None,
) -> str:
    """The diagram as DOT source; parents come before their children in `cards`.

    orientation : 'TB' (root on top) or 'LR' (root on the left). compact : only title and bars.
    missing : draw the routes of missing values, too: a dashed line beside the branch that took the rows, the branch
    itself where nothing else goes down it, or a line to a stub that says where they went.
    attributes : of the graph, besides ours or in their place. interest : the class whose share every node tells and is
    coloured by; None: that of its answer, by how pure it is, inner nodes paler.
    Ids are n7 for node 7, e7 for the edge to it, m7 (and r7) for the route of its missing values; classes (in the
    SVG too) are inner or leaf, ghost, cut, and a card's look; missing for a route.
    """
    graph = graphviz.Digraph(
        "tree",
        graph_attr=_graph_attributes(orientation) | dict(attributes or {}),
        node_attr=_node_attributes(),
        edge_attr=_edge_attributes(orientation),
    )
    routed = [card for card in cards if missing and not compact and card.missing_rows > 0]
    beside = {card.missing_to: card for card in routed}
    places = apart(
        (card.title for card in cards if not card.is_leaf), (card.title for card in cards if card.is_leaf),
        (text for card in cards for text in (card.branch, *card.levels)),
    )  # fmt: skip
    for card in cards:
        told = card_rate(card, classes, interest, RATE_COLUMNS, places)
        look = _look(card, told) | _ground(card, card_tint(card, classes, interest), colors)
        graph.node(f"n{card.id}", label=_label(card, told, len(classes), colors, compact, places), **look)
        if card.parent is not None and card.for_missing and card.id in beside:
            _draw_missing(graph, beside[card.id], f"e{card.id}")
        elif card.parent is not None:
            graph.edge(f"n{card.parent}", f"n{card.id}", label=_branch(card, places), **_edge_look(card))
            if card.id in beside:  # edges stand in the order in which they are named
                _draw_missing(graph, beside[card.id], f"m{card.parent}")
    for card in routed:
        if card.missing_to is None:
            _draw_stub(graph, card)
    return graph.source


def _draw_missing(graph: graphviz.Digraph, card: NodeCard, name: str) -> None:
    """The route of a node's missing values, down one of its branches."""
    text = _html(f"&#160;{_small(card.missing_count)}&#160;")
    graph.edge(f"n{card.id}", f"n{card.missing_to}", id=name, label=text, **_missing_look(card))


def _draw_stub(graph: graphviz.Digraph, card: NodeCard) -> None:
    """The same where no branch took all of them: a small box beside the branches says what became of them."""
    name, look = f"m{card.id}", _missing_look(card)
    goes = card.missing_goes[:2000].split(", ")
    if len(goes) > STUB_LINES:
        goes = [*goes[: STUB_LINES - 1], f"+{len(goes) - STUB_LINES + 1} more"]
    told = [*card.missing_count.split(", "), *goes]
    lines = [line for part in told for line in _lines(part, STUB_COLUMNS)]
    label = _html("<BR/>".join(_small(line) for line in lines))
    tip = graphviz.escape(f"{card.missing_count}: {shorten(card.missing_goes, 120)}")
    graph.edge(f"n{card.id}", name, id=f"r{card.id}", **look)
    graph.node(name, label=label, id=name, tooltip=tip, margin="0.1,0.04", **(look | {"style": "rounded,dashed"}))


def _missing_look(card: NodeCard) -> dict[str, str]:
    ghost = card.ghost or bool(card.cut)
    look = {"style": "dashed", "color": LINE if ghost else INK, "penwidth": MISSING_WIDTH}
    return look | {"class": "missing ghost" if ghost else "missing"}


def _graph_attributes(orientation: str) -> dict[str, str]:
    return {
        "rankdir": orientation,
        "ordering": "out",
        "nodesep": "0.16",
        "ranksep": "0.29",
        "splines": "polyline",
        "bgcolor": "transparent",
        "pad": str(PAD),
        "fontname": FONTS,
    }


def _node_attributes() -> dict[str, str]:
    return {
        "shape": "box",
        "style": "filled",
        "fillcolor": "white",
        "color": LINE,
        "fontname": FONTS,
        "fontsize": "12",
        "fontcolor": INK,
        "margin": "0.07,0.06",
        "height": "0",
        "width": "0",
    }


def _edge_attributes(orientation: str) -> dict[str, str]:
    """Branches leave from the middle of one side and arrive in the middle of the facing one."""
    tail, head = ("e", "w") if orientation == "LR" else ("s", "n")
    return {
        "fontname": FONTS,
        "fontsize": "11",
        "fontcolor": INK,
        "color": LINE,
        "arrowhead": "none",
        "penwidth": "1.1",
        "tailport": tail,
        "headport": head,
    }


def _ground(card: NodeCard, tint: Tint | None, colors: Sequence[str]) -> dict[str, str]:
    """The colour of a node that stands."""
    value = card.bars[0].value if card.bars else None
    if tint is None and value is not None and not (card.ghost or card.look):
        return {"fillcolor": number_fill(value)}
    if tint is None or card.ghost or card.look:
        return {}
    most = PALE if tint.diverging or card.is_leaf else PALE / 2
    return {"fillcolor": fill(tint, colors, most)}


def _look(card: NodeCard, told: str) -> dict[str, str]:
    """Attributes that tell leaves, ghosts and cut nodes apart without colour and without changing a size."""
    style = ["filled"] + ["rounded"] * card.is_leaf + ["dashed"] * card.ghost
    kind = "leaf" if card.is_leaf else "inner"
    kind += " ghost" * card.ghost + " cut" * bool(card.cut) + " raised" * (card.raised is not None)
    look = {"id": f"n{card.id}", "class": kind, "style": ",".join(style)}
    look["tooltip"] = graphviz.escape(spoken(card, told))
    if card.ghost:
        look |= {"fontcolor": LINE, "color": "#b9bec7"}
    if card.cut or card.raised is not None:
        look |= {"penwidth": "2", "color": CUT}
    if card.look:
        look |= _marked(card.look, f"{kind} {card.look}", ["filled"] + ["rounded"] * card.is_leaf)
    return look


def _marked(name: str, kind: str, style: Sequence[str] = ()) -> dict[str, str]:
    """The line of a place that two trees do not share, apart without colour; attributes of a node or an edge."""
    more = LOOKS[name] | {"class": kind}
    return more | {"style": ",".join([*style, more["style"]]) if more.get("style") else ",".join(style) or "solid"}


def _edge_look(card: NodeCard) -> dict[str, str]:
    look = {"id": f"e{card.id}"}
    if card.ghost:
        look |= {"class": "ghost", "style": "dashed", "color": "#b9bec7", "fontcolor": LINE}
    if card.look in ("only-a", "only-b"):
        look |= _marked(card.look, card.look)
    return look


def _branch(card: NodeCard, places: Places) -> str:
    """The text on the edge, of two trees on a line each; no-break spaces keep it off its line."""
    told = card.branch.splitlines()
    of_each = [shorten(line, BRANCH_COLUMNS, places) for line in told]
    lines = of_each if len(told) > 1 else _lines(card.branch, BRANCH_COLUMNS, card.levels, places)
    return _html("<BR/>".join(f"&#160;{escaped(line)}&#160;" for line in lines))


def _lines(text: str, limit: int, levels: Sequence[str] = (), places: Places = NOWHERE) -> list[str]:
    """At most two lines; a name made of nothing is said to be empty."""
    return fit_lines(text, limit, levels, places) if clean(text[:1000]) else ["(empty)"]


def _label(
    card: NodeCard, told: str, n_classes: int, colors: Sequence[str], compact: bool, places: Places
) -> str:  # fmt: skip
    rows = [_row(f"<B>{escaped(line)}</B>") for line in _lines(card.title, TITLE_COLUMNS, (), places)]
    if not compact:
        rows += [_row(_small(text)) for text in _facts(card)]
    if not told and not card.is_leaf and (bool(card.bars) and card.bars[0].value is not None):
        told = card.predicted
    if told:
        rows.append(_row(f'<FONT POINT-SIZE="10">{escaped(told)}</FONT>'))
    if card.whole_line:
        rows += [
            _row(f'<FONT POINT-SIZE="10">{escaped(line)}</FONT>') for line in _lines(card.whole_line, LINE_COLUMNS)
        ]
    if card.bars:
        rows.append(_row(_bars(card.bars, n_classes, colors, compact)))
    if card.mark:
        rows += [_row(f'<FONT POINT-SIZE="10"><I>{escaped(line)}</I></FONT>') for line in _lines(card.mark, 26)]
    if card.differs:
        rows.append(_row(f'<FONT POINT-SIZE="10"><B>{escaped(shorten(card.differs, 30))}</B></FONT>'))
    for told in _verdict(card):
        rows.append(_row(f'<FONT POINT-SIZE="10" COLOR="{CUT}">{escaped(told)}</FONT>'))
    return _html(f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{"".join(rows)}</TABLE>')


def _verdict(card: NodeCard) -> list[str]:
    """What became of a cut or raised node, and by which method and number."""
    if card.raised is not None:
        return [f"raised: node {card.raised} here", *(shorten(line, 30) for line in card.stub)]
    if not card.cut:
        return []
    first, *rest = card.stub or (card.cut,)
    return [f"cut: {shorten(first, 30)}", *(shorten(line, 30) for line in rest)]


def _facts(card: NodeCard) -> list[str]:
    """The lines below the title: rows and share, impurity, what is not drawn."""
    facts = [f"n = {count(card.rows, ',')} ({percent(card.share)})"]
    if card.spread:
        facts.append(shorten(card.spread, 24))
    elif card.impurity is not None:
        facts.append(f"{shorten(card.impurity_name, 14)} {brief(card.impurity)}")
    facts += [shorten(fact, 30) for fact in card.facts]
    if card.below:
        facts.append(f"▸ {card.below} more nodes")
    return facts


def _bars(bars: Sequence[Bar], n_classes: int, colors: Sequence[str], compact: bool) -> str:
    """The bars in a table of fixed size: a wide card would stretch it and tear the segments apart."""
    rows = "".join(_bar_row(bar, n_classes, colors, compact) for bar in bars)
    wide = BAR_WIDTH + (4 if compact else 6 + ROLE_WIDTH)
    high = len(bars) * ((BAR_HEIGHT if compact else ROLE_HEIGHT) + 2) + 2
    size = f'FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="{high}"'
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="2" CELLPADDING="0" {size}>{rows}</TABLE>'


def _bar_row(bar: Bar, n_classes: int, colors: Sequence[str], compact: bool) -> str:
    cells = "".join(_cell(wide, BAR_HEIGHT, *look) for wide, *look in _segments(bar, n_classes, colors))
    strip = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>{cells}</TR></TABLE>'
    if compact:
        return f"<TR><TD>{strip}</TD></TR>"
    role = f'<FONT POINT-SIZE="9" COLOR="{MUTED}">{escaped(ROLES.get(bar.role, shorten(bar.role, 4)))}</FONT>'
    size = f'ALIGN="LEFT" FIXEDSIZE="TRUE" WIDTH="{ROLE_WIDTH}" HEIGHT="{ROLE_HEIGHT}"'
    return f"<TR><TD>{strip}</TD><TD {size}>{role}</TD></TR>"


SIGNS = (
    "####....", "....####", "##....##", "..####..", "##..##..", "..##..##", "#.#.#.#.",
    "######..", "..######", "###..###", "#......#",
)  # fmt: skip
"""What lies over a colour when it comes again: rows of one point in the height of a bar, "." in white."""


def _cell(wide: int, high: int, color: str, sign: str = "") -> str:
    """A part of a bar; of a class whose colour another one has, in stripes."""
    size = f'FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="{high}"'
    if not sign:
        return f'<TD {size} BGCOLOR="{color}"></TD>'
    stripes = "".join(
        f"<TR>{_cell(wide, len(list(rows)), color if mark == '#' else 'white')}</TR>" for mark, rows in groupby(sign)
    )
    return f'<TD {size}><TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{stripes}</TABLE></TD>'


def _segments(bar: Bar, n_classes: int, colors: Sequence[str]) -> list[tuple]:
    """(width in points, colour, sign if it is not the first class of this colour), together BAR_WIDTH; an empty bar is
    one pale cell."""
    if bar.n <= 0:
        return [(BAR_WIDTH, EMPTY)]
    if bar.told and bar.band is not None:
        return _spread(bar, colors[0])
    if bar.shares is None:
        shares, paints = [min(max(bar.value or 0.0, 0.0), 1.0)], [(colors[0],)]
    else:
        shares, paints = list(bar.shares[:n_classes]), [paint(k, colors) for k in range(n_classes)]
    edges, total = [0], 0.0
    for share in shares:
        total += share
        edges.append(min(round(total * BAR_WIDTH), BAR_WIDTH))
    parts = [(b - a, *paint) for a, b, paint in zip(edges, edges[1:], paints, strict=False) if b > a]
    rest = BAR_WIDTH - edges[-1]
    return [*parts, (rest, EMPTY)] if rest > 0 else parts


def _spread(bar: Bar, color: str) -> list[tuple]:
    """The same of a bar of rows: between what most of them lie, and in dark their answer."""
    begin, end = (round(place * BAR_WIDTH) for place in bar.band)
    at = min(round(bar.value * BAR_WIDTH), BAR_WIDTH - ANSWER_WIDTH)
    begin, end = min(begin, at), max(end, at + ANSWER_WIDTH)
    pale = fill(Tint(0, 1.0, False), (color,), SPREAD)
    parts = [(begin, EMPTY), (at - begin, pale), (ANSWER_WIDTH, INK), (end - at - ANSWER_WIDTH, pale),
             (BAR_WIDTH - end, EMPTY)]  # fmt: skip
    return [part for part in parts if part[0] > 0]


def paint(k: int, colors: Sequence[str]) -> tuple[str, ...]:
    turn, place = divmod(k, len(colors))
    return (colors[place], SIGNS[(turn - 1) % len(SIGNS)]) if turn else (colors[place],)


def _row(content: str) -> str:
    return f"<TR><TD>{content}</TD></TR>"


def _small(text: str) -> str:
    return f'<FONT POINT-SIZE="10" COLOR="{MUTED}">{escaped(text)}</FONT>'


def escaped(text: str) -> str:
    """Text for inside an HTML-like label; never empty, because an empty font element is an error."""
    return html.escape(_GRAPHVIZ_ESCAPE.sub("\\\\\u200b", text), quote=True) or " "


def _html(content: str) -> str:
    return f"<{content}>"
