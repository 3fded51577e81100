"""One pass of error-based pruning over a tree, with subtree raising where there are rows to send."""

from collections.abc import Callable

import numpy as np

from treecore.data.table import Table
from treecore.kernels.routing.descend import count_more
from treecore.pruning.cuts import CUT, KEEP, RAISED, Cuts, Decision, Reason
from treecore.pruning.ground import (
    all_entries,
    are_whole,
    descends_sooner,
    ground_of,
    nothing_found,
    send_down,
    send_on,
)
from treecore.pruning.j48_collapse import EQUAL
from treecore.pruning.risk import staying
from treecore.tree.tree import Tree


class ErrorPruning:
    """The tree as pruned so far. A place is a node of the grown tree; `standing` says which node is there by now.

    stats, ends : float64 (n_nodes, K), training rows that reach each node, and whose route ends there, as things stand.
    as_leaf, inside, below : float64 (n_nodes,), estimated errors of a node as a leaf, of the rows that end in it, and
        of it with its branches (known once it has been judged).
    some : bool (n_nodes,), do any rows end in it? whole : see ground.are_whole; False without rows.
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
        self.decisions = [Decision(t, int(self.verdict[t]), reason) for t, reason in self.reasons.items()]
        self.leaf, self.standing = tree.is_leaf | (self.verdict == CUT), np.arange(tree.n_nodes)
        self.place_of, self.parts = self.standing.copy(), {}
        self.stats = tree.stats.copy()
        self.ends = np.where(self.leaf[:, None], tree.stats, staying(tree))
        self.as_leaf, self.inside = estimates(self.stats, self.stats), estimates(self.stats, self.ends)
        self.below, self.some, self.whole, self.nodes = np.zeros(tree.n_nodes), self.ends.any(axis=1), False, {}
        if train is not None:
            self.ground = ground_of(tree, train)._replace(standing=self.standing, leaf=self.leaf)
            self.scratch, entry = nothing_found(tree), all_entries(self.ground).copy()
            self.more, self.whole = nothing_found(tree), are_whole(tree, self.ground)
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
        if self.whole and not descends_sooner():
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
        self.decisions.append(Decision(t, verdict, reason))


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
