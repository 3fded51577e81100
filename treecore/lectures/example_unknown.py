"""[004]: the humidity of day 8 is missing. What it counts for while the splits of the sunny days are judged."""

from treecore.explaining.judged import judged_gain
from treecore.lectures.guide import BY_HAND, TABLE_OF_OURS, Figure, Guide, Step
from treecore.lectures.opened import Opened
from treecore.recipe import Grow, Prepare


def _missing_incomes(o: Opened) -> float:
    return 100 * o.table.column("income").n_missing / o.table.n_rows


SUNNY = ("Outlook = Sunny",)
PLACE = "004: Missing Values"


def _judged(what: str, printed: str, way: str, **more) -> Figure:
    return Figure(what, printed, lambda o: judged_gain(o.tree, o.node, o.table, "Humidity", way), **more)


DAY_8 = Guide(
    "play_tennis_day8", "A humidity is missing", "play_tennis_day8", Grow("c4.5"),
    (
        Step(
            "Temperature, of which all is known",
            "The five sunny days: .97 − 0 − (2/5) · 1.",
            PLACE,
            (Figure("gain of Temperature at Sunny", "0.57", lambda o: o.gain("Temperature")),),
            node=SUNNY,
        ),
        Step(
            "Filled in with the most likely value",
            "Of the whole table that is Normal, 7 : 6. The line printed, .97 − 3/5 · 0 − 2/5 · 0 = .97, is that of "
            "High: the commonest value of day 8's own class.",
            PLACE + ", fill in",
            (
                _judged("filled with Normal, the table's commonest", "0.420", "table_mode", place=BY_HAND),
                _judged("filled with High, the commonest of its class", "0.97", "class_mode",
                        slip="The text says “Normal”, the arithmetic beside it counts day 8 as High."),
            ),
            node=SUNNY,
        ),
        Step(
            "Counted in parts",
            "Half a day each (2 : 2 at Sunny) gives .97 − (2.5/5) Ent[0, 2.5] − (2.5/5) Ent[2, .5]; by the whole "
            "table's shares it would be 6/13 and 7/13.",
            PLACE + ", fractional counts",
            (
                _judged("half High, half Normal", "0.610", "node_shares", place=BY_HAND),
                _judged("6/13 High, 7/13 Normal", "0.592", "table_shares", place=BY_HAND),
            ),
            node=SUNNY,
        ),
        Step(
            "Left out while judging, shared when it is sent on",
            "C4.5 computes the gain from the four known days and multiplies it by 4/5. Then half of day 8 goes down "
            "each branch.",
            "003: C4.5, “ignores missing attributes for calculating gain”",
            (_judged("4/5 of the gain of the known days", "0.8", "known_only", place=BY_HAND),),
            node=SUNNY,
        ),
    ),
)  # fmt: skip

LEFT_OUT = Guide(
    "left_out", "When to throw a feature away", "trap_not_at_random", Grow("cart"),
    (
        Step(
            "Above a share of missing values",
            "“Leave out columns” (sidebar, Missing values before growing) drops a feature if more than a chosen share "
            "of its values is missing; it starts at the 70 % of the notes. Here 24 % of income is missing, so it "
            "stays.",
            "000: Missing Values",
            (
                Figure("share, in per cent", "70", lambda o: 100 * Prepare().limit),
                Figure("missing incomes, in per cent", "24", _missing_incomes, place=TABLE_OF_OURS),
            ),
        ),
    ),
)  # fmt: skip

UNKNOWN = (DAY_8, LEFT_OUT)
