"""What the package CHAID merges of random tables of one feature: python record.py, in this folder, with CHAID 5.5.1."""

import json
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def main() -> None:
    from CHAID import Tree

    rng = np.random.default_rng(3)
    records = []
    for i in range(24):
        n, n_levels, n_classes = (int(rng.integers(*ends)) for ends in ((60, 250), (3, 8), (2, 5)))
        kind = ("nominal", "ordinal")[i % 2]
        x = np.append(rng.integers(0, n_levels, n), np.arange(n_levels))
        shares = rng.dirichlet(np.full(n_classes, 3.0), 3)[rng.integers(0, 3, n_levels)]
        y = np.array([rng.choice(n_classes, p=shares[level]) for level in x])
        tree = Tree.from_numpy(
            x.reshape(-1, 1).astype(float), y, alpha_merge=0.05, max_depth=1, min_parent_node_size=2,
            min_child_node_size=0, split_titles=["x"], variable_types=[kind],
        )  # fmt: skip
        split = tree.tree_store[0].split
        groups = [sorted(int(float(v)) for v in group) for group in split.split_map] if split.valid() else None
        found = {"groups": groups}
        if groups is not None:
            found |= {"statistic": float(split.score), "df": int(split.dof), "p": float(split.p)}
        records.append({"kind": kind, "x": "".join(map(str, x)), "y": "".join(map(str, y))} | found)
    (HERE / "merged.json").write_text("[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
