"""Which kernels a fit is going to call, without starting it."""

from typing import NamedTuple

from treecore.criteria import CRITERIA
from treecore.data.table import Table
from treecore.growing.parts import NOMINAL_SPLITS
from treecore.growing.settings import Growth
from treecore.growing.terms import terms_of
from treecore.kernels.state import ONE_LEVEL, TESTED, is_special_search, is_special_split


class Needs(NamedTuple):
    """What is asked of the kernels; see kernels.state.Problem.

    fast : parts of the fast kernels that grow it, see growing.terms; the rest does not matter then.
    searches : a kernel searches, not a test.
    """

    fast: tuple[str, ...]
    searches: bool
    special_search: bool
    special_split: bool
    surrogates: bool
    absolute: bool


def needs_of(table: Table, growth: Growth, imposed: bool = False) -> Needs:
    """What growing with these settings on this table asks for; TreecoreError where they do not fit.

    imposed : are some splits said beforehand?
    """
    terms = terms_of(table, growth)
    rules = terms.rules[0]
    one_level = NOMINAL_SPLITS[growth.nominal].code == ONE_LEVEL
    return Needs(
        fast=() if imposed else terms.fast_parts,
        searches=rules["selector"] != TESTED,
        special_search=is_special_search(rules) or one_level,
        special_split=is_special_split(rules),
        surrogates=rules["max_surrogates"] > 0,
        absolute=rules["criterion"] == CRITERIA["absolute_error"].code,
    )
