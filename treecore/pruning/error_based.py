"""C4.5's pruning: an upper limit of the errors to come, estimated from the training rows alone, decides."""

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from treecore.data.table import Table
from treecore.kernels.route import count_more
from treecore.pruning.cuts import CUT, KEEP, RAISED, Cuts, PruneDecision, Reason
from treecore.pruning.j48 import EQUAL, j48_collapse, largest_class
from treecore.pruning.pruner import LINES_OF_CLASSES, Parameter, Pruner, PruningContext
from treecore.pruning.rerouting import (
    are_whole,
    ground_of,
    numpy_descends_faster,
    send_down,
    send_on,
    zero_counts,
)
from treecore.pruning.risk import staying
from treecore.tree.tree import Tree

# How many errors a leaf will make on rows to come, judged by its errors on the training rows: three published forms.
#
# Each form takes the N training rows of a leaf and e errors among them for a sample, and answers with an upper limit
# of the errors among N rows that holds with confidence 1 - CF. N and e may be sums of fractions of rows.

ESTIMATES = (
    ("weka", "Normal approximation (J48)"),
    ("c45", "Normal approximation, z from C4.5's table (release 8)"),
    ("binomial", "Exact binomial limit"),
)
"""(name, label) of each form, for a menu."""

CONFIDENCE = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
"""C4.5's table of the normal distribution: upper tail, standard deviations."""


def estimated_errors(weight: np.ndarray, errors: np.ndarray, cf: float = 0.25, form: str = "weka") -> np.ndarray:
    """float64 (n,): estimated errors of leaves, never less than those made; 0 for a leaf without rows.

    weight, errors : float64 (n,), training weight of each leaf and its part in error. cf : in (0, 0.5].
    form : "weka" is J48's addErrs, with CF as a 32-bit number; "c45" is AddErrs of C4.5 release 8; "binomial" the
    p with P(X <= e; N, p) = CF, times N.
    Sources: Quinlan (1993), ch. 4; behaviour of C4.5 release 8 and of Weka 3.6 (J48).
    """
    weight, errors = np.asarray(weight, float), np.asarray(errors, float)
    some = weight > SMALL
    n, e = np.where(some, weight, 1.0), np.where(some, np.maximum(errors, 0.0), 0.0)
    return np.where(some, _FORMS[form](n, e, cf), 0.0)


SMALL = 1e-6
"""A weight up to this is none: sums of fractions of rows leave rests."""


def _weka(n: np.ndarray, e: np.ndarray, cf: float) -> np.ndarray:
    single = max(np.float32(cf), np.finfo(np.float32).tiny)
    # 1 - CF must not round to 1, where z is infinite
    z = NormalDist().inv_cdf(float(min(np.float32(1) - single, np.nextafter(np.float32(1), np.float32(0)))))
    return e + _extra(n, e, float(single), z * z, few=1.0, top=1.0)


def _c45(n: np.ndarray, e: np.ndarray, cf: float) -> np.ndarray:
    z = float(np.interp(cf, CONFIDENCE, DEVIATIONS))
    return e + _extra(n, e, cf, z * z, few=0.9999, top=0.67)


def _extra(n: np.ndarray, e: np.ndarray, cf: float, z2: float, few: float, top: float) -> np.ndarray:
    """Errors to add. z2 : squared deviations of CF. few : fewer errors are interpolated between none and one.

    top : the share of the right answers that is added where (nearly) all are wrong.
    """
    none = n * -np.expm1(math.log(cf) / n)
    one, these = _approximation(n, np.stack([np.ones_like(n), e]), z2, top)
    return np.where(e < few, none + e * (one - none), these)


def _approximation(n: np.ndarray, e: np.ndarray, z2: float, top: float) -> np.ndarray:
    """Errors to add to one or more, by the upper limit of a normal distribution with continuity correction.

    n : float64 (m,). e : float64 (..., m).
    """
    most = e + 0.5 >= n
    f = np.where(most, 0.5, (e + 0.5) / n)
    spread = np.sqrt(z2 * (f / n - f * f / n + z2 / (4 * n * n)))
    limit = (f + z2 / (2 * n) + spread) / (1 + z2 / n)
    return np.where(most, np.maximum(top * (n - e), 0.0), limit * n - e)


def _binomial(n: np.ndarray, e: np.ndarray, cf: float) -> np.ndarray:
    from scipy.special import betaincinv

    below = n - e > SMALL
    return np.where(below, n * betaincinv(e + 1.0, np.where(below, n - e, 1.0), 1.0 - cf), np.maximum(n, e))


_FORMS = {"weka": _weka, "c45": _c45, "binomial": _binomial}


# One pass of error-based pruning over a tree, with subtree raising where there are rows to send.


class ErrorPruning:
    """The tree as pruned so far. A place is a node of the grown tree; `standing` says which node is there by now.

    stats, ends : float64 (n_nodes, K), training rows that reach each node, and whose route ends there, as things stand.
    as_leaf, inside, below : float64 (n_nodes,), estimated errors of a node as a leaf, of the rows that end in it, and
        of it with its branches (known once it has been judged).
    some : bool (n_nodes,), do any rows end in it? whole : see rerouting.are_whole; False without rows.
    parts : place -> (rows, shares), where they had to be known. place_of : int64 (n_nodes,), of a node that stands.
    nodes : place -> int64, ascending, the nodes that stand there and below once it has been judged, where rows are
        whole, until its parent has been.
    """

    def __init__(
        self,
        tree: Tree,
        collapsed: Cuts,
        method: str,
        estimates: Callable,
        slack: float,
        train: Table | None,
        look: Callable[[int, int], None],
    ):
        self.tree, self.method, self.estimates, self.slack, self.train = tree, method, estimates, slack, train
        self.look = look
        self.verdict, self.replaced_by = collapsed.verdict.copy(), collapsed.replaced_by.copy()
        self.reasons = dict(collapsed.reasons)
        self.decisions = [PruneDecision(t, int(self.verdict[t]), reason) for t, reason in self.reasons.items()]
        self.leaf, self.standing = tree.is_leaf | (self.verdict == CUT), np.arange(tree.n_nodes)
        self.place_of, self.parts = self.standing.copy(), {}
        self.stats = tree.stats.copy()
        self.ends = np.where(self.leaf[:, None], tree.stats, staying(tree))
        self.as_leaf, self.inside = estimates(self.stats, self.stats), estimates(self.stats, self.ends)
        self.below, self.some, self.whole, self.nodes = np.zeros(tree.n_nodes), self.ends.any(axis=1), False, {}
        if train is not None:
            self.ground = ground_of(tree, train)._replace(standing=self.standing, leaf=self.leaf)
            self.scratch, entry = zero_counts(tree), self.ground.entries.copy()
            self.more, self.whole = zero_counts(tree), are_whole(tree, self.ground)
            self.parts = {0: (entry, np.ones(len(entry)))}

    def cuts(self) -> Cuts:
        """Judge every node that the collapse left: children first, in their order, then their parent."""
        waiting = [(0, False)]
        while waiting:
            place, ready = waiting.pop()
            self.look(len(self.reasons), self.tree.n_nodes)  # a place is judged again where a branch is raised
            t = int(self.standing[place])
            if self.leaf[t]:
                self.below[t] = self.as_leaf[t]
                self._keep_nodes(place, t)
            elif not ready:
                waiting += [(place, True), *((child, False) for child in reversed(self.tree.children(t)))]
            elif self._judge(place, t) == RAISED:
                self._raise(place, t)
                waiting.append((place, False))
        raised = (self.verdict == RAISED).any()
        return Cuts(
            self.verdict, self.replaced_by, self.reasons,
            train=self.train if raised else None, decisions=tuple(self.decisions),
        )  # fmt: skip

    def _rows(self, place: int) -> tuple[np.ndarray, np.ndarray]:
        """The rows of a place and their shares, sent on from the nearest place above whose rows are known."""
        path = [place]
        while path[-1] not in self.parts:
            path.append(int(self.place_of[self.tree.parent[path[-1]]]))
        for above in reversed(path[1:]):
            self._send_on(above)
        return self.parts[place]

    def _send_on(self, place: int) -> None:
        """Let the places below have their rows.

        Where each row goes down one branch they are parts of the place's own arrays, which are put in the order of the
        branches: copies at all levels of a tree as deep as its rows are many would take the square of these.
        """
        t, (entry, share) = int(self.standing[place]), self.parts[place]
        begin, to_entry, to_share = send_on(self.ground, self.scratch, t, entry, share)
        if len(to_entry) == len(entry) and self._has_one_route(t):
            entry[:], share[:] = to_entry, to_share
        else:
            entry, share = to_entry, to_share
        for b, child in enumerate(self.tree.children(t)):
            part = slice(begin[b], begin[b + 1])
            self.parts[child] = entry[part], share[part]

    def _has_one_route(self, t: int) -> bool:
        """Do all rows that the tests of a node do not know go one way? Then as many entries as before are the same."""
        return self.tree.splits.missing_branch[t] == self.tree.splits.unseen_branch[t]

    def _judge(self, place: int, t: int) -> int:
        """Decide what becomes of the inner node in this place, and say why."""
        places = np.array(self.tree.children(t))
        children = self.standing[places]
        leaf, branched = float(self.as_leaf[t]), float(self.inside[t] + self.below[children].sum())
        largest = _last_largest(self.stats[children].sum(axis=1))
        raised = self._in_its_place(place, int(places[largest]), leaf)
        if _at_most(leaf, branched + self.slack) and _at_most(leaf, raised + self.slack):
            verdict, self.below[t], self.leaf[t] = CUT, leaf, True
            self.ends[t], self.inside[t], self.some[t] = self.stats[t], leaf, self.stats[t].any()
        elif _at_most(raised, branched + self.slack):
            verdict, self.replaced_by[t] = RAISED, places[largest]
        else:
            verdict, self.below[t] = KEEP, branched
        if verdict != RAISED:
            self._keep_nodes(place, t)
        for child in places.tolist():
            self.parts.pop(child, None)
            self.nodes.pop(child, None)
        self._tell(t, verdict, leaf, branched, raised, largest)
        return verdict

    def _in_its_place(self, place: int, branch: int, leaf: float) -> float:
        """Estimated errors of a place with this branch in it. leaf : of it as a leaf, which is what a leaf makes it."""
        if self.train is None:
            return np.inf
        if self.leaf[self.standing[branch]]:
            return leaf
        if self.whole and not numpy_descends_faster():
            return self._with_more(branch, self._beside(place, branch))
        return self._with_branch(branch, *self._rows(place))

    def _keep_nodes(self, place: int, t: int) -> None:
        """Remember what stands in a place and below."""
        if self.whole:
            below = () if self.leaf[t] else (self.nodes[child] for child in self.tree.children(t))
            self.nodes[place] = np.sort(np.concatenate([[t], *below]), kind="stable")

    def _beside(self, place: int, branch: int) -> np.ndarray:
        """The rows of a place that do not go down this branch."""
        if branch not in self.parts:
            self._rows(place)
            self._send_on(place)
        children = self.tree.children(self.standing[place])
        return np.concatenate([self.parts[child][0] for child in children if child != branch])

    def _with_branch(self, place: int, entry: np.ndarray, share: np.ndarray) -> float:
        """Estimated errors of these rows sent down from a place; `scratch` has their counts, `met` the nodes."""
        self.met = send_down(self.ground, self.scratch, place, entry, share)
        ends = self.scratch.ends[self.met]
        some = ends.any(axis=1)
        return float(self.estimates(self.scratch.stats[self.met[some]], ends[some]).sum())

    def _with_more(self, branch: int, entry: np.ndarray) -> float:
        """_with_branch to the last bit, where rows are whole: of those that go down this branch anyway nothing changes,
        so that only the others are sent. The sum is over the same nodes in the same order."""
        more, nodes, self.met = self.more, self.nodes[branch], np.empty(0, np.int64)
        if len(entry):
            self.met = np.sort(count_more(self.ground, more, branch, entry))
        stats, ends = self.stats[self.met] + more.stats[self.met], self.ends[self.met] + more.ends[self.met]
        self.scratch.stats[self.met], self.scratch.ends[self.met] = stats, ends
        more.stats[self.met], more.ends[self.met], more.n_rows[self.met] = 0.0, 0.0, 0
        estimate, some, changed = self.inside[nodes], self.some[nodes], np.searchsorted(nodes, self.met)
        estimate[changed], some[changed] = self.estimates(stats, ends), ends.any(axis=1)
        return float(estimate[some].sum())

    def _raise(self, place: int, t: int) -> None:
        """Put the branch that was tried last in the place, with the rows that were sent down it."""
        met = self.met
        self.standing[place] = self.standing[self.replaced_by[t]]
        self.place_of[self.standing[place]] = place
        self.stats[met], self.ends[met] = self.scratch.stats[met], self.scratch.ends[met]
        self.as_leaf[met] = self.estimates(self.stats[met], self.stats[met])
        self.inside[met], self.some[met] = self.estimates(self.stats[met], self.ends[met]), self.ends[met].any(axis=1)

    def _tell(self, t: int, verdict: int, leaf: float, branched: float, raised: float, largest: int) -> None:
        text = f"estimated errors {leaf:.6g} as a leaf, {branched:.6g} with its branches"
        details = [("as a leaf", leaf), ("with its branches", branched)]
        if self.train is not None:
            text += f", {raised:.6g} with branch {largest + 1} in its place"
            details += [("with its largest branch in its place", raised), ("largest branch", largest + 1.0)]
        if self.slack:
            text += f" ({self.slack:.6g} more accepted)"
        number, least = (raised, branched) if verdict == RAISED else (leaf, min(branched, raised))
        threshold = least + self.slack
        threshold = number if abs(number - threshold) < EQUAL else threshold
        reason = Reason(self.method, text, number, threshold, details=tuple(details))
        self.verdict[t], self.reasons[t] = verdict, reason
        self.decisions.append(PruneDecision(t, verdict, reason))


def _at_most(a: float, b: float) -> bool:
    """a <= b, where up to EQUAL more is equal."""
    return a - b < EQUAL


def _last_largest(weight: np.ndarray) -> int:
    """The last of the largest, where up to EQUAL less than those before it is as large."""
    largest, most = 0, 0.0
    for i, w in enumerate(weight):
        if most - w < EQUAL:
            largest, most = i, float(w)
    return largest


METHOD = "C4.5 error-based"


def error_based(
    tree: Tree, given: PruningContext, cf: float = 0.25, raising: bool = True, estimate: str = "weka",
    collapse: bool = True, slack: float = 0.1,
) -> Cuts:  # fmt: skip
    """From the leaves up, a node becomes a leaf, or its largest branch takes its place, if fewer errors are estimated.

    cf : certainty of the estimate; a smaller one prunes more. raising : may a branch take its parent's place? It is
        judged by all rows of the place sent down it, and the place is judged once more if it does.
    estimate : one of ESTIMATES. collapse : first make leaves of the nodes whose branches save no
        training errors, as C4.5 does while it grows. slack : estimated errors that branches must save.
    TreecoreError with raising if `given` has no training rows. Classification only.
    Sources: Quinlan (1993), ch. 4; behaviour of Weka 3.6 (J48), whose verdicts and numbers the defaults give.
    """
    train = given.need_train(METHOD + " pruning with subtree raising") if raising else None
    collapsed = j48_collapse(tree, given) if collapse else Cuts.none(tree)
    weka = estimate == "weka" and tree.priors is None and tree.loss is None

    def estimates(stats: np.ndarray, ends: np.ndarray) -> np.ndarray:
        """float64 (n,): of the rows `ends`, under the labels of nodes with these statistics."""
        label = largest_class(stats) if weka else tree.labels_of(stats)
        weight = ends.sum(axis=1)
        return estimated_errors(weight, weight - ends[np.arange(len(ends)), label], cf, estimate)

    return ErrorPruning(tree, collapsed, METHOD, estimates, slack, train, given.look).cuts()


ERROR_BASED = Pruner(
    name="error_based",
    label="C4.5 error-based",
    formula=r"E(t) \le \sum_{\ell \in T_t} E(\ell) + 0.1,\quad E = N \cdot U_{CF}(e, N)",
    source="Quinlan (1993); Weka 3.6 (J48)",
    cuts=error_based,
    parameters=(
        Parameter("cf", "Confidence factor CF", 0.25, 0.0, "smaller prunes more", most=0.5, above=True),
        Parameter("raising", "Subtree raising", True, note="the largest branch may take its parent's place"),
        Parameter("estimate", "Estimate of errors", "weka", choices=ESTIMATES),
        Parameter(
            "collapse", "Collapse first", True, note="branches that save no training errors are removed before pruning"
        ),
        Parameter("slack", "Estimated errors that branches must save", 0.1, 0.0),
    ),
    task="classification",
    not_for=(LINES_OF_CLASSES,),
    why_task="it estimates classification errors",
)
