"""The tree as one formula of a spreadsheet: nested IFs over the cells of one row."""

import re

from treecore.brief import visible
from treecore.data.level_index import LevelIndex, level_index, moment_of, number_of
from treecore.export.format import ExportRequest
from treecore.export.portable import Portable, PortableQuestion, cases_of, grouped
from treecore.kernels.codes import STAYS
from treecore.tree.leaf_lines import LeafLine

MOST_CHARACTERS, MOST_NESTED, MOST_TEXT, DIGITS = 8192, 64, 255, 15
"""What Excel allows of a formula, of functions within one another, of a text, and keeps of a number."""
SHORTEST = 20
"""Characters of a leaf and the condition before it at least."""
WITHIN_CONDITION = 5
"""Functions within one another in a condition, at most: NOT(OR(IFERROR(VALUE(…))))."""
ROW = 2


def to_excel(given: ExportRequest) -> str:
    """Two lines to paste into A1: the names of the columns, and below them the cells to fill and the formula."""
    tree = given.tree
    names = [visible(name).replace('"', "'") for name in tree.schema.own_names]
    header = "\t".join(f"'{name}" if name[:1] in "=+-@" else name for name in [*names, visible(tree.schema.target)])
    return f"{header}\n" + "\t" * len(names) + f"{_formula(tree)[0]}\n"


def why_not_excel(given: ExportRequest) -> str:
    """Why the tree does not fit into one cell."""
    portable = Portable(given.tree)
    if portable.shares_rows:
        return "Rows without a value are shared among branches, and a formula goes down one of them"
    if given.tree.depth > MOST_NESTED:
        return f"The tree is {given.tree.depth} levels deep; Excel nests {MOST_NESTED} functions"
    if given.tree.n_leaves > MOST_CHARACTERS // SHORTEST:
        return f"A formula of {given.tree.n_leaves:,} leaves has more than the {MOST_CHARACTERS:,} characters of a cell"
    texts = [*given.tree.classes, *(level for f in given.tree.schema.features for level in f.levels)]
    if any(len(text) > MOST_TEXT for text in texts):
        return f"A class or level is longer than the {MOST_TEXT} characters that Excel allows of a text"
    formula, nested = _formula(given.tree)
    if nested > MOST_NESTED:
        return f"The formula nests {nested} functions; Excel allows {MOST_NESTED}"
    if len(formula) > MOST_CHARACTERS:
        return f"The formula has {len(formula)} characters; Excel allows {MOST_CHARACTERS}"
    return ""


def _formula(tree) -> tuple[str, int]:
    """(the formula, how many functions are within one another)."""
    portable = Portable(tree)
    told: dict[int, str] = {}
    nested: dict[int, int] = {}
    for t in range(tree.n_nodes - 1, -1, -1):  # children come after their parents
        told[t], nested[t] = _of_node(portable, t, told, nested)
    return "=" + told[0], nested[0]


def _of_node(portable: Portable, t: int, told: dict[int, str], nested: dict[int, int]) -> tuple[str, int]:
    node = portable.nodes[t]
    if not node.questions:
        by_line = portable.line(t) is not None
        return _answer(portable, t), (2 + bool(portable.tree.classes)) * by_line  # IF(…MEDIAN(…)) of a line, its label

    def below(branch: int) -> str:
        return _answer(portable, t) if branch == STAYS else told[node.children[branch]]

    cases, otherwise = cases_of(portable, node)
    conditions = [(_condition(portable, c.question, c.branch), c.to) for c in cases]
    deepest = max(nested[child] for child in node.children)
    if len(node.questions) == 1:
        parts = [(any_of(found), below(to)) for found, to in grouped(conditions, otherwise)]
        return _chain(parts, below(otherwise)), len(parts) + max(deepest, WITHIN_CONDITION)
    places = dict.fromkeys([*(to for _, to in conditions), otherwise])
    number = {to: str(i + 1) for i, to in enumerate(places)}
    which = _chain([(condition, number[to]) for condition, to in conditions], number[otherwise])
    chosen = f"CHOOSE({which},{','.join(map(below, places))})"
    return chosen, max(deepest + 1, len(conditions) + 1 + WITHIN_CONDITION)


def _chain(parts: list[tuple[str, str]], last: str) -> str:
    return "".join(f"IF({condition},{then}," for condition, then in parts) + last + ")" * len(parts)


def _condition(portable: Portable, question: PortableQuestion, branch: int | None) -> str:
    if branch is None:
        return _is_missing(portable, question)
    if not question.by_number:
        cell = _cell(portable, question.feature)
        index = level_index(portable.tree.schema.features[question.feature].levels)
        return any_of([part for name, to in question.levels if to == branch for part in _is_level(cell, index, name)])
    places = [i for i, to in enumerate(question.branches) if to == branch]
    return any_of([_interval(portable, question, place) for place in places])


def _cell(portable: Portable, feature: int) -> str:
    """The cell of a feature, or the weighted sum of some: what stands in for a missing value is worked in."""
    terms = portable.terms(feature)
    if not terms:
        return f"{column_letters(portable.tree.schema.own.index(feature))}{ROW}"
    told = []
    for term in terms:
        cell = _cell(portable, term.feature)
        # all parts of AND are computed, and text cannot be multiplied
        cell = f"N({cell})" if term.fill is None else f"IF(ISNUMBER({cell}),{cell},{_number(term.fill)})"
        told.append(f"{_number(term.weight)}*{cell}")
    return f"({'+'.join(told)})"


def _known(portable: Portable, feature: int) -> list[str]:
    """What must hold for a feature to be a number: of the cells that it takes."""
    terms = portable.terms(feature)
    taken = [term.feature for term in terms if term.fill is None] if terms else [feature]
    return [f"ISNUMBER({_cell(portable, f)})" for f in taken]


def _interval(portable: Portable, question: PortableQuestion, place: int) -> str:
    cell, parts = _cell(portable, question.feature), _known(portable, question.feature)
    if place > 0:
        closed = question.limits[place - 1][1]
        parts.append(f"{cell}{'>' if closed else '>='}{_limit(portable, question, place - 1)}")
    if place < len(question.limits):
        closed = question.limits[place][1]
        parts.append(f"{cell}{'<=' if closed else '<'}{_limit(portable, question, place)}")
    return all_of(parts)


def _limit(portable: Portable, question: PortableQuestion, place: int) -> str:
    """A threshold in so many digits as a cell keeps, on the same side of the values beside it."""
    limit, closed = question.limits[place]
    gap = portable.tree.schema.features[question.feature].gaps.holding(limit, closed)
    number = None if gap is None else gap.in_digits(limit, DIGITS)
    return _number(limit if number is None else number)


def _is_missing(portable: Portable, question: PortableQuestion) -> str:
    cell = _cell(portable, question.feature)
    if question.by_number:
        return f"NOT({all_of(_known(portable, question.feature))})"
    if portable.takes_ordered(question.feature):
        index = level_index(portable.tree.schema.features[question.feature].levels)
        return f"NOT({any_of([part for name in index.labels for part in _is_level(cell, index, name)])})"
    known = portable.tree.schema.features[question.feature].levels
    return f'TRIM({cell}&"")=""' if "" not in known else "FALSE"


def _is_level(cell: str, index: LevelIndex, name: str) -> list[str]:
    """Conditions of which one holds for a cell that is this level, be it text, a number, a truth or a day.

    A spreadsheet in another language has other words for a truth and another decimal sign: it is asked for values.
    """
    place, shown = index.place(name), f'TRIM({cell}&"")'
    numbers = [_number(index.number_at[place])] if place in index.number_at else []
    if index.all_numbers and not index.is_boolean and numbers:
        return [f'IFERROR(VALUE({cell}&"")={numbers[0]},FALSE)']
    truths = [str(truth) for truth, at in index.truths.items() if at == place]
    if truths:  # = is deaf to capitals, which EXACT hears
        words = dict.fromkeys([truths[0].lower(), *([] if number_of(name) is not None else [name.casefold()])])
        result = [f"{cell}={truths[0].upper()}", *(f"{shown}={_text(word)}" for word in words)]
        return result + [f'IFERROR(VALUE({cell}&"")={number},FALSE)' for number in numbers]
    # TRIM makes one space of several within a text, too
    said = shown if name == " ".join(name.split(" ")) and not index.has_spaces else f'{cell}&""'
    result = [f"EXACT({said},{_text(text)})" for text in dict.fromkeys([name, *numbers])]
    moment = moment_of(name)
    return result + ([_is_moment(cell, moment)] if moment is not None and index.moments.get(moment) == place else [])


def _is_moment(cell: str, moment: str) -> str:
    """The number that a spreadsheet has for a day is counted in days, whatever day it counts from."""
    day, _, at = moment.partition(" ")
    date = "DATE({},{},{})".format(*map(int, day.split("-")))
    if not at:
        return f"{cell}={date}"
    hours, minutes, seconds = map(int, at.split(":"))
    return f"ROUND(N({cell})*86400,0)={date}*86400+{hours * 3600 + minutes * 60 + seconds}"


def any_of(conditions: list[str]) -> str:
    """One condition that holds where any of these does."""
    return conditions[0] if len(conditions) == 1 else f"OR({','.join(conditions)})"


def all_of(conditions: list[str]) -> str:
    """One condition that holds where all of these do."""
    return conditions[0] if len(conditions) == 1 else f"AND({','.join(conditions) or 'TRUE'})"


def column_letters(index: int) -> str:
    """A, B, ... Z, AA, ...: the column with this index."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _answer(portable: Portable, t: int) -> str:
    tree = portable.tree
    if tree.answer[t] < 0:
        return '""'
    line = portable.line(t)
    if line is not None and tree.classes:
        return _label(portable, line)
    if line is not None:
        return _line(portable, line)
    return _text(tree.classes[tree.value[t]]) if tree.classes else _number(float(tree.value[t]))


def _line(portable: Portable, line: LeafLine) -> str:
    """The line of a leaf; the median of a value and the two ends of its range is the value held between them."""
    told = _number(line.intercept)
    for term in line.terms:
        cell = _cell(portable, term.feature)
        held = f"MEDIAN({_number(term.low)},{cell},{_number(term.high)})"
        told += f"{term.coefficient:+.{DIGITS}g}*IF(ISNUMBER({cell}),{held},{_number(term.fill)})"
    return told


def _label(portable: Portable, line: LeafLine) -> str:
    """The class of a leaf by its line of log-odds: the second one above a limit."""
    odds = _line(portable, line)
    return portable.label_by_line(_text, lambda limit, then, other: f"IF({odds}>{_number(limit)},{then},{other})")


def _text(value: str) -> str:
    """A literal; characters that would end the line or the cell are named by their numbers."""
    parts = re.split(r"([\x00-\x1f])", value)
    told = [f"CHAR({ord(part)})" if i % 2 else '"' + part.replace('"', '""') + '"' for i, part in enumerate(parts)]
    return "&".join(told)


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"
