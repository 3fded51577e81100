"""Tables as CSV that a spreadsheet opens without working anything out."""

import csv
import io
import math
from collections.abc import Iterable, Sequence


def csv_text(head: Sequence[str], rows: Iterable[Sequence]) -> str:
    """UTF-8 text with a header. None and NaN are empty cells; text that looks like a formula is guarded."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow([_cell(name) for name in head])
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return made.getvalue()


def _cell(cell):
    from treecore.data.formula_injection import harmless_text

    if isinstance(cell, str):
        return harmless_text(cell)
    return "" if cell is None or (isinstance(cell, float) and math.isnan(cell)) else cell
