"""All figures of the notes as one page of text: python -m treecore.lectures.document > docs/lectures.md"""

from treecore.data.samples import SAMPLES
from treecore.lectures.guide import NOTES, Guide
from treecore.lectures.index import GUIDES
from treecore.lectures.shown import computed, remark
from treecore.lectures.slips import SLIPS

HEAD = """# The figures of the lecture notes

Figures that five lecture notes on decision trees print, where they stand, what we compute, and how to see them. This
page is written by `python -m treecore.lectures.document > docs/lectures.md`; a test holds it to the code.

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
            said = remark(figure, value).removeprefix(f"{figure.what}: ")
            where = figure.place or step.place
            printed = figure.printed if figure.is_printed else f"({figure.printed})"
            cells = (str(place + 1), _clicks(place), figure.what, printed, where, computed(value), said)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return lines


def _clicks(place: int) -> str:
    return f"L + {place}" if place else "L"


def _slips() -> list[str]:
    rows = [f"| {s.place} | {s.printed} | {s.right} |".replace("H(Y|", "H(Y\\|") for s in SLIPS]
    return ["## Where the notes slip", "", "| where | what stands there | what holds |", "| --- | --- | --- |", *rows]


if __name__ == "__main__":
    print(document(), end="")
