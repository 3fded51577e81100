"""The unit of a column's numbers, from what stands around them in the file or at the end of the column's name."""

import re
from functools import lru_cache

TIMES = """
years year yrs months month weeks week days day hours hour minutes seconds Jahre Monate Wochen Tage Stunden Minuten
Sekunden
"""
"""Spans of time, which names of columns write out."""
LONGEST = 200


@lru_cache(maxsize=256)
def unit_in(name: str) -> str:
    """The known unit at the end of a column's name: "€" of "price (€)", "Preis in €" and "price €", "€/m²" of
    "rent, €/m²"; "" where there is none, as in "Complaints (12m)" or "price (net)"."""
    found = _at_the_end()(name.strip()) if len(name) <= LONGEST else None
    return "" if found is None else next(text for text in found.groups() if text)


@lru_cache(maxsize=1)
def _at_the_end():
    from treecore.data.number_signs import CURRENCIES, MONEY, UNITS

    words = sorted(f"{MONEY} {CURRENCIES} {UNITS} {TIMES}".split(), key=len, reverse=True)
    signs = "|".join(map(re.escape, sorted(MONEY.split(), key=len, reverse=True)))
    one = "|".join(map(re.escape, words))
    unit = rf"(?:{one})(?:/(?:{one}))?"
    return re.compile(rf".*(?:[(\[]\s*(?:in\s+)?({unit})\s*[)\]]|(?:\sin|,)\s+({unit})|\s({signs}))").fullmatch
