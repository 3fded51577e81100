"""PlayTennis and the other tables of [004] that ID3 is shown on: entropy by hand, the first split, a noisy day."""

from treecore.recipe import Edit, Grow, Take
from treecore.teach.guide import BY_HAND, Figure, Guide, GuideStep, OpenExample, node_impurity

ID3 = Grow("id3")


def _gain(feature: str, printed: str, **more) -> Figure:
    return Figure(f"gain of {feature}", printed, lambda o: o.gain(feature), **more)


def _branch(feature: str, level: str, printed: str) -> Figure:
    return Figure(f"entropy of {feature} = {level}", printed, lambda o: o.impurity_of(feature, level))


def _yes(feature: str, level: str, printed: str) -> Figure:
    return Figure(f"p where {feature} = {level}", printed, lambda o: o.share_of(feature, level, "Yes"))


def _part(feature: str, level: str, printed: str) -> Figure:
    return Figure(f"share of the days, {feature} = {level}", printed,
                  lambda o: float(o.counts(feature, level).sum() / o.tree.n_rows[o.node]))  # fmt: skip


def _answered(o: OpenExample, **day: str) -> float:
    """The share of Yes that the tree answers a day with."""
    return float(o.tree.predict_proba(o.one_row(day))[0][o.table.classes.index("Yes")])


FOURTEEN = Guide(
    "play_tennis", "PlayTennis: ID3 by hand", "play_tennis", ID3,
    (
        GuideStep(
            "Entropy of the whole table",
            "On 9 of 14 days tennis was played: almost a coin flip, so the entropy is almost one bit.",
            "004: Will I play tennis today?, current entropy",
            (
                Figure("share of days to play, p", "9/14", lambda o: float(o.tree.proba[0, 1])),
                Figure("share of other days, n", "5/14", lambda o: float(o.tree.proba[0, 0])),
                Figure("entropy of the 14 days", "0.94", lambda o: o.impurity),
                Figure("entropy of one class alone", "0", lambda o: node_impurity("entropy", 4, 0)),
                Figure("entropy of two equal halves", "1", lambda o: node_impurity("entropy", 1, 1)),
            ),
        ),
        GuideStep(
            "Outlook: the entropy that is left",
            "On all overcast days tennis was played, so that branch has entropy 0. Each branch counts with its share "
            "of the days: 5/14, 4/14, 5/14.",
            "004: Information Gain: Outlook",
            (
                _yes("Outlook", "Sunny", "2/5"), _yes("Outlook", "Overcast", "4/4"), _yes("Outlook", "Rain", "3/5"),
                _part("Outlook", "Sunny", "5/14"), _part("Outlook", "Overcast", "4/14"),
                _part("Outlook", "Rain", "5/14"),
                _branch("Outlook", "Sunny", "0.971"), _branch("Outlook", "Overcast", "0"),
                _branch("Outlook", "Rain", "0.971"),
                Figure("expected entropy after Outlook", "0.694", lambda o: o.expected("Outlook")),
                _gain("Outlook", "0.246"),
            ),
        ),
        GuideStep(
            "Humidity: the entropy that is left",
            "Seven days of High, seven of Normal.",
            "004: Information Gain: Humidity",
            (
                _yes("Humidity", "High", "3/7"), _yes("Humidity", "Normal", "6/7"),
                _part("Humidity", "High", "7/14"), _part("Humidity", "Normal", "7/14"),
                _branch("Humidity", "High", "0.985"), _branch("Humidity", "Normal", "0.592"),
                Figure(
                    "expected entropy after Humidity", "0.7785", lambda o: o.expected("Humidity"),
                    slip="Two digits changed places: ½ · 0.985 + ½ · 0.592 is 0.7885.",
                ),
                _gain(
                    "Humidity", "0.1515",
                    slip="The line reads .940 − .151; what is taken away is the expected entropy, .940 − .7885, and "
                    "it leaves .1518.",
                ),
            ),
        ),
        GuideStep(
            "Which attribute goes first?",
            "Outlook has the largest gain. (The notes cut their figures off after three digits instead of rounding.)",
            "004: Which feature to split on?",
            (
                _gain("Outlook", "0.246"), _gain("Humidity", "0.151"), _gain("Wind", "0.048"),
                _gain("Temperature", "0.029"),
            ),
        ),
        GuideStep(
            "The five sunny days",
            "The sunny days 1, 2, 8, 9 and 11 are treated in the same way. Humidity separates them completely.",
            "004: An Illustrative Example (IV)",
            (
                Figure("entropy of the sunny days", "0.97", lambda o: o.impurity),
                Figure("gain of Humidity at Sunny", "0.97", lambda o: o.gain("Humidity"), place="004: Missing Values"),
                Figure("gain of Temperature at Sunny", "0.57", lambda o: o.gain("Temperature"),
                       place="004: Missing Values"),
                Figure("gain of Wind at Sunny", "0.02", lambda o: o.gain("Wind"), place=BY_HAND),
            ),
            node=("Outlook = Sunny",),
        ),
        GuideStep(
            "Below Sunny an empty branch",
            "The level Low is declared but never occurs. No day reaches this branch, so it predicts the majority of "
            "the node above: No.",
            "004: Basic Decision Tree Algorithm, “if Sv is empty”",
            (Figure("days with Humidity = Low", "0", lambda o: float(o.tree.n_rows[o.node])),),
            node=("Outlook = Sunny", "Humidity = Low"),
        ),
        GuideStep(
            "The five rainy days",
            "On the rainy days Wind separates the classes; the other two attributes gain the same small amount.",
            "004: An Illustrative Example (V)",
            (
                Figure("gain of Wind at Rain", "0.971", lambda o: o.gain("Wind"), place=BY_HAND),
                Figure("gain of Temperature at Rain", "0.02", lambda o: o.gain("Temperature"), place=BY_HAND),
            ),
            node=("Outlook = Rain",),
        ),
        GuideStep(
            "Days with something unknown",
            "If a value is unknown, the day goes down all branches, each with its share. A sunny day of unknown "
            "humidity is then predicted No (Yes: 2/5), and a day of unknown outlook with normal humidity and strong "
            "wind Yes (9/14). Try both on the page Predict.",
            "004: Missing Values, testing",
            (
                Figure("share of Yes: Sunny, humidity unknown", "0.4",
                       lambda o: _answered(o, Outlook="Sunny", Temperature="Hot", Wind="Strong"), place=BY_HAND),
                Figure("share of Yes: outlook unknown, Normal, Strong", "0.643",
                       lambda o: _answered(o, Temperature="Hot", Humidity="Normal", Wind="Strong"), place=BY_HAND),
            ),
            grow=Grow("id3", (("missing", "fractional"),)),
        ),
        GuideStep(
            "The gain ratio: does Outlook only win by its three values?",
            "C4.5 divides the gain by the entropy of the branch sizes (the split information), and compares this ratio"
            " among attributes whose gain is at least average. Outlook still wins.",
            "004: Other Issues, attributes with different numbers of values",
            (
                Figure("split information of Outlook", "1.577",
                       lambda o: o.gain("Outlook") / o.split("Outlook").score, place=BY_HAND),
                Figure("gain ratio of Outlook", "0.1564", lambda o: o.split("Outlook").score, place=BY_HAND),
                Figure("average gain", "0.1190", lambda o: o.found.average_gain, place=BY_HAND),
            ),
            grow=Grow("c4.5"),
        ),
    ),
)  # fmt: skip

NOISY = Guide(
    "play_tennis_day15", "A noisy day changes the tree", "play_tennis_day15", ID3,
    (
        GuideStep(
            "A fifteenth day that contradicts",
            "Sunny, Hot, Normal, Strong: No. The tree of the fourteen days predicts Yes for it. Grown again with this "
            "day, the tree keeps its root.",
            "004: Overfitting - Example",
            (Figure("gain of Outlook, 15 days", "0.28", lambda o: o.gain("Outlook"), place=BY_HAND),),
        ),
        GuideStep(
            "Below Sunny the question is another one",
            "The notes add one more question below Humidity. Grown again on fifteen days, the tree asks the sunny days"
            " for Temperature instead: a single row changes the questions, not only a prediction.",
            "004: Overfitting - Example",
            (
                Figure("gain of Temperature at Sunny", "0.585", lambda o: o.gain("Temperature"), place=BY_HAND),
                Figure("gain of Humidity at Sunny", "0.459", lambda o: o.gain("Humidity"), place=BY_HAND),
            ),
            node=("Outlook = Sunny",),
        ),
        GuideStep(
            "The tree as the notes print it",
            "Only one question is added to the tree of the fourteen days: Wind, below Humidity = Normal. It fits the "
            "fifteenth day, and day 11, sunny with normal humidity and strong wind like it, is now wrong: fitting one "
            "noisy row costs another.",
            "004: Overfitting - Example",
            (
                Figure("days that the printed tree gets wrong", "1", lambda o: o.error * o.table.n_rows,
                       place=BY_HAND),
                Figure("days at Humidity = Normal", "3", lambda o: float(o.tree.n_rows[o.node]), place=BY_HAND),
                Figure("gain of Wind there", "0.252", lambda o: o.gain("Wind"), place=BY_HAND),
            ),
            node=("Outlook = Sunny", "Humidity = Normal"),
            edits=(
                Take((0,), "", "Humidity", branches=(("High",), ("Normal",))),
                Take((0, 1), "", "Wind", branches=(("Weak",), ("Strong",))),
                Edit("cut", (0, 1, 1), "Temperature"),
            ),
        ),
    ),
)  # fmt: skip

TWO_BITS = Guide(
    "a_b", "A or B first?", "a_b", ID3,
    (
        GuideStep(
            "Splitting on A leaves nothing open",
            "All 100 rows with A = 0 are −, all 100 rows with A = 1 are +.",
            "004: Picking the Root Attribute",
            (
                Figure("rows with A = 1, B = 0", "0", lambda o: float(o.rows_where(A="1", B="0").sum())),
                Figure("entropy of A = 0", "0", lambda o: o.impurity_of("A", "0")),
                Figure("gain of A", "1", lambda o: o.gain("A"), place=BY_HAND),
            ),
        ),
        GuideStep(
            "Splitting on B leaves much",
            "B = 1 holds 50 − and 100 +; only B = 0 is pure. Both trees have the same shape, so a number has to "
            "decide: the gain.",
            "004: Picking the Root Attribute",
            (
                Figure("gain of B", "0.3113", lambda o: o.gain("B"), place=BY_HAND),
                Figure("rows of − at A = 0, B = 0", "50", lambda o: float(o.rows_where(A="0", B="0").sum())),
                Figure("rows of − at A = 0, B = 1", "50", lambda o: float(o.rows_where(A="0", B="1").sum())),
                Figure("rows of + at A = 1, B = 1", "100", lambda o: float(o.rows_where(A="1", B="1").sum())),
            ),
        ),
    ),
)  # fmt: skip

THREE_MORE = Guide(
    "a_b_3", "A or B, with three rows more", "a_b_3", ID3,
    (
        GuideStep(
            "What if (1, 0) has three negatives?",
            "A alone no longer separates the classes, but its gain is still nearly three times that of B.",
            "004: Picking the Root Attribute, “What if we have”",
            (
                Figure("rows with A = 1, B = 0", "3", lambda o: float(o.rows_where(A="1", B="0").sum())),
                Figure("gain of A", "0.9034", lambda o: o.gain("A"), place=BY_HAND),
                Figure("gain of B", "0.3213", lambda o: o.gain("B"), place=BY_HAND),
            ),
        ),
    ),
)  # fmt: skip

LENGTHS = Guide(
    "lengths", "Thresholds of a length", "lengths", Grow("cart", (("criterion", "entropy"),)),
    (
        GuideStep(
            "Sort, and try the mid-points",
            "In the notes the classes of the rows are lost. With + − − + + + − the class changes at each of the three "
            "printed thresholds; cuts between rows of the same class gain almost nothing (see Alternatives, “Every "
            "cut”).",
            "004: Continuous Attributes",
            (
                Figure("threshold between 10 and 15", "12.5", lambda o: o.split("length", 12.5).threshold),
                Figure("threshold between 21 and 28", "24.5", lambda o: o.split("length", 24.5).threshold),
                Figure("threshold between 40 and 50", "45", lambda o: o.split("length", 45).threshold),
                Figure("gain of length < 12.5", "0.128", lambda o: o.gain("length", 12.5), place=BY_HAND),
                Figure("gain of length < 24.5", "0.128", lambda o: o.gain("length", 24.5), place=BY_HAND),
                Figure("gain of length < 45", "0.198", lambda o: o.gain("length", 45), place=BY_HAND),
            ),
        ),
    ),
)  # fmt: skip

TENNIS = (FOURTEEN, NOISY, TWO_BITS, THREE_MORE, LENGTHS)
