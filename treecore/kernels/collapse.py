"""Weakest-link cutting: in which order nodes lose their branches, and at which alpha."""

import heapq

import numpy as np

from treecore.engine.jit import inner, jit

SAME = 1e-10
"""Two links that differ by no larger share are the same."""


@inner
def below_a_leaf(parent, step, node):
    """Has an ancestor lost its branches already?"""
    up = parent[node]
    while up >= 0 and step[up] < 0:
        up = parent[up]
    return up >= 0


@jit
def weakest_links(parent, n_children, risk, tolerance):
    """Collapse the weakest link again and again until only the root is left.

    risk : float64 (n_nodes,), R(t) of each node as a leaf. Nodes whose g(t) = (R(t) - R(T_t)) /
    (|T_t| - 1) equals the smallest but for rounding fall in the same step: within `tolerance` of the larger one's
    risk, and a share SAME of g. What is far from a node must not count there as rounding.
    Returns (step int64 (n_nodes,): the step at which a node is turned into a leaf, -1 for never;
    alphas of the steps; leaves left after each step; risk of the tree after each step).
    """
    n = parent.shape[0]
    leaves = np.zeros(n, np.int64)
    below = np.zeros(n)
    for t in range(n - 1, -1, -1):
        if n_children[t] == 0:
            leaves[t], below[t] = 1, risk[t]
        if t > 0:
            leaves[parent[t]] += leaves[t]
            below[parent[t]] += below[t]
    step = np.full(n, -1, np.int64)
    queue = [(0.0, 0)]
    queue.pop()
    for t in range(n):
        if n_children[t] > 0:
            queue.append(((risk[t] - below[t]) / (leaves[t] - 1), t))
    heapq.heapify(queue)
    alphas, sizes, risks = [0.0], [leaves[0]], [below[0]]
    alpha, weakest, now = 0.0, 0.0, 0
    while leaves[0] > 1:
        g, t = heapq.heappop(queue)
        if step[t] >= 0 or leaves[t] <= 1 or g != (risk[t] - below[t]) / (leaves[t] - 1):
            continue
        if below_a_leaf(parent, step, t):
            continue
        if now == 0 or g > alpha + tolerance * max(risk[t], weakest) + SAME * abs(g):
            alpha = g if g > tolerance * risk[t] else 0.0  # a split that lowers no risk may compute as 3e-17
            weakest = risk[t]
            now += 1
            alphas.append(alpha)
            sizes.append(leaves[0])
            risks.append(below[0])
        step[t] = now
        gone, more = leaves[t] - 1, risk[t] - below[t]
        up = t
        while up >= 0:
            leaves[up] -= gone
            below[up] += more
            if up != t and leaves[up] > 1:
                heapq.heappush(queue, ((risk[up] - below[up]) / (leaves[up] - 1), up))
            up = parent[up]
        sizes[now], risks[now] = leaves[0], below[0]
    return step, np.array(alphas), np.array(sizes), np.array(risks)
