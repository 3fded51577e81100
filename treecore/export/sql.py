"""The tree as one SELECT, for PostgreSQL, DuckDB, SQLite and Spark: every column of a table, and the answer as a CASE
of conditions.
"""

import math
import re
from collections.abc import Callable, Sequence

import numpy as np

from treecore.brief import visible
from treecore.data.level_index import LevelIndex, level_index, spelled_number
from treecore.errors import TreecoreError
from treecore.export.format import ExportRequest, flag_rule
from treecore.export.portable import Portable, PortableNode, PortableQuestion, cases_of, grouped
from treecore.judging.interest import FlagRule, segment_numbers
from treecore.kernels.codes import SHARED, STAYS
from treecore.tree.leaf_lines import LeafLine

MOST_LEVELS_DEEP = 150
"""Databases read conditions that are nested about a thousand deep, and every level of a tree takes some."""
MOST_SHARED_ENDS = 400
_ON_NAN = "-- NaN, to a database above every number, is a missing value: what asks for 0 - x finds it."
_ON_TEXT = "-- x + 0 * SIGN(x) is x: as a number where SQLite has it as text, and NULL where that text is empty."
SURE_DIGITS, SURE_SIZES = 15, (1e-7, 1e22)
"""Decimals of no more digits, and of these sizes, are read as the same number by every database: digits and the power
of ten are then whole float64, and their product or quotient is rounded once. SQLite reads 4.18661315632141e-306, and
on some machines other decimals of 17 digits, as a number beside it."""
MISREAD = 1e-12
"""Share of a number by which no database misreads a decimal: where no value lies as near to a threshold, every row
goes the same way."""


def to_sql(given: ExportRequest) -> str:
    """SELECT *, CASE ... END AS answer FROM data; with a flag rule also AS flag, 1 or 0, and AS segment.

    options : table and answer, the names of the two; flag, see format.flag_rule."""
    tree, portable = given.tree, Portable(given.tree)
    columns = {given.options.get("answer", "answer"): _answers(portable)}
    rule = flag_rule(given)
    if rule is not None:
        columns |= {"flag": _flags(portable, rule), "segment": _segments(portable, rule)}
    title = f"-- A decision tree for {tree.schema.target} of {given.name}, {tree.n_leaves} leaves."
    title = visible(title + tree.figures_told)
    if rule is not None:
        title += f"\n{visible(f'-- {rule.text(tree.name_of_class, tree)}; segment 1 has the highest rate.')}"
    title += f"\n{_ON_NAN}" if any("0e0 - " in column for column in columns.values()) else ""
    title += f"\n{_ON_TEXT}" if any("SIGN(" in column for column in columns.values()) else ""
    told = ",\n".join(f"{column} AS {quoted(name)}" for name, column in columns.items())
    return f"{title}\nSELECT *,\n{told}\nFROM {quoted(given.options.get('table', 'data'))};\n"


def _answers(portable: Portable) -> str:
    nested = _nested(portable, lambda t: _answer(portable, t))
    return f"COALESCE({nested},\n{_mixed(portable)})" if portable.shares_rows else nested


def _flags(portable: Portable, rule: FlagRule) -> str:
    """1 where the rate is at least the threshold, 0 where it is less, NULL without an answer."""
    rates = rule.rates(portable.tree)
    flags = ["NULL" if np.isnan(rate) else str(int(flag)) for rate, flag in zip(rates, rule.flags(rates), strict=True)]
    nested = _nested(portable, flags.__getitem__, merged=True)
    if not portable.shares_rows:
        return nested
    flag = f"CASE WHEN rate IS NULL THEN NULL WHEN rate >= {exact(rule.threshold)} THEN 1 ELSE 0 END"
    names, parts, nodes = _parts(portable)
    rate = _summed(portable, rates, names, nodes)
    return (
        f"COALESCE({nested},\n(SELECT {flag} FROM (\nSELECT {rate} AS rate FROM (\nSELECT {parts}) AS parts) AS rates))"
    )


def _segments(portable: Portable, rule: FlagRule) -> str:
    """Number of the leaf, of a shared row that of its largest part; NULL where a row stops at a node that is none."""
    numbers = segment_numbers(portable.tree, rule.rates(portable.tree))
    segments = [str(number) if number else "NULL" for number in numbers.tolist()]
    nested = _nested(portable, segments.__getitem__, merged=True)
    if not portable.shares_rows:
        return nested
    names, parts, nodes = _parts(portable)
    order = np.argsort(nodes, kind="stable").tolist()  # of equal parts the first node counts
    largest = _of_largest([(names[i], segments[nodes[i]]) for i in order], f"(\nSELECT {parts}) AS parts", names[0])
    return f"COALESCE({nested},\n{largest})"


def _of_largest(pairs: list[tuple[str, str]], source: str, prefix: str) -> str:
    """A query for what stands beside the largest weight, the first of equals. pairs : (column of source, what).

    Two by two, level by level, as databases have no common function for the largest of many.
    """
    level = 0
    while len(pairs) > 1:
        columns, winners = [], []
        for place in range(0, len(pairs), 2):
            (w0, s0), (w1, s1) = pairs[place], pairs[min(place + 1, len(pairs) - 1)]
            weight, what = (f"{prefix}{kind}{level}_{place}" for kind in "ws")
            columns.append(f"CASE WHEN {w0} >= {w1} THEN {w0} ELSE {w1} END AS {weight}")
            columns.append(f"CASE WHEN {w0} >= {w1} THEN {s0} ELSE {s1} END AS {what}")
            winners.append((weight, what))
        source = f"(\nSELECT {', '.join(columns)} FROM {source}) AS parts{level}"
        pairs, level = winners, level + 1
    return f"(SELECT {pairs[0][1]} FROM {source})"


def why_not_sql(given: ExportRequest) -> str:
    """What a database could not read of this tree."""
    tree = given.tree
    if tree.depth > MOST_LEVELS_DEEP:
        return f"The tree is {tree.depth} levels deep; databases read conditions nested up to {MOST_LEVELS_DEEP} deep"
    if Portable(tree).shares_rows and tree.n_nodes > 2 * MOST_SHARED_ENDS:
        return f"Rows are shared among branches, and {tree.n_leaves} leaves are too many for one sum"
    names = [tree.schema.target, *(f.name for f in tree.schema.features), *tree.classes]
    odd = next((name for name in names if "\0" in name), None)
    return "" if odd is None else f"{odd!r} holds a character that ends a statement"


def quoted(name: str) -> str:
    """A name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A literal; TreecoreError for a character that no statement can hold."""
    if "\0" in value:
        raise TreecoreError(f"{value!r} holds a character that ends a statement", where="SQL")
    return "'" + value.replace("'", "''") + "'"


def plain(value: float) -> str:
    """A number as a decimal; some databases read the last of 17 digits wrongly."""
    told = repr(float(value))
    return told if "e" in told else told + "e0"


def exact(value: float) -> str:
    """A number that every database reads as this very float64, whatever its digits."""
    told = plain(value)
    sure = value == 0 or SURE_SIZES[0] <= abs(value) < SURE_SIZES[1]
    if sure and len(told.split("e")[0].replace(".", "").strip("-0")) <= SURE_DIGITS:
        return told
    above, below = float(value).as_integer_ratio()
    if abs(above) < 2**53 and below < 2**53:
        return f"({above}e0 / {below}e0)"
    mantissa, power = math.frexp(value)
    whole, power = int(mantissa * 2**53), power - 53
    return f"({whole}e0" + _powers(power) + ")"


def _limit(portable: Portable, question: PortableQuestion, place: int, sign: int = 1) -> str:
    """A threshold, times the sign: a decimal where no row is so near that its last digit matters."""
    limit, closed = question.limits[place]
    gap = portable.tree.schema.features[question.feature].gaps.holding(limit, closed)
    slack = MISREAD * abs(limit)
    is_clear = gap is not None and gap.low < limit - slack and limit + slack < gap.high
    return plain(sign * limit) if is_clear else exact(sign * limit)


def _powers(power: int) -> str:
    """Times 2**power, in steps that are whole numbers without rounding."""
    sign, steps = ("/" if power < 0 else "*"), abs(power)
    parts = [52] * (steps // 52) + [steps % 52]
    return "".join(f" {sign} {2**part}e0" for part in parts if part)


def _nested(portable: Portable, said: Callable[[int], str], merged: bool = False) -> str:
    """CASE in CASE; NULL for a row that is shared. said : what stands for a row that ends in a node. merged : a branch
    below which all say the same asks nothing more."""
    told: dict[int, str] = {}
    for t in range(portable.tree.n_nodes - 1, -1, -1):  # children come after their parents
        told[t] = _case(portable, t, told, said, merged)
    return told[0]


def _case(portable: Portable, t: int, told: dict[int, str], said: Callable[[int], str], merged: bool) -> str:
    node, depth = portable.nodes[t], int(portable.tree.node_depth[t])
    pad = "  " * (depth + 1)
    if not node.questions:
        return said(t)

    def below(branch: int) -> str:
        if branch == SHARED:
            return "NULL"
        return said(t) if branch == STAYS else told.pop(node.children[branch])

    cases, otherwise = _cases(portable, node)
    if merged:
        ends = {
            t if b == STAYS else -1 if b == SHARED else node.children[b] for b in (*(b for _, b in cases), otherwise)
        }
        same = {"NULL" if end < 0 else said(t) if end == t else told[end] for end in ends}
        if len(same) == 1:
            return same.pop()
    if len(node.questions) == 1:
        head = "CASE"
        lines = [f"WHEN {' OR '.join(conditions)} THEN {below(b)}" for conditions, b in grouped(cases, otherwise)]
    else:  # the first question that knows decides, so that branches are found before what is below them
        head = f"CASE CASE {' '.join(f'WHEN {c} THEN {b}' for c, b in cases)} ELSE {otherwise} END"
        lines = [f"WHEN {b} THEN {below(b)}" for _, b in grouped(cases, otherwise)]
    last = below(otherwise)
    if not lines:
        return last
    return "\n".join([head, *(pad + line for line in lines), f"{pad}ELSE {last}", f"{'  ' * depth}END"])


def _cases(portable: Portable, node: PortableNode) -> tuple[list[tuple[str, int]], int]:
    """([(condition, branch)], the branch of all other rows)."""
    cases, otherwise = cases_of(portable, node)
    return [(_condition(portable, *case[:2]), case.to) for case in cases], otherwise


def _condition(portable: Portable, question: PortableQuestion, branch: int | None) -> str:
    """What is known to go down this branch; NULL or false for a missing value. None : what is missing."""
    if branch is None:
        return _is_missing(portable, question)
    if not question.by_number:
        return _is_level(portable, question, [name for name, b in question.levels if b == branch])
    places = [i for i, b in enumerate(question.branches) if b == branch]
    return " OR ".join(_interval(portable, question, i) for i in places)


def _column(portable: Portable, feature: int) -> str:
    """A column, or the weighted sum of some: NULL where one of them is."""
    names = [f.name for f in portable.tree.schema.features]
    told = []
    for term in portable.terms(feature):
        column = quoted(names[term.feature])
        value = f"({_number(column)})"
        if term.fill is not None:
            value = f"CASE WHEN {value} IS NULL OR {_is_nan(column)} THEN {exact(term.fill)} ELSE {value} END"
        told.append(f"{exact(term.weight)} * {value}")
    return f"({' + '.join(told)})" if told else quoted(names[feature])


def _number(column: str) -> str:
    """A column, a name or a sum in brackets, as float64; NULL for text that is no number.

    SQLite compares text as text, where a file was imported without types: 10 is below 9. It has whole numbers beyond
    2**53, too, which are exact there and rounded here.
    """
    return column if column.startswith("(") else f"{column} + 0e0 * SIGN({column})"


def _interval(portable: Portable, question: PortableQuestion, place: int) -> str:
    column, parts = _column(portable, question.feature), []
    number = _number(column)
    if place > 0:
        closed, below = question.limits[place - 1][1], place - 1
        parts.append(f"{number} {'>' if closed else '>='} {_limit(portable, question, below)}")
        if place == len(question.limits):  # not of NaN
            parts.append(f"0e0 - {column} {'<' if closed else '<='} {_limit(portable, question, below, -1)}")
    if place < len(question.limits):
        closed = question.limits[place][1]
        parts.append(f"{number} {'<=' if closed else '<'} {_limit(portable, question, place)}")
    return " AND ".join(parts) or f"{number} IS NOT NULL AND NOT {_is_nan(column)}"


def _is_missing(portable: Portable, question: PortableQuestion) -> str:
    feature = portable.tree.schema.features[question.feature]
    column = _column(portable, question.feature)
    if question.by_number:
        return f"{_number(column)} IS NULL OR {_is_nan(column)}"
    if portable.takes_ordered(question.feature):  # a level without a place in the order cannot be compared
        return f"{column} IS NULL OR NOT ({_is_level(portable, question, feature.levels)})"
    index = level_index(feature.levels)
    result = [] if "" in feature.levels else ["''"]
    result += ["'nan'", "'NaN'"] if index.all_numbers or index.is_boolean else []  # of a column of numbers
    return f"{column} IS NULL" + (f" OR {_as_text(column)} IN ({', '.join(result)})" if result else "")


def _is_nan(column: str) -> str:
    """NaN is above every number and so is its negative, where databases have it; nothing else is, in any of them."""
    return f"({column} > 0e0 AND 0e0 - {column} > 0e0)"


def _as_text(column: str) -> str:
    return f"TRIM(CAST({column} AS TEXT))"


def _is_level(portable: Portable, question: PortableQuestion, names: Sequence[str]) -> str:
    """Is the column one of these levels, be it of text, padded text, numbers, dates or truths?"""
    feature = portable.tree.schema.features[question.feature]
    texts, numbers, padded = _spellings(level_index(feature.levels), names)
    column = quoted(feature.name)
    trimmed = _as_text(column)
    parts = [(f"CAST({column} AS TEXT)", padded), (trimmed, texts)]
    told = f"CASE WHEN {trimmed} LIKE '%.%' THEN RTRIM(RTRIM({trimmed}, '0'), '.') ELSE {trimmed} END"  # of 1.00, 1
    parts.append((f"LOWER({told})" if level_index(feature.levels).is_boolean else told, numbers))
    return " OR ".join(f"{said} IN ({', '.join(map(text, found))})" for said, found in parts if found)


def _spellings(index: LevelIndex, names: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """(texts, texts without zeros at the end of a fraction, texts with the spaces around them) of these levels."""
    texts, numbers, padded = [], [], []
    for name in names:
        place = index.place(name)
        if index.is_boolean:
            numbers += [name.casefold(), *(word for word, at in index.words.items() if at == place)]
        if place in index.number_at:
            result = [*spelled_number(index.number_at[place]), name]
            texts += [spelled for spelled in result if "e" in spelled.lower()]
            numbers += [without_zeros(spelled) for spelled in result if "e" not in spelled.lower()]
        elif not index.is_boolean:
            result = index.spellings(place)
            padded += [spelled for spelled in result if spelled != spelled.strip()]
            texts += [spelled for spelled in result if spelled == spelled.strip()]
        if index.is_boolean and place == index.truths[True]:
            numbers.append("+1")
    return tuple(list(dict.fromkeys(found)) for found in (texts, numbers, padded))


def without_zeros(number: str) -> str:
    """1.50 as 1.5, 1.0 as 1."""
    return number.rstrip("0").rstrip(".") if "." in number else number


def _answer(portable: Portable, t: int) -> str:
    tree = portable.tree
    if tree.answer[t] < 0:
        return "NULL"
    line = portable.line(t)
    if line is not None and tree.classes:
        return _label(portable, line)
    if line is not None:
        return _line(portable, line)
    return text(tree.classes[tree.value[t]]) if tree.classes else plain(tree.value[t])


def _label(portable: Portable, line: LeafLine) -> str:
    """The class of a leaf by its line of log-odds: the second one above a limit."""
    odds = _line(portable, line)
    return portable.label_by_line(
        text, lambda limit, then, other: f"CASE WHEN {odds} > {exact(limit)} THEN {then} ELSE {other} END"
    )


def _share(portable: Portable, t: int, k: int) -> str:
    """The share of class k at a node by its line of log-odds; far ones would be beyond what databases take."""
    found = portable.line(t)
    if found is None:
        return "NULL"
    line = _line(portable, found)
    odds = f"(0e0 - {line})" if k == 1 else line
    return f"CASE WHEN {odds} > 7e2 THEN 0e0 WHEN {odds} < -7e2 THEN 1e0 ELSE 1e0 / (1e0 + EXP({odds})) END"


def _line(portable: Portable, line: LeafLine) -> str:
    """The line of a leaf: a value beyond the range of its rows counts as the nearest end of it."""
    told = [exact(line.intercept)]
    for term in line.terms:
        column = quoted(portable.tree.schema.features[term.feature].name)
        number = _number(column)
        low, high = exact(term.low), exact(term.high)
        told.append(
            f"{exact(term.coefficient)} * CASE WHEN {number} IS NULL OR {_is_nan(column)} THEN {exact(term.fill)} "
            f"WHEN {number} < {low} THEN {low} WHEN {number} > {high} THEN {high} ELSE {number} END"
        )
    return f"({' + '.join(told)})" if line.terms else told[0]


# rows that are shared among branches: the part of the row that ends in each node, and the sums over all of them


def _mixed(portable: Portable) -> str:
    """The answer by the parts of a row, as a query of its own for each row."""
    tree = portable.tree
    names, parts, nodes = _parts(portable)
    if not tree.classes:
        told = [_answer(portable, t) for t in range(tree.n_nodes)]
        return f"(SELECT {_summed(portable, told, names, nodes)} FROM (\nSELECT {parts}) AS parts)"
    told = [
        tree.proba[:, k] if tree.lines is None else [_share(portable, t, k) for t in range(tree.n_nodes)]
        for k in range(len(tree.classes))
    ]
    sums = ",\n".join(f"{_summed(portable, told[k], names, nodes)} AS p{k}" for k in range(len(tree.classes)))
    return f"(SELECT {_best(portable)} FROM (\nSELECT {sums} FROM (\nSELECT {parts}) AS parts) AS shares)"


def _parts(portable: Portable) -> tuple[list[str], str, list[int]]:
    """(names, the columns of these names that hold a row's parts, the node where each ends)."""
    ends, prefix = _ends(portable), _free_prefix(portable)
    names = [f"{prefix}{i}" for i in range(len(ends))]
    parts = ",\n".join(f"{weight} AS {name}" for name, (_, weight) in zip(names, ends, strict=True))
    return names, parts, [t for t, _ in ends]


def _summed(portable: Portable, amount: np.ndarray | list[str], names: list[str], nodes: list[int]) -> str:
    """The amounts of the nodes, numbers or what computes them, by the parts that end there; NULL where some part has
    no answer."""
    answers = portable.tree.answer
    told = amount if isinstance(amount, list) else [plain(value) for value in amount]
    terms = [f"{w} * {told[t]}" for w, t in zip(names, nodes, strict=True) if answers[t] >= 0]
    silent = [f"CASE WHEN {w} > 0 THEN NULL ELSE 0 END" for w, t in zip(names, nodes, strict=True) if answers[t] < 0]
    return " + ".join([*terms, *silent])


def _free_prefix(portable: Portable) -> str:
    """Of names that no column has: some databases would read a name that is given within the same SELECT."""
    prefix, taken = "w", [feature.name.lower() for feature in portable.tree.schema.features]
    while any(name.startswith(prefix) and name.removeprefix(prefix).isdecimal() for name in taken):
        prefix += "_"
    return prefix


def _best(portable: Portable) -> str:
    """The class of largest share or of least cost, the first of equals."""
    tree, n = portable.tree, len(portable.tree.classes)
    merit = [f"p{k}" for k in range(n)]
    if tree.loss is not None:
        costs = ["(" + " + ".join(f"p{i} * {plain(tree.loss[i, k])}" for i in range(n)) + ")" for k in range(n)]
        merit = [f"-{cost}" for cost in costs]
    best = [" AND ".join(f"{merit[k]} >= {merit[other]}" for other in range(k + 1, n)) for k in range(n - 1)]
    lines = [f"WHEN {condition} THEN {text(tree.classes[k])}" for k, condition in enumerate(best)]
    return f"CASE WHEN p0 IS NULL THEN NULL {' '.join(lines)} ELSE {text(tree.classes[-1])} END"


def _ends(portable: Portable) -> list[tuple[int, str]]:
    """[(node, the part of a row that ends there)], in the order in which treecore adds them up."""
    ends = []
    waiting: list[tuple[int, list]] = [(0, [])]
    while waiting:
        t, factors = waiting.pop()
        node = portable.nodes[t]
        stays = [] if not node.questions else [_factor(portable, node, STAYS)]
        if stays != ["0e0"]:
            ends.append((t, " * ".join([*factors, *stays]) or "1e0"))
        waiting.extend((child, [*factors, _factor(portable, node, b)]) for b, child in enumerate(node.children))
    return ends


def _factor(portable: Portable, node: PortableNode, branch: int) -> str:
    """The part of a row at a node that goes down this branch, or stays."""
    told, otherwise = _cases(portable, node)

    def part(to: int) -> str:
        if to == SHARED and branch != STAYS:
            return plain(node.shares[branch])
        return "1e0" if to == branch else "0e0"

    parts, rest = [(condition, part(to)) for condition, to in told], part(otherwise)
    if {rest, *(p for _, p in parts)} == {"0e0"}:
        return "0e0"
    if len(node.questions) == 1:
        parts = [(" OR ".join(conditions), part) for conditions, part in grouped(parts, rest)]
    return f"CASE {' '.join(f'WHEN {c} THEN {p}' for c, p in parts)} ELSE {rest} END"


# The SELECT of a tree as Spark writes it, and what is made after it (Databricks, Hive).

_TOKEN = re.compile(r"""RTRIM\(RTRIM\(|, '0'\), '\.'\)|'(?:[^']|'')*'|"(?:[^"]|"")*"|\bAS TEXT\b""")
"""Both ends of what takes zeros off the end, a literal, a name, a type."""
_TRAILING = {"RTRIM(RTRIM(": "TRIM(TRAILING '.' FROM TRIM(TRAILING '0' FROM ", ", '0'), '.')": "))"}
"""Spark's function of that name has its arguments in the other order."""


def to_spark_sql(given: ExportRequest) -> str:
    """As to_sql, with names between backticks, escapes in literals, and its word for text. options : as there."""
    title, select, statement = to_sql(given).partition("\nSELECT")
    return f"{title}{select}{_TOKEN.sub(_as_in_spark, statement)}"


def _as_in_spark(found: re.Match) -> str:
    token = found[0]
    if token in _TRAILING:
        return _TRAILING[token]
    if token[0] == '"':
        return "`" + token[1:-1].replace('""', '"').replace("`", "``") + "`"
    if token[0] == "'":
        return "'" + token[1:-1].replace("''", "'").replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "AS STRING"
