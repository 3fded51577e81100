"""Traps in a table: what may mislead a tree, with the number that speaks for it."""

from treecore.data.table import Table
from treecore.detectors.blanks import speaking_blanks
from treecore.detectors.codes import missing_codes
from treecore.detectors.dates import shuffled_dates
from treecore.detectors.equal_rows import equal_but_for_target, repeated_rows
from treecore.detectors.finding import BY_DATE, LEAVE_OUT, OWN_VALUE, Detector, Finding
from treecore.detectors.joint_leaks import joint_leaks
from treecore.detectors.leaks import leaks
from treecore.detectors.lone_columns import constants, identifiers, near_constants, target_in_name
from treecore.detectors.many_levels import chance_winners
from treecore.detectors.pairs import duplicates, functions
from treecore.detectors.spellings import spellings
from treecore.registry import Registry

DETECTORS: Registry[Detector] = Registry(
    "detector",
    Detector("identifier", "Identifier", "A branch for each row answers the rows it was grown on, and no others.",
             identifiers),
    Detector("leak", "Leak", "The tree is of one question, and of no use where the answer is not known yet.", leaks),
    Detector("joint_leak", "Leak of several columns", "Each looks harmless; together they may have been made from the "
             "answer, or it from them.", joint_leaks),
    Detector("duplicate", "Duplicate", "Importance is shared between the two, and either may be asked by chance.",
             duplicates),
    Detector("function", "Function of another column", "It tells nothing new, but may split better.", functions),
    Detector("constant", "Constant", "No split on it is possible.", constants),
    Detector("near_constant", "Nearly constant", "Splits on it part off very few rows.", near_constants),
    Detector("target_in_name", "Named like the target", "It may have been made from the answer.", target_in_name),
    Detector("shuffled_dates", "Dates", "Roles drawn at random are kinder than the future will be.", shuffled_dates),
    Detector("speaking_blanks", "Blanks that speak", "That a value is missing tells something of the answer, and is "
             "lost where rows without it follow the others.", speaking_blanks),
    Detector("missing_codes", "Codes for missing", "A threshold takes them for the largest or smallest values of "
             "all.", missing_codes),
    Detector("spellings", "Spellings", "A split can send one spelling one way and the others another, by chance.",
             spellings),
    Detector("repeated_rows", "Repeated rows", "A row that trains a tree and judges it as well makes it look too good.",
             repeated_rows),
    Detector("equal_but_for_target", "Equal but for the answer", "What the features do not tell no tree can learn.",
             equal_but_for_target),
    Detector("chance_winner", "Many levels", "Many small branches are pure by chance, so that it is asked first and "
             "answers rows to come no better.", chance_winners),
)  # fmt: skip


def findings(table: Table) -> list[Finding]:
    """What all detectors say of the features of a table, in the order of the registry."""
    return [finding for detector in DETECTORS.values() for finding in detector.find(table)]


__all__ = ["BY_DATE", "DETECTORS", "LEAVE_OUT", "OWN_VALUE", "Detector", "Finding", "findings"]
