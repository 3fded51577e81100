"""One page about a tree for people who were not there: data, recipe, tree, size, errors, rules; prints on A4."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from treecore.brief import visible
from treecore.data.column import Column
from treecore.data.table import Table
from treecore.export.cards import tree_cards
from treecore.export.chart import Chart, chart_svg
from treecore.export.experiment_result import Told
from treecore.export.pictures import drawing
from treecore.export.rule_texts import measure_name, measured_cell
from treecore.figures import brief, count, number, percent
from treecore.fit import Fit
from treecore.judging.confusion import confusion
from treecore.judging.interest import FlagRule, Interest, check_interest, interest_of
from treecore.judging.measures import TENTH
from treecore.judging.ranking import Ranking, ranking_by
from treecore.pruning import sequence
from treecore.rules import rules
from treecore.seal import Seal
from treecore.study.curves import SizeCurve, size_curve
from treecore.study.metrics import score
from treecore.study.segments import segments
from treecore.study.survival_curves import SmallCurves, has_curves, rows_of_nodes, small_curves
from treecore.tree.node import top_nodes
from treecore.tree.short_text import shorten
from treecore.tree.tree import Tree

MOST_NODES, MOST_RULES, MOST_COLUMNS, MOST_CLASSES = 25, 40, 60, 12
"""What one page has room for; the rest is counted."""
MOST_CURVES, MOST_LETTERS = 12, 90
"""Leaves whose curves are drawn, and letters of what is said below one."""
DEEP = 4
"""Levels that can be read across an upright page; deeper trees have the last one for themselves, on its side."""
WIDE, HIGH = 640, 220
COLORS = {"train": "#7a7f87", "validation": "#1f5f8b", "test": "#b35c00", "pruning": "#7b5ea7"}
STYLE = """@page { size: A4; margin: 16mm; } @page wide { size: A4 landscape; margin: 12mm; }
body { font: 10.5pt/1.45 system-ui, sans-serif; color: #24282d; background: #fff; max-width: 180mm; margin: 1rem auto; }
h1 { font-size: 16pt; margin: 0 0 .3em; } h2 { font-size: 12pt; margin: 1.3em 0 .3em; break-after: avoid; }
table { border-collapse: collapse; width: 100%; font-size: 9pt; } tr { break-inside: avoid; }
th, td { text-align: left; padding: .15em .5em .15em 0; border-bottom: 1px solid #dcd8cf; overflow-wrap: anywhere; }
th { overflow-wrap: normal; } td + td:not(.n) { min-width: 7em; } .whole, .wide { break-inside: avoid; }
.wide { page: wide; } @media print { body { max-width: none; } }
td.n, th.n { text-align: right; } figure { margin: .5em 0; break-inside: avoid; }
figcaption { color: #5f6670; font-size: 9pt; margin: .1em 0; }
svg { max-width: 100%; height: auto; }
.small { display: grid; grid-template-columns: repeat(3, 1fr); gap: .4em 1em; }
p.soft { color: #5f6670; font-size: 9pt; margin: .2em 0; }
ol { padding-left: 1.4em; }
"""


def to_report(fit: Fit, name: str = "table", more: Sequence[Told] = (), interest: str | None = None) -> str:
    """An HTML page that needs nothing else.

    fit : as tc.fit gives it. name : of the table, for the title. more : sections that follow the confusion matrix, such
    as what experiments have found. interest : the class whose share nodes and rules tell, as for export.
    """
    tree = fit.tree
    every = {"train": fit.train, "validation": fit.validation, "test": fit.test, "pruning": fit.pruning}
    check_interest(tree, interest)
    looked_for = interest_of(tree, interest)
    roles = {role: rows for role, rows in every.items() if rows is not None and rows.n_rows}
    counted = roles if fit.estimation is None else roles | {"estimation": fit.estimation}
    title = f"{tree.schema.target} of {name}: a decision tree of {_leaves(tree)}"
    drawn, deep = _section("The tree", _picture(tree, looked_for)), tree.depth > DEEP
    parts = [
        f"<h1>{_text(title)}</h1>",
        _soft(tree.figures_told.strip()) if tree.figures_told else "",
        _section("How it was made", _ordered(fit.recipe.lines(fit.grown))),
        _section("How good it is", _scores(tree, roles, looked_for) + _sealed(fit)),
        "" if deep else drawn,
        _section("Curves of the leaves", _survival(tree, fit.train)) if has_curves(tree) else "",
        _section("Size against error", _curve(fit, roles)),
        _section("Confusion matrix", _confusion(tree, roles)) if tree.classes else "",
        "" if fit.flag is None else _section("Which rows are flagged", _flagged(tree, counted, fit.flag)),
        *(_section(title, _paragraphs(lines)) for title, lines in more),
        _section("Rules", _rules(tree, looked_for)),
        _section("The data", _columns(fit.train)),
        f'<div class="wide">{drawn}</div>' if deep else "",
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{_text(title)}</title>\n<style>\n{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _text(text: str) -> str:
    return escape(visible(str(text)))


def _leaves(tree: Tree) -> str:
    return "one leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"


def _section(title: str, content: str) -> str:
    return f"<section><h2>{_text(title)}</h2>\n{content}</section>"


def _ordered(lines: Iterable[str]) -> str:
    return "<ol>" + "".join(f"<li>{_text(line)}</li>" for line in lines) + "</ol>"


def _table(head: Sequence[str], rows: Iterable[Sequence], numbers: int) -> str:
    """numbers : so many columns at the end are set to the right."""
    side = ["" if i < len(head) - numbers else ' class="n"' for i in range(len(head))]
    top = "".join(f"<th{s}>{_text(cell)}</th>" for s, cell in zip(side, head, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{s}>{_text(cell)}</td>" for s, cell in zip(side, row, strict=True)) + "</tr>\n"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table>\n"


def _paragraphs(lines: Sequence) -> str:
    """Paragraphs, tables and pictures, one below the other."""
    return "".join(_paragraph(line) for line in lines)


def _paragraph(line: str | tuple | Chart) -> str:
    if isinstance(line, Chart):
        return f"<figure>{chart_svg(line)}\n<figcaption>{_text(line.caption)}</figcaption></figure>\n"
    return f"<p>{_text(line)}</p>\n" if isinstance(line, str) else _table(*line, 0)


def _soft(text: str) -> str:
    return f'<p class="soft">{_text(text)}</p>\n'


def _scores(tree: Tree, roles: dict[str, Table], interest: Interest | None) -> str:
    """A line for each role; what the tree is judged by comes first."""
    result = {role: score(tree, rows) for role, rows in roles.items()}
    names: tuple[str, ...]
    figures: dict[str, tuple[str, ...]]
    numbers = {role: (role, f"{s.n_rows:,}") for role, s in result.items()}
    first, rankings = next(iter(result.values())), _rankings(tree, roles, interest)
    if not tree.classes:
        heads = {role: s.headline for role, s in result.items()}
        head = next(iter(heads.values()))
        names = (head.name, head.root, "")
        figures = {role: (h.told(h.value), h.told(h.baseline), h.beside) for role, h in heads.items()}
    elif first.cost is not None:
        names = (first.measure, "baseline", "accuracy")
        figures = {
            role: (brief(s.cost), brief(s.cost_baseline), percent(s.accuracy)) for role, s in result.items()
        }  # fmt: skip
    else:
        names = ("accuracy", "baseline")
        figures = {role: (percent(s.accuracy), percent(1 - s.baseline)) for role, s in result.items()}
    if rankings and interest is not None:  # always answering with the common class is right nearly always
        named = tree.class_names[interest.k]
        names = (f"AUC of {named}", f"{named} among the riskiest {100 * TENTH:.0f} %", *names)
        found = {role: (f"{r.area:.3f}", percent(r.captured(TENTH))) for role, r in rankings.items()}
        figures = {role: (*found.get(role, ("–", "–")), *more) for role, more in figures.items()}
    titles = ("rows", "number", *names)
    return _table(titles, [(*numbers[role], *more) for role, more in figures.items()], len(titles) - 1)


def _rankings(tree: Tree, roles: dict[str, Table], interest: Interest | None) -> dict[str, Ranking]:
    """By role, of a class of interest that is rare among the first role's rows; {} without one."""
    if interest is None or tree.n_leaves == 1:
        return {}
    made = {role: ranking_by(tree, rows, interest.k) for role, rows in roles.items()}
    first = next(iter(made.values()))
    if first is None or not first.is_of_rare_class:
        return {}
    return {role: ranking for role, ranking in made.items() if ranking is not None}


def _sealed(fit: Fit) -> str:
    """When the test rows were opened, where they were sealed."""
    seal = fit.recipe.last(Seal)
    return "" if seal is None else f"<p>{_text(seal.told(fit.recipe.digest()))}</p>\n"


def _picture(tree: Tree, interest: Interest | None) -> str:
    nodes = top_nodes(tree, MOST_NODES)
    cards = tree_cards(tree, nodes, {tree.figures_of: tree.stats})
    # a large tree grows to the right: it is higher than wide then, as pages are
    drawn = drawing(cards, tree, "LR" if len(cards) > 9 else "TB", interest).svg(with_font=False)
    more = tree.n_nodes - len(nodes)
    return f"<figure>{drawn}</figure>\n" + (_soft(f"{more:,} more nodes below.") if more else "")


def _survival(tree: Tree, train: Table) -> str:
    """A curve for each leaf of most rows, the lowest hazard first, before that of all rows."""
    leaves = np.flatnonzero(tree.is_leaf)
    most = leaves[np.argsort(-tree.weight[leaves], kind="stable")[:MOST_CURVES]]
    of_nodes, none = rows_of_nodes(tree, train), np.empty(0, np.int64)
    found = small_curves(tree, train, lambda node: of_nodes.get(node, none), (0, *most.tolist()))
    drawn = [node for node in most[np.argsort(tree.value[most], kind="stable")].tolist() if node in found.shares]
    if not drawn:
        return _soft("No row has a time and an event.")
    figures = "".join(_small_curve(tree, node, found) for node in drawn)
    told = f"Share without {found.event} over {found.time}, up to {number(float(f'{found.last:.3g}'))}; grey: all rows."
    more = len(leaves) - len(drawn)
    return f'<div class="small">{figures}</div>\n{_soft(told)}' + (_soft(f"{more:,} more leaves.") if more else "")


def _small_curve(tree: Tree, node: int, found: SmallCurves) -> str:
    wide, high, step = 200, 80, 190 / max(len(found.shares[0]) - 1, 1)

    def path(shares: list[int], color: str, width: float) -> str:
        places = [f"H{5 + step * i:.1f}V{5 + 70 * (1 - share / 1000):.1f}" for i, share in enumerate(shares)]
        return f'<path d="M5 5{"".join(places)}" fill="none" stroke="{color}" stroke-width="{width}"/>'

    axes = '<path d="M5 5V75H195" fill="none" stroke="#dcd8cf"/>'
    lines = path(found.shares[0], COLORS["train"], 1.0) + path(found.shares[node], COLORS["validation"], 1.8)
    view = tree.node(node)
    drawn = f'<svg viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" role="img">{axes}{lines}</svg>'
    said = f"{view.predicted}, {count(view.weight, ',')} rows: {shorten(view.rule, MOST_LETTERS)}"
    return f"<figure>{drawn}<figcaption>{_text(said)}</figcaption></figure>\n"


def _curve(fit: Fit, roles: dict[str, Table]) -> str:
    """Errors of the subtrees of cost-complexity pruning by their leaves, as lines."""
    curve = size_curve(sequence(fit.grown), roles)
    known = {role: values for role, values in curve.shown.items() if np.isfinite(values).all()}
    if len(curve) < 2 or not known:
        return _soft("The tree has no smaller subtrees.")
    low = min(0.0, *(float(values.min()) for values in known.values()))
    top = max(low, 0.0, *(float(values.max()) for values in known.values()))
    span = top - low or 1.0
    lines = "".join(_line(curve, (values - low) / span, COLORS[role]) for role, values in known.items())
    ours = _x(curve, fit.tree.n_leaves)
    mark = f'<line x1="{ours:.1f}" x2="{ours:.1f}" y1="10" y2="{HIGH - 22}" stroke="#24282d" stroke-dasharray="3 3"/>'
    labels = _svg_text(36, HIGH - 6, "1 leaf", "start") + _svg_text(
        WIDE, HIGH - 6, f"{curve.n_leaves.max():,} leaves", "end"
    )
    labels += _svg_text(32, 16, f"{top:.3g}", "end") + _svg_text(32, HIGH - 20, f"{low:.3g}", "end")
    keys = ", ".join(f"{role} ({_name_of(COLORS[role])})" for role in known)
    drawn = f'<svg viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}" role="img">{lines}{mark}{labels}</svg>'
    what = f"{curve.name or 'error'} on the rows of {keys}; dashed: this tree."
    return f"<figure>{drawn}</figure>\n{_soft(what)}"


def _name_of(color: str) -> str:
    return {"#7a7f87": "grey", "#1f5f8b": "blue", "#b35c00": "orange", "#7b5ea7": "purple"}[color]


def _x(curve: SizeCurve, leaves) -> Any:
    """Logarithmic, so that small trees can be told apart."""
    return 40 + (WIDE - 60) * np.log(np.maximum(leaves, 1)) / max(np.log(curve.n_leaves.max()), 1e-9)


def _line(curve: SizeCurve, heights: np.ndarray, color: str) -> str:
    ys = HIGH - 24 - heights * (HIGH - 40)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(_x(curve, curve.n_leaves), ys, strict=True))
    return f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>'


def _svg_text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="11" text-anchor="{anchor}" fill="#5f6670">{_text(text)}</text>'


def _confusion(tree: Tree, roles: dict[str, Table]) -> str:
    role = list(roles)[-1]
    result = confusion(tree, roles[role])
    if len(result.classes) > MOST_CLASSES:
        return _soft(f"{len(result.classes)} classes are too many for a page.")
    rows = [[name, *(count(n, ",") for n in line)] for name, line in zip(result.classes, result.counts, strict=True)]
    told = _soft(f"Rows of {role}: true class down, answer across.")
    return f'<div class="whole">{told}{_table(["", *result.answers], rows, len(result.answers))}</div>'


def _flagged(tree: Tree, roles: dict[str, Table], rule: FlagRule) -> str:
    """The flag rule, what comes of it on the rows of each role, and the segments, riskiest first."""
    result, words = segments(tree, roles, rule.class_of_interest), rule.text(tree.name_of_class, tree)
    held = {role: of for role, of in result.held.items() if role in roles}
    lines = [f"{role}: {result.above(rule.threshold, role).text}" for role in held]
    told = "".join(f"<p>{_text(line)}</p>\n" for line in (f"{words[:1].upper()}{words[1:]}.", *lines))
    measured = result.quantity if result.name is None else "rate"
    flags, rows = rule.flags(result.told), []
    for i in range(min(len(result), MOST_RULES)):
        pairs = ((count(of.rows[i], ","), result.rate_text(float(of.rate[i]))) for of in held.values())
        figures = [cell for pair in pairs for cell in pair]
        rows.append([result.number[i] or "–", result.rules[i], "yes" if flags[i] else "", *figures])
    head = ["segment", "IF", "flagged", *(f"{what}, {role}" for role in held for what in ("rows", measured))]
    more = f"{len(result) - MOST_RULES} more segments of lower rates." if len(result) > MOST_RULES else ""
    return told + _table(head, rows, 2 * len(held)) + (_soft(more) if more else "")


def _rules(tree: Tree, interest: Interest | None) -> str:
    result = sorted(rules(tree).without_implied(), key=lambda rule: -(rule.train.weight if rule.train else 0.0))
    rows = [
        (
            rule.premise,
            rule.said,
            count(rule.train.weight, ",") if rule.train else "",
            measured_cell(rule.train, rule, tree, interest),
        )
        for rule in result[:MOST_RULES]
    ]
    what = "their rate" if interest is None else f"of {interest.name}"
    what = what if tree.classes else measure_name(tree)
    more = f"{len(result) - MOST_RULES} more rules of fewer rows." if len(result) > MOST_RULES else ""
    head = ("IF", f"THEN {tree.schema.target} =", tree.rows_named, what)
    return _table(head, rows, 2) + (_soft(more) if more else "")


def _columns(table: Table) -> str:
    named = [*table.feature_columns, table.target_column]
    rows = [(column.name, column.kind, _values(column), f"{column.n_missing:,}") for column in named[:MOST_COLUMNS]]
    more = f"{len(named) - MOST_COLUMNS} more columns." if len(named) > MOST_COLUMNS else ""
    said = _soft(f"{table.n_rows:,} training rows.")
    return said + _table(("column", "kind", "values", "missing"), rows, 1) + (_soft(more) if more else "")


def _values(column: Column) -> str:
    if column.kind == "numeric":
        return f"{number(column.numbers[0])} to {number(column.numbers[-1])}" if column.n_distinct else "none"
    shown = ", ".join(column.level_names[:6])
    return shown + (f" and {len(column.level_names) - 6} more" if len(column.level_names) > 6 else "")
