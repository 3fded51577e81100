"""Rules for people: plain text, Markdown, LaTeX and a table, with the escapes that keep text from data text in them."""

import re

from treecore.brief import visible
from treecore.export.format import ExportRequest
from treecore.export.spreadsheets import csv_text
from treecore.figures import count
from treecore.judging.interest import Interest, rate, shown_rate
from treecore.rules.rule import Figures, Rule
from treecore.tree.tree import Tree

# Text from data inside LaTeX and Markdown, where it must stay text.

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
    "≤": r"\ensuremath{\leq}", "≥": r"\ensuremath{\geq}", "∈": r"\ensuremath{\in}", "\u00a0": "~", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "−": r"\ensuremath{-}",
}  # fmt: skip
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)|(?<=[`?!])(?=`)")
"""Between two signs that TeX would make one of: a dash, a quotation mark."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&^@]|:(?=//)|(?<=www)\.)")
"""What has a meaning within a line; addresses are links without any sign around them."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def to_latex(text: str) -> str:
    """The text as LaTeX shows it (T1 fonts; other scripts need packages of their own)."""
    parts = _LIGATURE.split(visible(text))
    return "{}".join("".join(_LATEX.get(ch, ch) for ch in part) for part in parts)


def to_markdown(text: str) -> str:
    """The text as Markdown shows it: no link, no emphasis, no HTML, also where it is taken for HTML itself."""
    return _MARKDOWN.sub(r"\\\1", _TAG.sub("\0", visible(text))).replace("\0", "&lt;")


def in_comment(text: str) -> str:
    """The text as a remark in a script, which may stand in a page: nothing in it opens or ends anything there."""
    return _TAG.sub(r"<\\", visible(text))


def to_text(given: ExportRequest) -> str:
    """One rule per line, numbered."""
    lines = [f"{i}. {visible(rule.text)}  ({_figures(given, rule)})" for i, rule in enumerate(given.rules, 1)]
    return "\n".join([_title(given), "", *lines]) + "\n"


def to_markdown_list(given: ExportRequest) -> str:
    """A numbered list with a heading."""
    lines = [
        f"{i}. **IF** {to_markdown(rule.premise)} **THEN** {to_markdown(rule.conclusion)} — "
        f"{to_markdown(_figures(given, rule))}"
        for i, rule in enumerate(given.rules, 1)
    ]
    return "\n".join([f"# {to_markdown(_title(given))}", "", *lines]) + "\n"


def to_latex_table(given: ExportRequest) -> str:
    """A longtable; needs the packages longtable and booktabs."""
    rows = []
    for i, rule in enumerate(given.rules, 1):
        said = measured_cell(rule.train, rule, given.tree, given.looked_for)
        cells = (f"{i}", to_latex(rule.premise), to_latex(rule.said), _rows(rule), to_latex(said))
        rows.append(" & ".join(cells) + r" \\")
    return "\n".join(
        [
            f"% {_title(given)} Needs \\usepackage{{longtable,booktabs}}.",
            r"\begin{longtable}{rp{0.5\linewidth}lrr}",
            r"\toprule",
            rf" & IF & THEN {to_latex(given.tree.schema.target)} & rows & {measure_name(given.tree)} \\",
            r"\midrule \endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}",
            "",
        ]
    )


def to_csv(given: ExportRequest) -> str:
    """One row per rule: its number, leaf, premise, answer, training rows, weight, support, confidence, lift, error, and
    the rate of the class of interest among its training rows, or that of every class."""
    head = ["rule", "leaf", "premise", "answer", "rows", "weight", "support", "confidence", "lift", "error"]
    looked_for, classes = given.looked_for, given.tree.class_names
    told = range(len(classes)) if looked_for is None else [looked_for.k]
    rows = []
    for i, rule in enumerate(given.rules, 1):
        t = rule.train
        figures = [t.n_rows, t.weight, t.support, t.confidence, t.lift, t.error] if t else [None] * 6
        rates = [t.shares[k] if t and t.shares else None for k in told]
        rows.append([i, rule.leaf, rule.premise, rule.said, *figures, *rates])
    return csv_text([*head, *(f"rate of {classes[k]}" for k in told)], rows)


def _title(given: ExportRequest) -> str:
    told = f"Rules for {given.tree.schema.target} of {given.name}: {len(given.rules)}, one per leaf."
    return visible(told + given.tree.figures_told)


def _figures(given: ExportRequest, rule: Rule) -> str:
    said = measured(rule.train, rule, given.tree, given.looked_for)
    return ", ".join([f"{_rows(rule)} rows", *[said] * bool(said)]) if rule.train else "not counted"


def _rows(rule: Rule) -> str:
    return count(rule.train.weight) if rule.train else ""


def measured(figures: Figures | None, rule: Rule, tree: Tree, interest: Interest | None) -> str:
    """How often the rows that a rule covers are of the class of interest, or as it answers: "9.0 % churn"; of numbers
    how far they are from it: "RMSE 12.3". '' where they were not counted, and where it covers none."""
    if figures is None or not figures.weight > 0:
        return ""
    if figures.confidence is None:
        return " ".join(tree.target_kind.loss_shown(tree, figures.error))
    if figures.shares:
        return shown_rate(figures.shares, rule.answer, tree.class_names, interest)
    return rate(figures.confidence, rule.said)  # of rules that were saved without their shares


def measured_cell(figures: Figures | None, rule: Rule, tree: Tree, interest: Interest | None) -> str:
    """The same in a column whose head says of what it is; see measure_name."""
    return measured(figures, rule, tree, interest).removeprefix(f"{measure_name(tree)} ")


def measure_name(tree: Tree) -> str:
    return "rate" if tree.classes else tree.target_kind.loss_shown(tree, 0.0)[0]
