"""Rules for people: plain text, Markdown, LaTeX, and a table."""

from treecore.export.csv_text import csv_text
from treecore.export.escapes import to_latex, to_markdown
from treecore.export.format import Given
from treecore.figures import count, number, percent
from treecore.rules.rule import Rule
from treecore.tree.text import visible


def to_text(given: Given) -> str:
    """One rule per line, numbered."""
    lines = [f"{i}. {visible(rule.text)}  ({_figures(rule)})" for i, rule in enumerate(given.rules, 1)]
    return "\n".join([_title(given), "", *lines]) + "\n"


def to_markdown_list(given: Given) -> str:
    """A numbered list with a heading."""
    lines = [
        f"{i}. **IF** {to_markdown(rule.premise)} **THEN** {to_markdown(rule.conclusion)} — {_figures(rule)}"
        for i, rule in enumerate(given.rules, 1)
    ]
    return "\n".join([f"# {to_markdown(_title(given))}", "", *lines]) + "\n"


def to_latex_table(given: Given) -> str:
    """A longtable; needs the packages longtable and booktabs."""
    rows = [
        f"{i} & {to_latex(rule.premise)} & {to_latex(rule.said)} & {_rows(rule)} & {to_latex(_measured(rule))} \\\\"
        for i, rule in enumerate(given.rules, 1)
    ]
    return "\n".join(
        [
            f"% {_title(given)} Needs \\usepackage{{longtable,booktabs}}.",
            r"\begin{longtable}{rp{0.5\linewidth}lrr}",
            r"\toprule",
            rf" & IF & THEN {to_latex(given.tree.schema.target)} & rows & {_measure(given)} \\",
            r"\midrule \endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}",
            "",
        ]
    )


def to_csv(given: Given) -> str:
    """One row per rule: its number, leaf, premise, answer, training rows, weight, support, confidence, lift."""
    head = ["rule", "leaf", "premise", "answer", "rows", "weight", "support", "confidence", "lift", "error"]
    rows = []
    for i, rule in enumerate(given.rules, 1):
        t = rule.train
        figures = [t.n_rows, t.weight, t.support, t.confidence, t.lift, t.error] if t else [None] * 6
        rows.append([i, rule.leaf, rule.premise, rule.said, *figures])
    return csv_text(head, rows)


def _title(given: Given) -> str:
    return visible(f"Rules for {given.tree.schema.target} of {given.name}: {len(given.rules)}, one per leaf.")


def _figures(rule: Rule) -> str:
    said = f"{_measured(rule)} right" if rule.shares else f"mean squared error {_measured(rule)}"
    return f"{_rows(rule)} rows, {said}" if rule.train else "not counted"


def _rows(rule: Rule) -> str:
    return count(rule.train.weight) if rule.train else ""


def _measured(rule: Rule) -> str:
    """The share of right answers, or the mean squared error."""
    if rule.train is None:
        return ""
    return number(rule.train.error) if rule.train.confidence is None else percent(rule.train.confidence)


def _measure(given: Given) -> str:
    return "right" if given.tree.classes else "squared error"
