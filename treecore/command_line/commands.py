"""What each command does with its arguments."""

import json
import os
import sys
import time
import warnings
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer

import numpy as np
import pyarrow as pa

import treecore as tc
from treecore.brief import visible
from treecore.command_line.files import (
    FILE_TO_OPEN,
    parsed,
    read_rows,
    read_tree,
    read_tree_or_rules,
    say,
    table_of,
    tell_notes,
    write,
)
from treecore.covering import LEARNERS, Learned, learn_rules
from treecore.data.formula_injection import harmless_text
from treecore.data.read import months
from treecore.data.table import Table
from treecore.data.table_like import lone_value
from treecore.ensembles import Ensemble, distilled
from treecore.errors import DataNote, TreecoreError
from treecore.export.formats import FORMATS
from treecore.export.rule_texts import measured
from treecore.export.spreadsheets import as_excel
from treecore.export.static_explorer import explorer_page
from treecore.figures import brief, count, percent
from treecore.importing import read_model
from treecore.judging.interest import FlagRule, interest_named, interest_of
from treecore.predicting.batch import Scored, as_csv, as_parquet, harmless_columns, rows_of, score
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS, PruneProgress
from treecore.recipe import Grow, Prune, Recipe, Split, own_pruning
from treecore.rules.rule import Rule
from treecore.seal import Seal
from treecore.study.metrics import score as judged
from treecore.study.other_table import other_table
from treecore.study.survival_curves import survival_text
from treecore.tree.node import tree_text
from treecore.tree.tree import Tree

# Rules straight from data: learned, told and asked in a terminal.


def learn(given: Namespace) -> None:
    """Read, learn rules, write."""
    table, why = table_of(read_rows(given.file, given.part), given)
    known = LEARNERS[given.learner].names
    learned = learn_rules(table, given.learner, **parsed(given.set, known, "setting"))
    tell_notes((*table.notes, *filter(None, [lone_value(table)])), why)
    n = len(learned.listed)
    say(f"{n} {'rule' if n == 1 else 'rules'} by {learned.learner.label}, predict {table.target}")
    say(f"training: {learned_figures(learned, table)}")
    write(given.out, json.dumps(learned.to_dict(), allow_nan=False))


def learned_figures(learned: Learned, rows: Table) -> str:
    """How the rules do on these rows."""
    return f"accuracy {percent(1.0 - learned.error(rows))} on {rows.n_rows:,} rows"


def learned_text(learned: Learned) -> str:
    """One rule per line in the order of their use, and what answers where none does."""
    lines = [f"{i}. {visible(rule.text)}{_measured(learned, rule)}" for i, rule in enumerate(learned.listed.rules, 1)]
    otherwise = visible(f"{learned.tree.schema.target} = {learned.listed.default_text}")
    return "\n".join([*lines, f"otherwise {otherwise}", ""])


def _measured(learned: Learned, rule: Rule) -> str:
    told = measured(rule.train, rule, learned.tree, interest_of(learned.tree))
    return f"  ({count(rule.train.weight)} rows, {told})" if told else ""


@dataclass(frozen=True, eq=False, repr=False)
class ScoredRules(Scored):
    """Rows with what learned rules say of them; `leaf` is the number of the first rule that covers a row, 0 for none.

    texts : what each number stands for.
    """

    texts: tuple[str, ...] = ()

    @classmethod
    def of(cls, learned: Learned, table: Table) -> "ScoredRules":
        """Ask the rules about every row of a table."""
        labels, shares = learned.answered(table)
        shares[labels < 0] = np.nan
        texts = ("otherwise", *(rule.premise for rule in learned.listed.rules))
        return cls(learned.tree, table, labels, None, shares, learned.listed.fired(table) + 1, texts=texts)

    def columns(self, rule: bool = True, guarded: bool = True) -> dict[str, pa.Array]:
        """answer, share_<class>, rule_number and, if asked for, rule."""
        result = super().columns(rule=False, guarded=guarded)
        result["rule_number"] = result.pop("leaf")
        if rule:
            texts = [(harmless_text if guarded else str)(text) for text in self.texts]
            result["rule"] = pa.array([texts[number] for number in self.leaf], pa.string())
        return result


# What a command is at, told on a terminal while it takes long and wiped away when it is done.

PATIENCE = 0.5
"""Seconds of a command before it says what it is at."""
CLEAR = "\r\x1b[K"


class Stages:
    """The stages of one command, such as reading, answering, writing; nothing is told where stderr is no terminal."""

    def __init__(self):
        self._start = time.monotonic()

    @contextmanager
    def stage(self, words: str) -> Iterator[None]:
        """Told once the command has run for PATIENCE; the line is gone before anything else is said."""
        if not sys.stderr.isatty():
            yield
            return
        timer = self._tell_later(words)
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            _put(CLEAR)

    def _tell_later(self, words: str) -> Timer:
        left = PATIENCE - (time.monotonic() - self._start)
        timer = Timer(max(left, 0.0), _put, (told := f"{CLEAR}{visible(words)} …",))
        timer.daemon = True
        timer.start()
        if left <= 0:
            _put(told)
        return timer


def _put(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)


ROOT_ALONE = (
    "pruning left the root alone: no split changes the predicted class often enough. Rates may still differ between "
    "leaves: add --prune-set risk=impurity --prune-set measure=log_loss"
)
RULE_FORMATS = {"text": "rules", "markdown": "rules_markdown", "csv": "rules_csv", "latex": "rules_latex"}
APP = "streamlit_app.py"
FEW_ROWS = 200
"""Rows in an HTML page where only their file is named."""
PACKAGE = Path(__file__).resolve().parents[1]


def grow(given: Namespace) -> None:
    """Read, split into roles, grow, prune, write."""
    raw = read_rows(given.file, given.part)
    table, why = table_of(raw, given)
    grower = Grow(
        given.preset, tuple(parsed(given.set, list(PRESETS[given.preset].growth.to_dict()), "setting").items())
    )
    train = round(1.0 - given.validation - given.test, 12)
    split = Split(train=train, validation=given.validation, test=given.test, seed=given.seed)
    seal = (Seal(),) if given.seal else ()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", DataNote)
        fit = tc.fit(table, Recipe((split, *seal, grower, _pruning(given))), progress=_ProgressLine())
    tree = fit.tree
    tell_notes((*table.notes, *(str(one.message) for one in told if one.category is DataNote)), why)
    say(f"{_size(tree)} (grown: {_size(fit.grown)}), predicts {tree.schema.target}")
    for role, rows in (("training", fit.train), ("validation", fit.validation), ("test", fit.test)):
        if rows is None:
            say(f"{role}: sealed; the same command without --seal opens it")
        elif rows.n_rows:
            say(f"{role}: {_figures(tree, rows)}")
    if tree.n_leaves == 1 and fit.grown.n_leaves > 1 and tree.classes and given.prune == "cost_complexity":
        say(ROOT_ALONE)
    write(given.out, tc.export(tree, "json"))


def prune(given: Namespace) -> None:
    """The same tree, smaller."""
    tree = read_tree(given.tree)
    known = [parameter.name for parameter in PRUNERS[given.method].parameters]
    rows = {role: _judged_rows(tree, getattr(given, role)) for role in ("train", "validation")}
    cuts = tc.prune(tree, given.method, progress=_ProgressLine(), **rows, **parsed(given.set, known, "parameter"))
    small = tree.cut(cuts)
    for table in filter(None, rows.values()):
        tell_notes(table.notes)
    say(f"{_size(tree)} before, {_size(small)} after")
    write(given.out, tc.export(small, "json"))


def predict(given: Namespace) -> None:
    """The file's columns, then answer, share_<class>, flag and segment where they are asked for, and leaf."""
    at = Stages()
    with at.stage(f"reading {given.file}"):
        model, raw = read_tree_or_rules(given.tree), read_rows(given.file, given.part)
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
    result = tc.check(tree, rows, _judged_rows(tree, given.train), months=dates, class_of_interest=given.interest,
                     fail_above=given.fail_above)  # fmt: skip
    tell_notes(rows.notes)
    made = json.dumps(result.to_dict(), ensure_ascii=False, indent=1) if given.json else result.text()
    write(given.out, made + "\n")
    return 0 if result.holds else 1


def segments(given: Namespace) -> None:
    """The leaves, riskiest first, by the training rows and by those of a file."""
    tree = read_tree(given.tree)
    rows = None if given.file is None else _judged_rows(tree, given.file)
    result = tc.segments(tree, rows, given.interest, horizon=given.horizon)
    if rows is not None:
        tell_notes(rows.notes)
    made = result.to_frame("pyarrow", given.sort, ascending=given.sort in ("segment", "leaf", "rule"))
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
    rows, sampled = _sampled(given, tree)
    options |= sampled
    name, more = given.name or Path(given.tree).stem, {"digits": given.digits, "interest": given.interest}
    made = tc.export(tree, given.format, name=name, rows=rows, **more, **options)
    if isinstance(made, bytes) and given.out is None and sys.stdout.isatty():
        raise TreecoreError(
            f"{entry.label} is no text", where="--out", remedy=f"Name a file, such as tree{entry.suffix}"
        )
    write(given.out, made)


def _sampled(given: Namespace, tree: Tree) -> tuple[Table | None, dict]:
    """The rows of --rows, and the options of a page that say how many of them and which columns go in."""
    if given.rows is None:
        if given.sample is not None or given.without:
            where = "--without" if given.sample is None else "--sample"
            raise TreecoreError("There are no rows to take", where=where, remedy="Name their file: --rows FILE")
        return None, {}
    raw = read_rows(given.rows)
    unknown = next((name for name in given.without if name not in raw.names), None)
    if unknown is not None:
        raise TreecoreError(f"{given.rows} has no column {unknown!r}", where="--without", remedy="Check its name")
    rows = other_table(tree, raw, needs_target=False)
    tell_notes(rows.notes)
    without = tuple(name for name in given.without if name in rows.column_names)
    return rows, {"sample_rows": FEW_ROWS if given.sample is None else given.sample, "without": without}


def rules(given: Namespace) -> None:
    """One rule per leaf, or those that were learned."""
    model = read_tree_or_rules(given.tree)
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


def page(given: Namespace) -> None:
    """The explorer that needs no server, as one file."""
    write(given.out, explorer_page())


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
        os.environ[FILE_TO_OPEN] = str(Path(given.file).resolve())
    os.chdir(folder)
    os.execv(sys.executable, [sys.executable, "-m", "streamlit", "run", APP, *options])


def _is_text(path: str | None) -> bool:
    """Is a table written there as CSV?"""
    return not (path or "").endswith((".parquet", ".xlsx"))


def _as_file(table, path: str | None) -> bytes:
    """A table as the name of the file asks for."""
    suffix = Path(path or "").suffix
    return as_excel(table) if suffix == ".xlsx" else as_parquet(table) if suffix == ".parquet" else as_csv(table)


class _ProgressLine:
    """Progress on stderr, at most once a second."""

    def __init__(self):
        self.last = time.monotonic()

    def __call__(self, progress) -> None:
        now = time.monotonic()
        if now - self.last >= 1:
            self.last = now
            say(_describe_progress(progress))


def _describe_progress(progress) -> str:
    if isinstance(progress, PruneProgress):
        return f"pruning: {progress.n_done:,} of {progress.n_nodes:,} nodes judged"
    told = getattr(progress, "n_nodes", None)
    return f"growing: {told:,} nodes" if told is not None else f"cross-validating: {progress}"


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
    result = judged(tree, rows)
    cost, head = "" if result.cost is None else f"{result.measure} {brief(result.cost)}, ", result.headline
    beside = f", {head.beside}" if head.beside and result.baseline > 0 else ""
    return f"{cost}{head.name} {head.told(head.value)}{beside} on {result.n_rows:,} rows"


# A model made elsewhere, read into a tree that every other command takes.


def read(given: Namespace) -> None:
    """The tree, one of the trees, or the single tree nearest to all of them."""
    table, why = (None, "") if given.file is None else table_of(read_rows(given.file), given)
    classes = given.classes.split(",") if given.classes else None
    model = read_model(given.model, table, classes=classes)
    tree = model if isinstance(model, Tree) else _one_of(model, table, given)
    if table is not None:
        tell_notes(table.notes, why)
    say(f"{tree.n_leaves:,} leaves, depth {tree.depth}, predicts {tree.schema.target}")
    write(given.out, tc.export(tree, "json"))


def _one_of(model: Ensemble, table: Table | None, given: Namespace) -> Tree:
    n = len(model.trees)
    say(f"{n:,} trees: {model.made_by}")
    if given.nearest is not None:
        if table is None:
            raise TreecoreError("The nearest tree is grown on rows", where="--nearest", remedy="Name them with --table")
        result = distilled(model, replace(PRESETS["cart"].growth, max_depth=given.nearest))
        share = result.agreement(table)
        told = (
            f"answers as they do for {percent(share)}"
            if model.classes
            else f"explains of their answers (R²) {share:.4g}"
        )
        say(f"the nearest tree of depth {given.nearest} {told}")
        return result.tree
    if given.tree is None or not 1 <= given.tree <= n:
        remedy = f"Choose one of them, --tree 1 to --tree {n}, or the single tree nearest to all, --nearest DEPTH"
        raise TreecoreError(f"The model has {n:,} trees", where=given.model, remedy=remedy)
    return model.trees[given.tree - 1]
