"""What each command does with its arguments."""

import json
import os
import sys
import time
import warnings
from argparse import Namespace
from pathlib import Path

import treecore as tc
from treecore.command_line.files import read_model, read_rows, read_tree, say, write
from treecore.command_line.learned import ScoredRules, learned_figures, learned_text
from treecore.command_line.opened import OPENED
from treecore.command_line.settings import parsed
from treecore.command_line.stages import Stages
from treecore.command_line.tables import table_of, tell_notes
from treecore.covering import Learned
from treecore.data.read import months
from treecore.data.table import Table
from treecore.errors import DataNote, TreecoreError
from treecore.export.formats import FORMATS
from treecore.export.xlsx import as_excel
from treecore.figures import brief
from treecore.judging.interest import FlagRule, interest_named
from treecore.predicting.batch import as_csv, as_parquet, harmless_columns, rows_of, score
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS, PruneProgress
from treecore.recipe import Grow, Prune, Recipe, Split, own_pruning
from treecore.seal import Seal
from treecore.study.metrics import score as judged
from treecore.study.other_table import other_table
from treecore.study.survival_curves import survival_text
from treecore.tree.node import tree_text
from treecore.tree.tree import Tree

RULE_FORMATS = {"text": "rules", "markdown": "rules_markdown", "csv": "rules_csv", "latex": "rules_latex"}
APP = "streamlit_app.py"
PACKAGE = Path(__file__).resolve().parents[1]


def grow(given: Namespace) -> None:
    """Read, split into roles, grow, prune, write."""
    raw = read_rows(given.file, given.part)
    table, why = table_of(raw, given)
    grower = Grow(given.preset, tuple(parsed(given.set, _growth_names(given.preset), "setting").items()))
    train = round(1.0 - given.validation - given.test, 12)
    split = Split(train=train, validation=given.validation, test=given.test, seed=given.seed)
    seal = (Seal(),) if given.seal else ()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", DataNote)
        fit = tc.fit(table, Recipe((split, *seal, grower, _pruning(given))), progress=_Told())
    tree = fit.tree
    tell_notes((*table.notes, *(str(one.message) for one in told if one.category is DataNote)), why)
    say(f"{_size(tree)} (grown: {_size(fit.grown)}), predicts {tree.schema.target}")
    for role, rows in (("training", fit.train), ("validation", fit.validation), ("test", fit.test)):
        if rows is None:
            say(f"{role}: sealed; the same command without --seal opens it")
        elif rows.n_rows:
            say(f"{role}: {_figures(tree, rows)}")
    write(given.out, tc.export(tree, "json"))


def prune(given: Namespace) -> None:
    """The same tree, smaller."""
    tree = read_tree(given.tree)
    known = [parameter.name for parameter in PRUNERS[given.method].parameters]
    rows = {role: _judged_rows(tree, getattr(given, role)) for role in ("train", "validation")}
    cuts = tc.prune(tree, given.method, progress=_Told(), **rows, **parsed(given.set, known, "parameter"))
    small = tree.cut(cuts)
    for table in filter(None, rows.values()):
        tell_notes(table.notes)
    say(f"{_size(tree)} before, {_size(small)} after")
    write(given.out, tc.export(small, "json"))


def predict(given: Namespace) -> None:
    """The file's columns, then answer, share_<class>, flag and segment where they are asked for, and leaf."""
    at = Stages()
    with at.stage(f"reading {given.file}"):
        model, raw = read_model(given.tree), read_rows(given.file, given.part)
        learned = isinstance(model, Learned)
        if learned and (given.flag is not None or given.interest is not None):
            raise TreecoreError("Learned rules have no segments", where="--flag", remedy="Leave it out, or give a tree")
        flag = None if given.flag is None else FlagRule(given.flag, interest_named(model, given.interest))
        rows = rows_of(model.tree if learned else model, raw)
    with at.stage(f"answering {rows.n_rows:,} rows"):
        scored = ScoredRules.of(model, rows) if learned else score(model, rows, flag)
        made = scored.beside(raw, rule=given.rule, guarded=_is_text(given.out))
    with at.stage(f"writing {given.out or 'the answers'}"):
        write(given.out, _as_file(made, given.out))
    tell_notes(rows.notes)
    known, figures = rows.target is not None and rows.target_column.present().any(), ""
    if known:
        figures = f": {learned_figures(model, rows) if learned else _figures(model, rows)}"
    say(f"{rows.n_rows:,} rows predicted{figures}")


def check(given: Namespace) -> int:
    """Does the tree still hold? 1 where it does not."""
    tree, raw = read_tree(given.tree), read_rows(given.file, given.part)
    if given.target not in (None, tree.schema.target):
        remedy = f"Name {tree.schema.target}, or leave it out"
        raise TreecoreError(f"The tree does not predict {given.target!r}", where="--target", remedy=remedy)
    rows = other_table(tree, raw, needs_target=given.target is not None)
    dates = months(raw, given.date)
    dates = None if dates is None else [dates[row] for row in rows.row_numbers]
    found = tc.check(tree, rows, _judged_rows(tree, given.train), months=dates, class_of_interest=given.interest,
                     fail_above=given.fail_above)  # fmt: skip
    tell_notes(rows.notes)
    made = json.dumps(found.to_dict(), ensure_ascii=False, indent=1) if given.json else found.text()
    write(given.out, made + "\n")
    return 0 if found.holds else 1


def segments(given: Namespace) -> None:
    """The leaves, riskiest first, by the training rows and by those of a file."""
    tree = read_tree(given.tree)
    rows = None if given.file is None else _judged_rows(tree, given.file)
    found = tc.segments(tree, rows, given.interest)
    if rows is not None:
        tell_notes(rows.notes)
    made = found.to_frame("pyarrow", given.sort, ascending=given.sort in ("segment", "leaf", "rule"))
    write(given.out, _as_file(harmless_columns(made) if _is_text(given.out) else made, given.out))


def survival(given: Namespace) -> None:
    """The nodes of a tree of survival times by the rows of a file: median times, hazard ratios, log-rank tests."""
    tree = read_tree(given.tree)
    rows = _judged_rows(tree, given.file)
    tell_notes(rows.notes)
    write(given.out, survival_text(tree, rows) + "\n")


def export(given: Namespace) -> None:
    """Any registered format."""
    tree, entry = read_tree(given.tree), FORMATS[given.format]
    options = parsed(given.set, dict(entry.options), "option")
    if given.table is not None and not given.table.strip():
        raise TreecoreError("The name is empty", where="--table", remedy="Name a table, such as --table passengers")
    options |= {} if given.table is None else {"table": given.table}
    name, more = given.name or Path(given.tree).stem, {"digits": given.digits, "interest": given.interest}
    made = tc.export(tree, given.format, name=name, **more, **options)
    if isinstance(made, bytes) and given.out is None and sys.stdout.isatty():
        raise TreecoreError(
            f"{entry.label} is no text", where="--out", remedy=f"Name a file, such as tree{entry.suffix}"
        )
    write(given.out, made)


def rules(given: Namespace) -> None:
    """One rule per leaf, or those that were learned."""
    model = read_model(given.tree)
    if not isinstance(model, Learned):
        more = {"digits": given.digits, "interest": given.interest}
        made = tc.export(model, RULE_FORMATS[given.format], name=Path(given.tree).stem, **more)
    elif given.digits is not None:
        remedy = "Leave out --digits, or give a tree"
        raise TreecoreError("The numbers of learned rules are written as they are", where="--digits", remedy=remedy)
    elif given.interest is not None:
        what = "Learned rules tell the rarer one of two classes"
        raise TreecoreError(what, where="--class", remedy="Leave out --class, or give a tree")
    elif given.format == "text":
        made = learned_text(model)
    else:
        remedy = "Leave out --format, or give a tree"
        raise TreecoreError("Learned rules are written as text", where="--format", remedy=remedy)
    write(given.out, made)


def show(given: Namespace) -> None:
    """The tree, one line per node."""
    tree = read_tree(given.tree)
    write(None, tree_text(tree if given.digits is None else tree.rounded(given.digits), given.depth))


def explore(given: Namespace) -> None:
    """Streamlit takes the place of this process; it reads .streamlit/config.toml of the folder it is started in."""
    folder = next((f for f in (PACKAGE.parent, PACKAGE / "_app") if (f / APP).is_file()), None)
    if folder is None:
        raise TreecoreError("The app's files are not installed", where="explore", remedy="Install treecore[app] again")
    options = given.streamlit
    if given.file is not None and given.file.startswith("-"):
        options = [given.file, *options]
    elif given.file is not None:
        read_rows(given.file)  # a file that cannot be read is named here, not in a browser
        os.environ[OPENED] = str(Path(given.file).resolve())
    os.chdir(folder)
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", APP, *options])


def _is_text(path: str | None) -> bool:
    """Is a table written there as CSV?"""
    return not (path or "").endswith((".parquet", ".xlsx"))


def _as_file(table, path: str | None) -> bytes:
    """A table as the name of the file asks for."""
    suffix = Path(path or "").suffix
    return as_excel(table) if suffix == ".xlsx" else as_parquet(table) if suffix == ".parquet" else as_csv(table)


class _Told:
    """Progress on stderr, at most once a second."""

    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, progress) -> None:
        now = time.monotonic()
        if now - self.last >= 1:
            self.last = now
            say(_told(progress))


def _told(progress) -> str:
    if isinstance(progress, PruneProgress):
        return f"pruning: {progress.n_done:,} of {progress.n_nodes:,} nodes judged"
    told = getattr(progress, "n_nodes", None)
    return f"growing: {told:,} nodes" if told is not None else f"cross-validating: {progress}"


def _growth_names(preset: str) -> list[str]:
    return list(PRESETS[preset].growth.to_dict())


def _pruning(given: Namespace) -> Prune:
    """The strategy asked for; else the preset's own, if it needs no validation rows that there are not."""
    method = given.prune or own_pruning(given.preset).method
    pruner = PRUNERS[method]
    if pruner.needs_validation and not given.validation:
        if given.prune is None and not given.prune_set:
            return Prune()
        remedy = "Set some rows apart, such as --validation 0.2"
        raise TreecoreError(f"{pruner.label} needs validation rows", where="--prune", remedy=remedy)
    known = [parameter.name for parameter in pruner.parameters]
    return Prune(method, tuple(parsed(given.prune_set, known, f"parameter of --prune {method}").items()))


def _judged_rows(tree: Tree, path: str | None) -> Table | None:
    return None if path is None else other_table(tree, read_rows(path))


def _size(tree: Tree) -> str:
    return f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}, depth {tree.depth}"


def _figures(tree: Tree, rows: Table) -> str:
    found = judged(tree, rows)
    cost, head = "" if found.cost is None else f"{found.measure} {brief(found.cost)}, ", found.headline
    beside = f", {head.beside}" if head.beside and found.baseline > 0 else ""
    return f"{cost}{head.name} {head.told(head.value)}{beside} on {found.n_rows:,} rows"
