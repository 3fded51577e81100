"""Rules straight from data: learned, told and asked in a terminal."""

import json
from argparse import Namespace
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from treecore.brief import visible
from treecore.command_line.files import read_rows, say, write
from treecore.command_line.settings import parsed
from treecore.command_line.tables import table_of, tell_notes
from treecore.covering import LEARNERS, Learned, learn_rules
from treecore.data.formula_injection import harmless_text
from treecore.data.table import Table
from treecore.data.table_like import lone_value
from treecore.export.rule_texts import measured
from treecore.figures import count, percent
from treecore.judging.interest import interest_of
from treecore.predicting.batch import Scored
from treecore.rules.rule import Rule


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
    told = measured(rule.train, rule, learned.tree.classes, interest_of(learned.tree))
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
        found = super().columns(rule=False, guarded=guarded)
        found["rule_number"] = found.pop("leaf")
        if rule:
            texts = [(harmless_text if guarded else str)(text) for text in self.texts]
            found["rule"] = pa.array([texts[number] for number in self.leaf], pa.string())
        return found
