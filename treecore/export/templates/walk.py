def predict(row):
    """The answer for a row, a dict of its values by column; None where the tree has none.

    None, NaN and "" are missing values. KeyError names a column that the row lacks, ValueError one that is no number.
    """
    ends = list(walk(row))
    if len(ends) == 1 and not (CLASSES and "line" in NODES[ends[0][0]]):
        return answer_at(ends[0][0], row)
    mixed = mix(ends, row)
    if mixed is None or not CLASSES:
        return mixed
    if COSTS is None:
        return CLASSES[mixed.index(max(mixed))]
    costs = [sum(share * costs[k] for share, costs in zip(mixed, COSTS)) for k in range(len(CLASSES))]
    return CLASSES[costs.index(min(costs))]


def shares(row):
    """The share of each class at the end of the row's way, a dict; None without an answer, or for numbers."""
    mixed = mix(list(walk(row)), row) if CLASSES else None
    return None if mixed is None else dict(zip(CLASSES, mixed))


def walk(row):
    """(node, share) wherever the row ends: in one node, or in several where it is shared among branches."""
    waiting = [(0, 1.0)]
    while waiting:
        at, share = waiting.pop()
        node = NODES[at]
        branch = branch_of(node, row) if "ask" in node else STAYS
        if branch == STAYS:
            yield at, share
        elif branch == SHARED:
            parts = [(child, share * part) for child, part in zip(node["children"], node["shares"])]
            waiting.extend(part for part in parts if part[1] > 0)
        else:
            waiting.append((node["children"][branch], share))


def branch_of(node, row):
    """Where the node sends the row: what the first of its questions says that knows the row's value."""
    for question in node["ask"]:
        branch = answered(question, value_of(row, question["feature"]))
        if branch is not None:
            return branch
    return node["missing" if value_of(row, node["ask"][0]["feature"]) is None else "unseen"]


def answered(question, value):
    if value is None:
        return question.get("missing")
    if isinstance(value, str):
        return next((branch for name, branch in question["levels"] if name == value), None)
    return question["to"][sum(value > limit or (value == limit and not closed) for limit, closed in question["limits"])]


def value_of(row, feature):
    """A number, the name of a level, or None for a missing value."""
    if "sum" in FEATURES[feature]:
        return summed(row, FEATURES[feature]["sum"])
    name, kind, levels = FEATURES[feature]["name"], FEATURES[feature]["kind"], FEATURES[feature]["levels"]
    value = row[name]
    if is_missing(value):
        return None
    text = level_of(value, FEATURES[feature])
    if text is None:
        return None
    if kind == "number" or (kind == "bins" and text not in levels):
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{name!r}: {value!r} is not a number") from None
    # a level without a place in the order cannot be compared
    return None if kind == "ordered" and text not in levels else text


def is_missing(value):
    """None, and what is not equal to itself: NaN and its kin."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True


def level_of(value, feature):
    """The name of the level that a value is, however it is spelled: True, "true" and 1 are one. A value that is no
    level is its own text, None a missing one."""
    if value in feature["levels"]:
        return str(value)
    text = level_text(value)
    if text in feature["levels"]:
        return text
    if text == "" or (text.casefold() == "nan" and "by_value" in feature):
        return None
    for known, said in (
        ("texts", text),
        ("words", text.casefold()),
        ("numbers", number_of(value, text, "by_value" in feature)),
        ("moments", moment_of(text)),
    ):
        for wanted, level in feature.get(known, ()):
            if said is not None and wanted == said:
                return level
    return text


def summed(row, terms):
    """A weighted sum of numbers, added up in this order; None where one is missing."""
    total = None
    for feature, weight, fill in terms:
        value = value_of(row, feature)
        value = fill if value is None else value
        if value is None:
            return None
        total = weight * value if total is None else total + weight * value
    return total


def level_text(value):
    """A value as a level is written: without spaces around it and signs that cannot be seen, 1.0 as 1."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = unicodedata.normalize("NFC", re.sub("[\u00ad\u180e\u200b\u200e\u200f\u2060\ufeff]", "", str(value).strip()))
    return text.strip()


def number_of(value, text, exponents):
    """The number that a value is or spells; None for words, and for digits that are a name, such as 007."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)", text, re.ASCII):
        name = re.fullmatch(r"[+-]?0\d+", text, re.ASCII) or ("." not in text and abs(int(text)) > 2**53)
        return None if name else float(text)
    spelled = exponents and re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)[eE][+-]?\d+", text, re.ASCII)
    return float(text) if spelled else None


def moment_of(text):
    """A day or a moment, midnight being the day alone; None for another text."""
    pattern = r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(?::(\d\d)(?:\.\d*)?)?(?:Z|[+-]00(?::?00)?)?)?"
    result = re.fullmatch(pattern, text, re.ASCII)
    if not result:
        return None
    at = f"{result[2] or '00:00'}:{result[3] or '00'}"
    return result[1] if at == "00:00:00" else f"{result[1]} {at}"


def answer_at(at, row):
    """What a node answers for the row: the same for every row, or by a line, of classes the log-odds of the second."""
    node = NODES[at]
    if "line" not in node:
        return node["answer"]
    if node["line"] is None:
        return None
    total, terms = node["line"]
    for feature, coefficient, fill, low, high in terms:
        value = value_of(row, feature)
        total = total + coefficient * (fill if value is None else min(max(value, low), high))
    return total


def mix(ends, row):
    """The shares of the classes, or the answers, of all ends by their share of the row."""
    if not CLASSES:
        answers = [answer_at(at, row) for at, _ in ends]
        return None if None in answers else sum(share * answer for (_, share), answer in zip(ends, answers))
    parts = [shares_at(at, row) for at, _ in ends]
    if None in parts:
        return None
    return [sum(share * part[k] for (_, share), part in zip(ends, parts)) for k in range(len(CLASSES))]


def shares_at(at, row):
    """The share of each class at a node, by its line where it has one; None without an answer."""
    if "line" not in NODES[at]:
        return NODES[at]["class_shares"]
    odds = answer_at(at, row)
    second = None if odds is None else 1.0 / (1.0 + math.exp(min(max(-odds, -700.0), 700.0)))
    return None if second is None else [1.0 - second, second]
