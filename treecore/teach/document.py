"""All figures of the notes as one page of text: python -m treecore.teach.document > docs/lectures.md"""

from typing import NamedTuple

from treecore.data.samples import SAMPLES
from treecore.teach.guide import NOTES, Guide, computed_text, remark
from treecore.teach.index import GUIDES

# Where the notes slip in words or symbols: what stands there, and what is right. Slips of figures are with them.


class Slip(NamedTuple):
    """place : "000: section". printed : what stands there. right : what holds."""

    place: str
    printed: str
    right: str


SLIPS = (
    Slip("000: reduced error post-pruning", "while all nodes of T are tested", "while not all nodes are tested"),
    Slip("000: entropy and Gini index", "the sum runs over i, its terms are p_qk", "the sum runs over k"),
    Slip("001: 4 When to stop splitting", "the same attribute value, H(Y) = 0", "the same target value"),
    Slip("001: Figure 6", "≈ .405 and ≈ .905", ".4056 and .9056: cut off, not rounded"),
    Slip("002: Node impurity", "1 − p̂", "1 − max p̂: the share of the commonest class"),
    Slip("002: Node impurity, Steps", "ln in the table, log₂ in the steps", "one logarithm throughout; bits are log₂"),
    Slip("002: Terms", "I(V_k) is explained", "the sum has I(V_j)"),
    Slip("003: Misclassification impurity", ".1 − .3 · .3", ".1 − .3 · ⅓ = 0"),
    Slip("003: Gini impurity", ".33 · .22", ".3 · .2222"),
    Slip("003: Gini (multi-class)", "Σ_{i≠j} = ½(1 − Σ P²)", "each pair once: Σ_{i<j}; over all i ≠ j it is 1 − Σ P²"),
    Slip("003: ID3", "until all nodes are pure, and there are no more variables", "pure or no variable left"),
    Slip("003: ID3", "levels equal to the number of inputs", "at most as many"),
    Slip("004: Information Gain: Humidity", ".7785", ".7885"),
    Slip("004: Information Gain: Humidity", ".940 − .151", ".940 − .7885"),
    Slip("004: ID3(Sv, Attributes − {a}, Label)", "Attributes − {a}", "Attributes − {A}: the attribute just asked"),
    Slip("004: Paired t-test", "accept the null hypothesis", "do not reject it"),
)


HEAD = """# The figures of the lecture notes

Figures that five lecture notes on decision trees print, where they stand, what we compute, and how to see them. This
page is written by `python -m treecore.teach.document > docs/lectures.md`; a test holds it to the code.

The column *clicks* tells how to see a figure from the start page: **L** is Learn ▸ Worked examples ▸ the example's
button (its name stands above each table), **+ n** is that often *Next*. The step
grows the tree as the notes do, with all rows in training, and selects the node; printed and computed figures stand
beside it, the arithmetic below. Figures in brackets belong to an example and are printed in none of the notes.
"""


def document() -> str:
    """The page, in Markdown."""
    notes = [f"- **[{number}]** {title}" for number, title in NOTES.items()]
    parts = [HEAD, "## The notes", "", *notes, ""]
    for guide in GUIDES.values():
        parts += [*_example(guide), ""]
    return "\n".join([*parts, *_slips()]) + "\n"


def _example(guide: Guide) -> list[str]:
    lines = [
        f"## {guide.label}", "", f"Table *{SAMPLES[guide.sample].label}*, {guide.grow.text()}.", "",
        "| step | clicks | figure | printed | where | computed | remark |",
        "| --- | --- | --- | ---: | --- | ---: | --- |",
    ]  # fmt: skip
    for place, step in enumerate(guide.steps):
        opened = guide.opened(place)
        for figure in step.figures:
            value = figure.ours(opened)
            remark_text = remark(figure, value).removeprefix(f"{figure.what}: ")
            where = figure.place or step.place
            printed = figure.printed if figure.is_printed else f"({figure.printed})"
            cells = (str(place + 1), _clicks(place), figure.what, printed, where, computed_text(value), remark_text)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def _clicks(place: int) -> str:
    return f"L + {place}" if place else "L"


def _slips() -> list[str]:
    rows = [f"| {s.place} | {s.printed} | {s.right} |".replace("H(Y|", "H(Y\\|") for s in SLIPS]
    return ["## Where the notes slip", "", "| where | what stands there | what holds |", "| --- | --- | --- |", *rows]


if __name__ == "__main__":
    print(document(), end="")
