"""The scripts of the explorer without a server, called one by one in a Chromium, and what the library says instead."""

import base64
import json
import re
from html import escape
from itertools import pairwise

import pytest

import treecore as tc
from tests.unit.exported_page import data_of
from treecore.errors import TreecoreError
from treecore.export.code import TEMPLATES, in_script
from treecore.export.static_explorer import ALGORITHMS, CONSTANTS, LIBRARY, preset_settings, reading_rules

SCRIPTS = f"const RULES = {in_script(reading_rules())};\n" + "\n".join(
    (TEMPLATES / name).read_text("utf-8") for name in LIBRARY
)
SCRIPTS += f"\nconst PRESETS = {in_script({name: preset_settings(name) for name in ALGORITHMS})};"
READ = """(files) => files.map(([data, target]) => {
    const made = {};
    try {
        const source = CsvTable.read(Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)));
        Object.assign(made, { target: target ?? CsvTable.targetOf(source), names: source.names });
        made.guesses = source.columns.map(({ name, guess }) => ({ name, ...guess }));
        const table = CsvTable.tableOf(source, made.target), { labels, numbers } = table.target;
        const plain = (array) => array && [...array];
        made.table = {
            rows: [...table.rows], target: { ...table.target, labels: plain(labels), numbers: plain(numbers) },
            features: table.features.map((f) => ({ ...f, codes: [...f.codes], values: plain(f.values) })),
        };
    } catch (fault) { made.refused = fault.message; }
    return made;
})"""
"""[base64, target] of files -> what is read of each, or why it is refused."""
GROW = """(many) => many.map(([data, preset, limits]) => {
    try {
        const source = CsvTable.read(Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)));
        const target = CsvTable.targetOf(source), table = CsvTable.tableOf(source, target);
        const grown = Grower.growTree(table, { ...PRESETS[preset], ...limits }), { features } = table;
        const links = Grower.weakestLinks(grown, "impurity");
        const { TREE } = PageConstants.of({ ...grown, features }, links, "table").constants;
        return { target, features: table.features.map(({ name }) => name), tree: TREE };
    } catch (fault) {
        return { refused: fault.message };
    }
})"""
"""[base64, algorithm, limits] of files -> the tree of each, or why there is none."""
PAGE = """(trees) => trees.map(([tree, links, name]) => PageConstants.of(tree, links, name))"""


__all__ = ["escape"]


def read(page, files: list[tuple[bytes, str | None]]) -> list[dict]:
    return page.evaluate(READ, [[base64.b64encode(data).decode(), target] for data, target in files])


def difference(data: bytes, target: str | None, made: dict) -> str:
    """How what was read differs from what read_table reads; '' where both say the same or the page refuses.

    The page may leave a column to the app; what is wrong with that one is no fault then.
    """
    odd = [guess["name"] for guess in made.get("guesses", ()) if guess.get("isOdd")]
    features = [f["name"] for f in made["table"]["features"]] if odd and "table" in made else None
    try:
        table = tc.read_table(data, target=target or made.get("target"), name="table.csv", features=features)
    except TreecoreError as fault:
        return "" if "refused" in made else f"read, where the library says: {fault}"
    if "refused" in made:
        return ""
    table, read = table.without_missing_target(), made["table"]
    pairs = [
        ("names", made["names"], list(table.column_names)),
        ("features", [f["name"] for f in read["features"]], list(table.features)),
        ("rows", read["rows"], table.row_numbers.tolist()),
    ]
    for feature in read["features"]:
        column, name = table.column(feature["name"]), feature["name"]
        pairs.append((f"kind of {name!r}", feature["kind"], column.kind))
        pairs.append((f"codes of {name!r}", feature["codes"], column.codes.tolist()))
        pairs.append((f"gaps of {name!r}", feature["missing"], column.n_missing))
        pairs.append((f"numbers of {name!r}", feature["values"], None if column.levels else column.distinct.tolist()))
        pairs.append((f"levels of {name!r}", feature["levels"], column.levels and list(column.levels)))
    wanted, found = table.target_column, read["target"]
    pairs.append(("classes", found["classes"], wanted.levels and list(wanted.levels)))
    if wanted.levels:
        pairs.append(("labels", found["labels"], wanted.codes.tolist()))
    else:
        pairs.append(("target", found["numbers"], wanted.values().tolist()))
    return next((f"{what}: {mine!r}, not {its!r}" for what, mine, its in pairs if mine != its), "")


def arrays(tree: tc.Tree, table: tc.Table) -> dict:
    """The tree as the script that grows trees hands it over."""
    splits, levels = tree.splits, {column.name: column for column in table.columns}
    backups = range(len(tree.surrogates))
    surrogates = [
        {
            "feature": int(tree.surrogates.feature[s]), "kind": int(tree.surrogates.kind[s]),
            "threshold": float(tree.surrogates.threshold[s]), "low_branch": int(tree.surrogates.low_branch[s]),
            "level_branch": tree.surrogates.levels(s).tolist(), "rows": int(tree.surrogate_rows[s]),
        }
        for s in backups
    ]  # fmt: skip
    start = tree.surrogate_start.tolist()
    features = [
        {"name": f.name, "kind": f.kind, "levels": list(f.levels) or None}
        | ({"values": levels[f.name].distinct.tolist()} if f.numeric else {})
        for f in tree.schema.features
    ]
    plain = {
        name: getattr(tree, name).tolist()
        for name in (
            "parent", "first_child", "n_children", "stats", "weight", "impurity", "gain", "missing_rows",
            "missing_weight", "value",
        )
    }  # fmt: skip
    of_splits = ("kind", "feature", "threshold", "low_branch", "missing_branch", "unseen_branch")
    plain |= {name: getattr(splits, name).tolist() for name in of_splits}
    nothing = [None] * tree.n_nodes
    return plain | {
        "n_nodes": tree.n_nodes, "closed": bool(splits.closed.any()), "gap_low": nothing, "gap_high": nothing,
        "level_branch": [splits.levels(t).tolist() for t in range(tree.n_nodes)],
        "surrogates": [surrogates[a:b] for a, b in pairwise(start)],
        "criterion": tree.criterion, "features": features,
        "target": {"name": tree.schema.target, "classes": list(tree.classes) or None},
    }  # fmt: skip


def links(tree: tc.Tree) -> dict:
    found = tc.sequence(tree, risk="impurity" if tree.classes else "error")
    return {
        "leaves": found.n_leaves.tolist(), "risk": found.risk.tolist(), "step": found.step.tolist(),
        "until": found.until.tolist(),
    }  # fmt: skip


def constants(html: str) -> dict:
    """What the scripts of a reader's page know of its tree."""
    written = re.findall(r"^const ([A-Z_]+) = (.*);$", html, re.M)
    return data_of(html) | {name: json.loads(value) for name, value in written if name in CONSTANTS}


def alike(made, expected) -> bool:
    """The same, numbers but for rounding: where rows are shared, engines add their parts up in other orders."""
    if isinstance(expected, dict):
        return made.keys() == expected.keys() and all(alike(made[key], expected[key]) for key in expected)
    if isinstance(expected, list):
        return len(made) == len(expected) and all(map(alike, made, expected))
    return made == (pytest.approx(expected, rel=1e-9) if isinstance(expected, float) else expected)
