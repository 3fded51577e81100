"""Predicates of several features in three-valued logic, what they decide for every value, and these decisions as splits
of ours.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from treecore.growing.settings.grow_settings import GrowSettings
from treecore.importing.model_source import unsaid
from treecore.importing.model_tree import checked
from treecore.kernels.codes import CUTS, LEAF, LEVELS, STAYS, THRESHOLD
from treecore.tree.schema import Schema
from treecore.tree.splits import Splits
from treecore.tree.tree import Tree

Predicate = bool | None | tuple
MISSING, UNSEEN = "missing", "unseen"
"""Cells of a feature besides its known values."""
COMPARED = {
    "equal": lambda a, b: a == b, "notEqual": lambda a, b: a != b, "lessThan": lambda a, b: a < b,
    "lessOrEqual": lambda a, b: a <= b, "greaterThan": lambda a, b: a > b, "greaterOrEqual": lambda a, b: a >= b,
}  # fmt: skip
MOST_STEPS = 200_000
"""Of the thought about one node: predicates of many features may need the product of all of their values."""


@dataclass(frozen=True)
class FeatureDecision:
    """What one feature decides. runs : of a number, (limit, closed, what follows) from low to high, the last limit
    infinite; of levels, what follows for each. unseen, missing : what follows for these. What follows is an outcome, an
    int, or another FeatureDecision."""

    feature: int
    is_number: bool
    runs: tuple
    unseen: "int | FeatureDecision"
    missing: "int | FeatureDecision"


Rules = tuple[tuple[Predicate, int], ...]


class Thought:
    """Decides for one node. n_levels : of each feature, 0 for a number. is_ordered : features of which a level that is
    not known counts as missing. unknown : the outcome where a predicate is unknown, None to go on with the next."""

    def __init__(self, n_levels: Mapping[int, int], is_ordered: Callable[[int], bool], unknown: int | None):
        self.n_levels, self.is_ordered, self.unknown, self.steps = n_levels, is_ordered, unknown, 0

    def decide(self, rules: Rules) -> int | FeatureDecision:
        """The outcome of the first predicate that is true. The last rule's predicate is True."""
        rules = self.reduced(rules)
        if rules[0][0] is True:
            return rules[0][1]
        f = next(features_of(rules[0][0]))
        cell = lambda value: self.decide(tuple((self.given(p, f, value), outcome) for p, outcome in rules))  # noqa: E731
        missing = cell(MISSING)
        if self.n_levels[f]:
            runs = tuple(cell(level) for level in range(self.n_levels[f]))
            unseen = missing if self.is_ordered(f) else cell(UNSEEN)
            different = {*runs, unseen, missing}
        else:
            runs, unseen = self._runs(rules, f, cell), missing
            different = {*(follows for _, _, follows in runs), missing}
        return missing if len(different) == 1 else FeatureDecision(f, not self.n_levels[f], runs, unseen, missing)

    def _runs(self, rules: Rules, f: int, cell: Callable) -> tuple:
        """Numbers between two of which nothing is compared are alike; so are neighbours that lead to the same."""
        limits = sorted({value for p, _ in rules for value in numbers_of(p, f)})
        edges = [edge for limit in limits for edge in ((limit, False), (limit, True))] + [(float("inf"), True)]
        places = list(pairwise([None, *limits, None]))
        cells = [place for pair in zip(places, [*limits, None], strict=True) for place in pair][:-1]
        runs: list[tuple] = []
        for (limit, closed), place in zip(edges, cells, strict=True):
            follows = cell(place)
            if runs and runs[-1][2] == follows:
                runs.pop()
            runs.append((limit, closed, follows))
        return tuple(runs)

    def reduced(self, rules: Rules) -> Rules:
        """Without rules that cannot decide, up to the first one that does."""
        result: list[tuple] = []
        for predicate, outcome in rules:
            if predicate is True:
                return (*result, (True, outcome))
            if predicate is None and self.unknown is not None:
                return (*result, (True, self.unknown))
            if predicate is not None and predicate is not False:
                result.append((predicate, outcome))
        raise ValueError("nothing is decided")

    def given(self, predicate: Predicate, f: int, value: object) -> Predicate:
        """What is left of a predicate where a feature has this value: MISSING, UNSEEN, a level's index, or a number or
        a pair of numbers that it lies between."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise ValueError("a node asks for too many things at once")
        if not isinstance(predicate, tuple):
            return predicate
        kind = predicate[0]
        if kind in JOINED:
            return JOINED[kind]([self.given(part, f, value) for part in predicate[1]])
        if predicate[1] != f:
            return predicate
        if kind == "is missing":
            return (value == MISSING) == predicate[2]
        if value == MISSING:
            return None
        if kind == "among":
            return (value in predicate[2]) == predicate[3]
        return _compared(predicate[2], value, predicate[3])


def _compared(operator: str, value: object, with_: float) -> bool:
    if value == UNSEEN:
        return operator == "notEqual"
    if isinstance(value, tuple):  # all that is between two neighbouring limits; with_ is one of the limits
        high = value[1]
        is_below = high is not None and with_ >= high
        return {"equal": False, "notEqual": True, "lessThan": is_below, "lessOrEqual": is_below}.get(
            operator, not is_below
        )
    return COMPARED[operator](value, with_)


def features_of(predicate: Predicate) -> Iterator[int]:
    """The features that it asks for, in its order."""
    if isinstance(predicate, tuple):
        if predicate[0] in JOINED:
            for part in predicate[1]:
                yield from features_of(part)
        else:
            yield predicate[1]


def numbers_of(predicate: Predicate, f: int) -> Iterator[float]:
    """What it compares a feature with."""
    if not isinstance(predicate, tuple):
        return
    if predicate[0] in JOINED:
        for part in predicate[1]:
            yield from numbers_of(part, f)
    elif predicate[1] == f and predicate[0] == "compare":
        yield predicate[3]
    elif predicate[1] == f and predicate[0] == "among":
        yield from predicate[2]


def _joined(kind: str, parts: list, neutral: bool) -> Predicate:
    """All of "and", any of "or"; neutral : True for "and"."""
    if (not neutral) in parts:
        return not neutral
    left = [part for part in parts if isinstance(part, tuple)]
    unknown = [None] if None in parts else []
    if not left:
        return None if unknown else neutral
    return left[0] if len(left) == 1 and not unknown else (kind, tuple(left + unknown))


def _either(parts: list) -> Predicate:
    if None in parts:
        return None
    left = [part for part in parts if isinstance(part, tuple)]
    odd = sum(part is True for part in parts) % 2 == 1
    return ("xor", tuple(left + [True] * odd)) if left else odd


def _first_known(parts: list) -> Predicate:
    while parts and parts[0] is None:
        parts = parts[1:]
    if not parts or not isinstance(parts[0], tuple):
        return parts[0] if parts else None
    return ("surrogate", tuple(parts))


JOINED: dict[str, Callable[[list], Predicate]] = {
    "and": lambda parts: _joined("and", parts, neutral=True),
    "or": lambda parts: _joined("or", parts, neutral=False),
    "xor": _either, "surrogate": _first_known,
}  # fmt: skip


# Decisions of any number of values as splits of ours: one test with surrogates, or tests one below the other.

STAY, NULL = -1, -2
"""Outcomes besides a child: the row is answered by the node itself, or not at all."""
MOST_TIMES, ALWAYS = 20, 2000
"""How much larger a tree may become by branches that are copied, and up to how many nodes it always may."""


@dataclass(frozen=True)
class Shape:
    """What a node decides: an outcome, which of a leaf is STAY, or a FeatureDecision whose outcomes are children."""

    decision: int | FeatureDecision


@dataclass(frozen=True)
class _Test:
    """One split. cuts : of numbers, ascending; table : of levels, a branch for each. low : the low side's branch."""

    kind: int
    feature: int
    cuts: tuple[float, ...] = ()
    closed: bool = False
    low: int = 0
    table: tuple[int, ...] = ()
    missing: int = STAYS
    unseen: int = STAYS


class Emitted:
    """A tree of these nodes, the first of which is the root. outputs : of each, None where it has no answer. cover : of
    each, or None."""

    def __init__(self, schema: Schema, shapes: list[Shape], outputs: list, cover: np.ndarray | None):
        self.schema, self.shapes, self.outputs, self.cover = schema, shapes, outputs, cover
        self.most = max(ALWAYS, MOST_TIMES * len(shapes))
        self.owner: list[int] = []
        self.parent: list[int] = []
        self.first: list[int] = []
        self.n_children: list[int] = []
        self.tests: list[_Test | None] = []
        self.surrogates: list[list[_Test]] = []
        self.silent: list[bool] = []
        self.stays = STAY

    def tree(self) -> Tree:
        """Level by level. TreecoreError for one that grows too large."""
        waiting = deque([self._decision_of(0)])
        self._add(waiting[0][0], -1)
        at = 0
        while waiting:
            owner, decision = waiting.popleft()
            if isinstance(decision, FeatureDecision):
                # where some rows stay with the node's answer and others with none, these have a leaf of their own
                ends = _ends(decision)
                self.stays = NULL if STAY not in ends else STAY
                test, surrogates, below = self._split(decision)
                self.tests[at], self.surrogates[at] = test, surrogates
                self.first[at], self.n_children[at] = len(self.owner), len(below)
                self.silent[at] = NULL in ends and self.stays == NULL
                for outcome in below:
                    waiting.append(self._follow(owner, outcome, at))
            elif decision == NULL:
                self.silent[at] = True
            at += 1
        return self._made()

    def _follow(self, owner: int, outcome: int | FeatureDecision, parent: int) -> tuple:
        """What stands at the end of a branch: a child, more tests of the same node, or its own answer."""
        if isinstance(outcome, FeatureDecision) or outcome < 0:
            self._add(owner, parent)
            return owner, outcome
        follows = self._decision_of(outcome)
        self._add(follows[0], parent)
        return follows

    def _decision_of(self, node: int) -> tuple[int, int | FeatureDecision]:
        """(the node, what it decides), past nodes whose single branch all rows take."""
        for _ in range(len(self.shapes)):
            decision = self.shapes[node].decision
            if isinstance(decision, FeatureDecision) or decision < 0:
                return node, decision
            node = decision
        raise ValueError("nodes lead in a circle")

    def _add(self, owner: int, parent: int) -> None:
        if len(self.owner) >= self.most:
            raise unsaid("nodes", "Its predicates ask for several features at once, which makes the tree too large",
                         "Save a tree that asks for one feature at a node")  # fmt: skip
        self.owner.append(owner)
        self.parent.append(parent)
        self.first.append(-1)
        self.n_children.append(0)
        self.tests.append(None)
        self.surrogates.append([])
        self.silent.append(False)

    # a decision as a split

    def _split(self, decision: FeatureDecision) -> tuple[_Test, list[_Test], list]:
        """(the test, its surrogates, what follows each branch)."""
        return self._of_numbers(decision) if decision.is_number else self._of_levels(decision)

    def _of_numbers(self, decision: FeatureDecision) -> tuple[_Test, list[_Test], list]:
        runs, f = decision.runs, decision.feature
        if len(runs) == 1:  # known or missing is all it asks
            return self._known_or_missing(f, runs[0][2], decision.missing)
        follows = [sub for _, _, sub in runs]
        closed = {closed for _, closed, _ in runs[:-1]}
        plain = len(set(follows)) == len(follows) and len(closed) == 1
        if not plain and len(runs) > 2:
            return self._halved(decision)
        backups, lost = self._backups(decision.missing, follows)
        if lost is None:
            return self._known_or_missing(f, replace(decision, missing=STAY), decision.missing)
        cuts = tuple(limit for limit, _, _ in runs[:-1])
        kind = THRESHOLD if len(cuts) == 1 else CUTS
        return _Test(kind, f, cuts, closed.pop(), missing=lost), backups, follows

    def _halved(self, decision: FeatureDecision) -> tuple[_Test, list[_Test], list]:
        """Cut in two where there are sides of several kinds, or two ranges lead to the same."""
        runs, middle = decision.runs, len(decision.runs) // 2
        limit, closed, _ = runs[middle - 1]
        low = replace(decision, runs=(*runs[: middle - 1], (np.inf, True, runs[middle - 1][2])))
        high = replace(decision, runs=runs[middle:], missing=STAY)
        if len(low.runs) == 1 and low.runs[0][2] == low.missing:
            low = low.missing
        if len(high.runs) == 1:
            high = high.runs[0][2]
        return _Test(THRESHOLD, decision.feature, (limit,), closed, missing=0), [], [low, high]

    def _known_or_missing(self, f: int, known: object, missing: object) -> tuple[_Test, list[_Test], list]:
        """Known values on one side, missing ones on the other."""
        return _Test(THRESHOLD, f, (np.inf,), False, missing=1), [], [known, missing]

    def _of_levels(self, decision: FeatureDecision) -> tuple[_Test, list[_Test], list]:
        # a level that goes on as one that is not known has no branch
        away = decision.unseen if isinstance(decision.unseen, FeatureDecision) else None
        follows = [sub for sub in dict.fromkeys(decision.runs) if sub != away or away is None]
        backups, lost = self._backups(decision.missing, follows)
        others, unseen = self._backups(decision.unseen, follows)
        if lost is None or unseen is None or backups != others:  # each has a branch of its own
            backups = []
            for sub in (decision.missing, decision.unseen):
                if sub not in follows and sub != self.stays:
                    follows.append(sub)
            lost, unseen = (
                follows.index(sub) if sub in follows else STAYS for sub in (decision.missing, decision.unseen)
            )
        if len(follows) == 1:  # a known level goes where they all go; missing or unseen ones stay
            follows.append(STAY if STAY in (decision.missing, decision.unseen) else NULL)
            lost, unseen = (follows.index(sub) if sub in follows else 1 for sub in (decision.missing, decision.unseen))
        table = tuple(follows.index(sub) if sub in follows else -1 for sub in decision.runs)
        return _Test(LEVELS, decision.feature, table=table, missing=lost, unseen=unseen), backups, follows

    def _backups(self, lost: int | FeatureDecision, follows: list) -> tuple[list[_Test], int | None]:
        """(surrogates, where a row goes that none of them sends); None where this is no chain of surrogates."""
        result: list[_Test] = []
        while isinstance(lost, FeatureDecision):
            test = self._backup(lost, follows)
            if test is None or any(known.feature == test.feature for known in result):
                return [], None
            result.append(test)
            lost = lost.missing
        if lost in follows:
            return result, follows.index(lost)
        return (result, STAYS) if lost == self.stays else ([], None)

    def _backup(self, decision: FeatureDecision, follows: list) -> _Test | None:
        """A surrogate: a cut, or levels, that lead to the branches of the node and nowhere else."""
        if decision.is_number:
            if len(decision.runs) != 2 or any(sub not in follows for _, _, sub in decision.runs) or len(follows) != 2:
                return None
            limit, closed, sub = decision.runs[0]
            return _Test(THRESHOLD, decision.feature, (limit,), closed, low=follows.index(sub))
        known = [sub for sub in decision.runs if sub != decision.unseen]
        if decision.unseen != decision.missing or any(sub not in follows for sub in known):
            return None
        table = tuple(follows.index(sub) if sub in follows else -1 for sub in decision.runs)
        return _Test(LEVELS, decision.feature, table=table)

    # as columns

    def _made(self) -> Tree:
        n, schema, owner = len(self.owner), self.schema, np.array(self.owner)
        k = len(schema.classes) or 1
        outputs = np.full((n, k), np.nan)
        for i, node in enumerate(self.owner):
            if self.outputs[node] is not None:
                outputs[i] = self.outputs[node]
        leaf = np.array([test is None for test in self.tests])
        silent = np.array(self.silent)
        outputs[leaf & silent] = np.nan
        answer = np.where(silent | np.isnan(outputs).any(axis=1), -1, np.arange(n))
        tests = [_Test(LEAF, -1) if test is None else test for test in self.tests]
        depth = np.zeros(n, np.int64)
        for i in range(1, n):
            depth[i] = depth[self.parent[i]] + 1
        once = self.cover is not None and len(np.unique(owner)) == n
        criterion = "gini" if schema.classes else "squared_error"
        n_surrogates = [len(backups) for backups in self.surrogates]
        backups = _columns([test for backups in self.surrogates for test in backups], schema)
        made = Tree(
            schema=schema, parent=np.array(self.parent), first_child=np.array(self.first),
            n_children=np.array(self.n_children), node_depth=depth, splits=_columns(tests, schema),
            stats=np.zeros((n, len(schema.classes) or 3)), n_rows=np.zeros(n), impurity=np.zeros(n),
            gain=np.where(leaf, np.nan, 0.0), score=np.where(leaf, np.nan, 0.0), answer=answer, criterion=criterion,
            growth=GrowSettings(criterion=criterion).to_dict(), outputs=outputs,
            cover=self.cover[owner] if once else None, surrogates=backups,
            surrogate_start=np.concatenate([[0], np.cumsum(n_surrogates)]),
        )  # fmt: skip
        return checked(made, "tree")


def _ends(decision: object) -> set:
    """The outcomes for which no branch is made: of missing and unseen values."""
    result = set()
    for sub in (decision.missing, decision.unseen):
        while isinstance(sub, FeatureDecision):
            sub = sub.missing
        result.add(sub)
    return result


def _columns(tests: list[_Test], schema: Schema) -> Splits:
    size = [len(test.table) for test in tests]
    n_cuts = [len(test.cuts) if test.kind == CUTS else 0 for test in tests]
    return Splits(
        kind=np.array([test.kind for test in tests]), feature=np.array([test.feature for test in tests]),
        threshold=np.array([test.cuts[0] if test.kind == THRESHOLD else np.nan for test in tests]),
        closed=np.array([test.closed for test in tests]), low_branch=np.array([test.low for test in tests]),
        level_start=np.concatenate([[0], np.cumsum(size)]),
        level_branch=np.array([branch for test in tests for branch in test.table]),
        missing_branch=np.array([test.missing for test in tests]),
        unseen_branch=np.array([test.unseen for test in tests]),
        cut_start=np.concatenate([[0], np.cumsum(n_cuts)]),
        cuts=np.array([cut for test in tests if test.kind == CUTS for cut in test.cuts]),
    )  # fmt: skip
