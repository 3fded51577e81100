"""Traps in a table: what may mislead a tree, with the number that speaks for it."""

from treecore.data.table import Table
from treecore.detectors.arms import unlike_arms
from treecore.detectors.finding import BY_DATE, LEAVE_OUT, OWN_VALUE, Detector, Finding
from treecore.detectors.leaks import joint_leaks, leaks
from treecore.detectors.lone_columns import constants, identifiers, near_constants, shuffled_dates, target_in_name
from treecore.detectors.many_levels import chance_winners
from treecore.detectors.missing_values import missing_codes, speaking_blanks
from treecore.detectors.redundancy import duplicates, equal_but_for_target, functions, repeated_rows
from treecore.detectors.spellings import spellings
from treecore.registry import Registry

DETECTORS: Registry[Detector] = Registry(
    "detector",
    Detector("identifier", "Identifier", "A split on it memorises the training rows and cannot predict new ones.",
             identifiers),
    Detector("leak", "Leak", "The tree would use only this column, which is useless if it is not known before the "
                             "target.", leaks),
    Detector("joint_leak", "Leak of several columns", "Each looks harmless, but together they may give the target "
             "away.", joint_leaks),
    Detector("duplicate", "Duplicate", "Importance is shared between the two, and which one is used is chance.",
             duplicates),
    Detector("function", "Function of another column", "It has no information of its own, but may split "
                                                       "better.", functions),
    Detector("constant", "Constant", "No split on it is possible.", constants),
    Detector("near_constant", "Nearly constant", "Splits on it separate only very few rows.", near_constants),
    Detector("target_in_name", "Named like the target", "It may have been computed from the target.", target_in_name),
    Detector("shuffled_dates", "Dates", "A random split makes the tree look better than it will be on future "
                                        "rows.", shuffled_dates),
    Detector("speaking_blanks", "Informative missing values", "That a value is missing says something about the "
             "target, and is lost where such rows follow the others.", speaking_blanks),
    Detector("missing_codes", "Codes for missing", "A threshold treats them as the largest or smallest "
             "values.", missing_codes),
    Detector("spellings", "Spellings", "A split can send one spelling one way and the others another, by chance.",
             spellings),
    Detector("repeated_rows", "Repeated rows", "Rows that are in both training and test set make the tree look too "
                                               "good.",
             repeated_rows),
    Detector("equal_but_for_target", "Same features, different target", "No tree can tell such rows apart.",
             equal_but_for_target),
    Detector("chance_winner", "Many levels", "Many small branches are pure by chance, so it is chosen first but does "
             "not predict new rows better.", chance_winners),
    Detector("unlike_arms", "Unlike arms", "An effect compares treated with control rows that are alike but for the "
             "treatment.", unlike_arms),
)  # fmt: skip


def findings(table: Table) -> list[Finding]:
    """What all detectors say of the features of a table, in the order of the registry."""
    return [finding for detector in DETECTORS.values() for finding in detector.find(table)]


__all__ = ["BY_DATE", "DETECTORS", "LEAVE_OUT", "OWN_VALUE", "Detector", "Finding", "findings"]
