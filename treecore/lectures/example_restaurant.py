"""[000]: will we wait for a table? The first tree, what Bar is worth, and a rule without support."""

import numpy as np

from treecore.lectures.guide import BY_HAND, TABLE_OF_OURS, Figure, Guide, Step
from treecore.lectures.opened import Opened
from treecore.recipe import Grow


def _answer_is_no(o: Opened) -> float:
    """1 where the evening that is asked about is answered No."""
    evening = dict(
        Alternate="Yes", Bar="No", FriSat="Yes", Hungry="Yes", Patrons="Full", Price="$$$", Raining="No",
        Reservation="No", Type="French", WaitEstimate="10-30",
    )  # fmt: skip
    return float(o.tree.predict(o.one_row(evening)).tolist() == ["No"])


def _error_of_majorities(o: Opened, feature: str, level: str) -> float:
    counts = o.counts(feature, level)
    return float(1 - counts.max() / counts.sum())


def _pure(o: Opened, feature: str) -> float:
    """How many values of a feature leave no doubt."""
    levels = [level for branch in o.split(feature).branches for level in branch]
    return float(sum(np.count_nonzero(o.counts(feature, level)) == 1 for level in levels))


WAITING = Guide(
    "willwait", "Restaurant: a game of 20 questions", "willwait", Grow("id3"),
    (
        Step(
            "Is there an alternative nearby?",
            "Whatever the answer is, both classes stay equally frequent: you might as well flip a coin.",
            "000: What happens when we ask a question?",
            (
                Figure("share of Yes where Alternate = Yes", "0.5", lambda o: o.share_of("Alternate", "Yes", "Yes")),
                Figure("share of Yes where Alternate = No", "0.5", lambda o: o.share_of("Alternate", "No", "Yes")),
            ),
        ),
        Step(
            "How many patrons are there?",
            "Two of the three answers settle the matter. That is why ID3 asks for Patrons first.",
            "000: What happens when we ask a question?",
            (
                Figure("answers that leave no doubt", "2", lambda o: _pure(o, "Patrons")),
                Figure("gain of Patrons", "0.541", lambda o: o.gain("Patrons"), place=BY_HAND),
                Figure("gain of Type", "0", lambda o: o.gain("Type"), place=BY_HAND),
            ),
        ),
        Step(
            "Bar is a bad choice",
            "Half of the rows are predicted wrongly before the split, and still half in each branch after it.",
            "000: Which feature is the best?",
            (
                Figure("error before the split", "0.50", lambda o: 1 - float(o.tree.proba[0].max())),
                Figure("error where Bar = No", "0.50", lambda o: _error_of_majorities(o, "Bar", "No")),
                Figure("error where Bar = Yes", "0.50", lambda o: _error_of_majorities(o, "Bar", "Yes")),
                Figure("rows with Bar = No", "6", lambda o: float(o.rows_where(Bar="No").sum())),
            ),
        ),
        Step(
            "The evening that is asked about",
            "(Yes, No, Yes, Yes, Full, $$$, No, No, French, 10-30): the tree of the notes predicts No, and so does "
            "this one.",
            "000: Predicting the label for a data instance",
            (Figure("answered No (1: so it is)", "1", _answer_is_no),),
        ),
        Step(
            "A rule that no row supports",
            "IF Patrons = Full AND WaitEstimate = 0-10 THEN Yes: the notes shorten this rule, but no row of the table "
            "has both values. For such a row the tree predicts the majority of the node above.",
            "000: Rule-based Post-Pruning",
            (Figure("rows with Full and 0-10", "0",
                    lambda o: float(o.rows_where(Patrons="Full", WaitEstimate="0-10").sum()), place=BY_HAND),),
        ),
    ),
)  # fmt: skip

IN_ORDER = Guide(
    "willwait_ordinal", "Restaurant: an order cut in two", "willwait_ordinal", Grow("cart"),
    (
        Step(
            "Price has an order",
            "Price, Patrons and WaitEstimate are ordinal in the notes: a binary split sends the lower values to the "
            "left and the higher ones to the right. Three ordered prices have two such splits; three words without an "
            "order would have three.",
            "000: Ordinal Features, Binary Splits vs Multiway Splits",
            (
                Figure("splits of Price", "2", lambda o: float(len(o.found.of("Price"))), place=BY_HAND),
                Figure("rows with Price < $$", "7", lambda o: float(o.split("Price", 0.5).n_rows[0]), place=BY_HAND),
                Figure("Gini gain of Price < $$", "0.0143", lambda o: o.gain("Price", 0.5), place=TABLE_OF_OURS),
                Figure("Gini gain of Price < $$$", "0.0185", lambda o: o.gain("Price", 1.5), place=TABLE_OF_OURS),
                Figure("Gini gain of Patrons < Some", "0.1", lambda o: o.gain("Patrons", 0.5), place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

RESTAURANT = (WAITING, IN_ORDER)
