"""The sample tables that come with the project: what they are, where they are from, how to read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from treecore.data.column import Nominal, Ordinal
from treecore.data.read import read_table
from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.registry import Registry
from treecore.target import Counted, Counts, Effect, Survival

PACKAGE = Path(__file__).parents[1]
# a checkout, an installed wheel
FOLDERS = (PACKAGE.parent / "assets" / "samples", PACKAGE / "_app" / "assets" / "samples")


@dataclass(frozen=True)
class Sample:
    """One sample: its file, the usual target and task, kinds that differ from the guess, and its source.

    description : what the table is, what to look at, what to try. preset, settings : the growth whose numbers the
    description tells, all rows training; "" where it tells none. exposure : of counts, what they are counted in.
    time : of events, how long each row was watched. treatment : of an effect, who was treated.
    """

    name: str
    label: str
    description: str
    file: str
    target: str
    task: str
    source: str
    kinds: Mapping = field(default_factory=dict)
    preset: str = ""
    settings: Mapping = field(default_factory=dict)
    exposure: str = ""
    time: str = ""
    treatment: str = ""

    @property
    def predicted(self) -> str | Counted:
        """The target, as read_table takes it."""
        if self.treatment:
            return Effect(self.target, self.treatment)
        if self.time:
            return Survival(self.time, self.target)
        return Counts(self.target, self.exposure) if self.exposure else self.target

    @property
    def path(self) -> Path:
        """The file, in a checkout or in an installed package; TreecoreError when it is in neither."""
        for folder in FOLDERS:
            if (folder / self.file).is_file():
                return folder / self.file
        raise TreecoreError(
            "The file of this sample is not installed",
            where=f"Sample '{self.name}'",
            remedy="Install the package again, or run it from a checkout.",
        )


# Tables of our own for examples that lecture notes draw without printing their rows.

OURS = "A table of ours, made to fit the drawing; free to use."
ALL_TRAIN = " Let all rows train."
SIZES = Nominal(["big", "medium", "small"])

SALARY_EDGES = (10_000.0, 30_000.0, 50_000.0, 80_000.0)
"""As [002] prints them."""

LECTURE_TABLES = (
    Sample(
        "fruit",
        "Fruit: color, size, shape, taste",
        "12 fruits of seven kinds. With ID3 color gains 1.158 at the root, size 1.150; below, green and red ask for "
        "the size, yellow for the shape. Apples are (medium) AND NOT yellow." + ALL_TRAIN,
        "fruit.csv",
        "fruit",
        "classification",
        OURS + " Its paths are those of Doyle (2020), Nonmetric Methods, after Duda, Hart and Stork (2001).",
        {
            "color": Nominal(["green", "yellow", "red"]),
            "size": SIZES,
            "shape": Nominal(["round", "thin"]),
            "taste": Nominal(["sweet", "sour"]),
        },
        "id3",
    ),
    Sample(
        "teeth",
        "Teeth: walrus and seal",
        "12 animals as tuples (size, type, use) without any distance between values; walrus = (large, tusk, "
        "dominance). With ID3 the type of the teeth gains 2.189 and tells all five." + ALL_TRAIN,
        "teeth.csv",
        "animal",
        "classification",
        OURS + " The tuples of walrus and seal: Doyle (2020), Nonmetric Methods.",
        {"size": Nominal(["none", "small", "large"])},
        "id3",
    ),
    Sample(
        "color_shape",
        "Color and shape",
        "12 shapes, + or -: the same shape is answered otherwise below another color. With ID3 color gains .242 and "
        "shape .075." + ALL_TRAIN,
        "color_shape.csv",
        "label",
        "classification",
        OURS + " (blue, square, +) stands in CS446 Machine Learning (spring 2017).",
        {
            "color": Nominal(["blue", "red", "green"]),
            "shape": Nominal(["triangle", "square", "circle"]),
            "label": Nominal(["-", "+"]),
        },
        "id3",
    ),
    Sample(
        "tissue",
        "Gleason grades and other tissue",
        "140 invented pieces of seven tissues. With CART and twoing the first split, .238, puts the three Gleason "
        "grades and PIN on one side, three benign tissues on the other." + ALL_TRAIN,
        "tissue.csv",
        "tissue",
        "classification",
        "Invented; the seven classes are those of Doyle (2020), Nonmetric Methods.",
        {},
        "cart",
        {"score": "twoing"},
    ),
    Sample(
        "salary",
        "Salary in five bins",
        "21 loans. With ID3 and the edges 10, 30, 50 and 80 thousand salary has five branches and gains .564; a value "
        "on "
        "an edge lies above it. Home gains .245." + ALL_TRAIN,
        "salary.csv",
        "repaid",
        "classification",
        OURS + " The edges: Decision Trees (notes in Markdown), Splitting Continuous Attributes.",
        {"home": Nominal(["own", "rent"])},
        "id3",
        {"edges": {"salary": SALARY_EDGES}},
    ),
)


# The small tables that lecture notes on decision trees work with by hand; the numbers are for all rows as training.

MITCHELL = "Quinlan (1986), Induction of Decision Trees; Mitchell (1997), Machine Learning, days D1 to D14."
BITS = Nominal(["0", "1"])
SIGNS = Nominal(["-", "+"])
TENNIS = {
    "Outlook": Nominal(["Sunny", "Overcast", "Rain"]),
    "Temperature": Nominal(["Hot", "Mild", "Cool"]),
    "Humidity": Nominal(["High", "Normal", "Low"]),
    "Wind": Nominal(["Weak", "Strong"]),
}
THREE = Nominal(["low", "medium", "high"])

RESTAURANT = "Russell and Norvig, Artificial Intelligence: A Modern Approach, the restaurant examples x1 to x12."
WAITS, CROWDS, PRICES = ["0-10", "10-30", "30-60", ">60"], ["None", "Some", "Full"], ["$", "$$", "$$$"]
KITCHENS = Nominal(["French", "Italian", "Thai", "Burger"])

TEXTBOOK = (
    Sample(
        "willwait",
        "Restaurant: will we wait?",
        "12 evenings, 10 attributes of words: the textbook's first tree. With ID3 Patrons gains .541 at the root,"
        " Type 0; behind Full five attributes tie at .252." + ALL_TRAIN,
        "willwait.csv",
        "WillWait",
        "classification",
        RESTAURANT,
        {"Patrons": Nominal(CROWDS), "Price": Nominal(PRICES), "Type": KITCHENS, "WaitEstimate": Nominal(WAITS)},
        "id3",
    ),
    Sample(
        "willwait_ordinal",
        "Restaurant: answers in their order",
        "The same 12 evenings: Price, Patrons and WaitEstimate are ordinal, and CART cuts their order in two, below a"
        " value and from it on: at the root Patrons = None against the rest gains .100, Price at most $$ .019."
        + ALL_TRAIN,
        "willwait.csv",
        "WillWait",
        "classification",
        RESTAURANT,
        {"Patrons": Ordinal(CROWDS), "Price": Ordinal(PRICES), "Type": KITCHENS, "WaitEstimate": Ordinal(WAITS)},
        "cart",
    ),
    Sample(
        "play_tennis",
        "PlayTennis",
        "14 days; Humidity is declared High, Normal, Low, but Low never occurs: with ID3 its branch is empty and "
        "answers as the node above it. Gains at the root: Outlook .247, Humidity .152, Wind .048, Temperature "
        ".029." + ALL_TRAIN,
        "play_tennis.csv",
        "PlayTennis",
        "classification",
        MITCHELL,
        TENNIS,
        "id3",
    ),
    Sample(
        "play_tennis_day8",
        "PlayTennis, a humidity missing",
        "Day 8, sunny, has no humidity. With C4.5 Humidity gains ⅘ · 1 = .8 at Sunny, as four of five days are "
        "known, and half of day 8 goes down either branch. Compare the strategies under Missing values; filled "
        "with Normal the gain would be .420, with High .971." + ALL_TRAIN,
        "play_tennis_day8.csv",
        "PlayTennis",
        "classification",
        MITCHELL + " Day 8 as in CS446 Machine Learning (spring 2017).",
        TENNIS,
        "c4.5",
    ),
    Sample(
        "play_tennis_day15",
        "PlayTennis, a noisy day",
        "A fifteenth day (Sunny, Hot, Normal, Strong, No) contradicts the tree of the fourteen. Regrown with ID3,"
        " Sunny asks Temperature (.585) and no longer Humidity (.459): one row changes the tree." + ALL_TRAIN,
        "play_tennis_day15.csv",
        "PlayTennis",
        "classification",
        MITCHELL + " Day 15: Mitchell (1997), section 3.7.",
        TENNIS,
        "id3",
    ),
    Sample(
        "a_b",
        "A and B, which first?",
        "200 rows of two bits; (1, 0) never occurs. Either attribute first gives a small tree, but A parts the "
        "labels at once: with ID3 A gains 1, B .311." + ALL_TRAIN,
        "a_b.csv",
        "label",
        "classification",
        "Counts of an exercise in CS446 Machine Learning (spring 2017), lecture on decision trees.",
        {"A": BITS, "B": BITS, "label": SIGNS},
        "id3",
    ),
    Sample(
        "a_b_3",
        "A and B, three rows more",
        "As A and B with three negatives at (1, 0): A is no longer enough, but gains .903 against .321 with ID3."
        + ALL_TRAIN,
        "a_b_3.csv",
        "label",
        "classification",
        "Counts of an exercise in CS446 Machine Learning (spring 2017), lecture on decision trees.",
        {"A": BITS, "B": BITS, "label": SIGNS},
        "id3",
    ),
    Sample(
        "lengths",
        "Lengths 10 to 50",
        "Seven lengths and signs: where to cut? With CART and entropy the cuts between different signs, 12.5, "
        "24.5 and 45, gain .128, .128 and .198, those between equal ones almost nothing." + ALL_TRAIN,
        "lengths.csv",
        "class",
        "classification",
        "Lengths and cuts of CS446 Machine Learning (spring 2017); the signs are those that its three cuts ask for.",
        {"class": SIGNS},
        "cart",
        {"criterion": "entropy"},
    ),
    Sample(
        "node_90_10",
        "A node of 90 and 10",
        "100 rows, one query: 20 and 10 to the left, 70 and 0 to the right. The misclassification rate gains "
        "nothing by it, so that CART stops; half the Gini index gains .0233, and so does the score Twoing." + ALL_TRAIN,
        "node_90_10.csv",
        "category",
        "classification",
        "Counts of Doyle (2020), Nonmetric Methods: Decision Trees; its .0234 comes from 2/9 rounded to .222.",
        {"query": Nominal(["left", "right"])},
        "cart",
        {"criterion": "half_gini"},
    ),
    Sample(
        "node_50_50",
        "A node of 50 and 50",
        "100 rows, two splits that both err on 20: A makes (10, 40) and (40, 10), B makes (50, 20) and (0, 30). "
        "With CART the Gini index gains .18 by A and .2143 by B; with entropy it is .278 and .396." + ALL_TRAIN,
        "node_50_50.csv",
        "class",
        "classification",
        "Counts of Ahmed and Pavlu, Decision Trees, lecture notes on classification error.",
        {"A": Nominal(["left", "right"]), "B": Nominal(["left", "right"]), "class": Nominal(["1", "2"])},
        "cart",
    ),
    Sample(
        "xor",
        "XOR",
        "4 rows: no single column tells anything about Y, both together tell everything. Every gain at the root "
        "is 0, so ID3 stops at one leaf; Hunt, or splitting even when the best gain is 0, parts them in two levels."
        + ALL_TRAIN,
        "xor.csv",
        "Y",
        "classification",
        "The exclusive or of two truth values; free to use.",
        {},
        "id3",
    ),
    Sample(
        "x1_x2",
        "X1 and X2",
        "8 rows: X1 decides when it is true; when it is false, X2 helps a little. With ID3 X1 gains .549, X2 "
        ".049." + ALL_TRAIN,
        "x1_x2.csv",
        "Y",
        "classification",
        "A common textbook exercise on information gain.",
        {},
        "id3",
    ),
    Sample(
        "cars",
        "Cars: good or bad mileage",
        "18 of 40 cars, in classes: with ID3 the model year gains most at the root, .583. The notes draw the "
        "tree of all 40, whose root asks the cylinders: rows that are missing here change the first question."
        + ALL_TRAIN,
        "cars.csv",
        "mpg",
        "classification",
        "Auto MPG, UCI repository (Quinlan 1993), CC BY 4.0; the classes and rows of lecture notes of 2014.",
        {
            "cylinders": Nominal(["4", "5", "6", "8"]),
            **dict.fromkeys(["displacement", "horsepower", "weight", "acceleration"], THREE),
            "modelyear": Nominal(["70to74", "75to78", "79to83"]),
            "maker": Nominal(["america", "asia", "europa"]),
        },
        "id3",
    ),
    *LECTURE_TABLES,
)


# The trap museum: small tables of which each breaks one method.

MADE = "Generated by assets/samples/make_traps.py; free to use."


def _trap(name: str, label: str, description: str, target: str, preset: str = "cart", **settings) -> Sample:
    text = description + ALL_TRAIN
    return Sample(f"trap_{name}", f"Trap: {label}", text, f"trap_{name}.csv", target, "classification", MADE,
                  preset=preset, settings=settings)  # fmt: skip


TRAPS = (
    _trap("identifier", "an identifier", "18 trips, 17 tickets. ID3 asks for the ticket, the gain ratio does not.",
          "late", "id3"),
    _trap("leak", "a leak", "300 loans; the reminder fee is known only once a loan has failed.", "failed"),
    _trap("duplicate", "a column twice", "200 people, their height in two units.", "fits"),
    _trap("noisy_class", "wrong labels", "300 points, one label in five is wrong: a tree learns them all.", "label"),
    _trap("rare_class", "a rare class", "1000 payments, about 2 % are frauds: always no is nearly always right.",
          "fraud"),
    _trap("many_levels", "many levels", "120 sales: 40 shops mean nothing, and gain most.", "sold", "id3"),
    _trap("not_at_random", "not missing at random", "300 loans: who fails does not tell his income.", "failed"),
    _trap("two_equal", "two equal splits", "40 rows: left and right gain the same, so that a rule for ties decides.",
          "label"),
    _trap("horizon", "the horizon", "80 fields of a board: no first split gains anything, two together gain all.",
          "label"),
    _trap("unstable_root", "an unstable root", "31 rows: without one of them another column is asked first.", "label"),
)  # fmt: skip


def read_sample(name: str) -> Table:
    """The table of the sample called `name`, with its usual target; TreecoreError for an unknown name."""
    sample = SAMPLES[name]
    return read_table(sample.path, target=sample.predicted, kinds=dict(sample.kinds))


MADE_HERE = "Generated by assets/samples/make_samples.py; free to use."

SAMPLES = Registry(
    "sample",
    *TEXTBOOK,
    Sample(
        "iris",
        "Iris",
        "150 flowers of three species, four lengths each.",
        "iris.csv",
        "class",
        "classification",
        "Fisher (1936), The use of multiple measurements in taxonomic problems; UCI repository, CC BY 4.0.",
    ),
    Sample(
        "mpg",
        "Cars: miles per gallon",
        "398 cars of 1970 to 1982, mixed kinds; 6 horsepowers are missing.",
        "mpg.csv",
        "mpg",
        "regression",
        "Auto MPG, StatLib library and UCI repository (Quinlan 1993), CC BY 4.0; names of the cars left out.",
        {"cylinders": Ordinal(["3", "4", "5", "6", "8"])},
    ),
    Sample(
        "penguins",
        "Penguins",
        "344 penguins of three species, measured on three islands; some values missing.",
        "penguins.csv",
        "species",
        "classification",
        "Gorman, Williams and Fraser (2014); palmerpenguins by Horst, Hill and Gorman (2020), CC0.",
    ),
    Sample(
        "titanic",
        "Titanic",
        "891 passengers and who survived; the age of 177 is missing.",
        "titanic.csv",
        "survived",
        "classification",
        "Passenger list of the RMS Titanic (public record), as collected in seaborn-data.",
        {"pclass": Ordinal(["1", "2", "3"])},
    ),
    Sample(
        "crescents",
        "Two crescents",
        "400 points in the plane, two interlocking classes, noise.",
        "crescents.csv",
        "moon",
        "classification",
        MADE_HERE,
    ),
    Sample(
        "oblique",
        "A slanted line",
        "300 points, split by 2 x1 + 1.5 x2 = 0.5: hard for upright cuts.",
        "oblique.csv",
        "side",
        "classification",
        MADE_HERE,
    ),
    Sample(
        "curve",
        "A curve",
        "200 points of a noisy wave: one feature, a number to predict.",
        "curve.csv",
        "y",
        "regression",
        MADE_HERE,
    ),
    Sample(
        "customers",
        "Customers who leave",
        "6000 invented customers: mixed kinds, gaps, an id, a date, wrong labels.",
        "customers.csv",
        "left",
        "classification",
        MADE_HERE,
        {"plan": Ordinal(["basic", "standard", "premium"])},
    ),
    Sample(
        "claims",
        "Claims and how long they were insured",
        "3000 invented car insurances: counts of claims in the years that each was insured.",
        "claims.csv",
        "claims",
        "counts",
        MADE_HERE,
        exposure="years",
    ),
    Sample(
        "pumps",
        "Pumps and when they failed",
        "1000 invented pumps: weeks until they failed, or how long they were watched without it.",
        "pumps.csv",
        "failed",
        "counts",
        MADE_HERE,
        time="weeks",
    ),
    Sample(
        "backs",
        "Back pain and exercise",
        "6000 invented patients, half of them drawn to exercise under guidance: see whom it helps to recover.",
        "backs.csv",
        "recovered",
        "effects",
        MADE_HERE,
        treatment="treatment",
    ),
    *TRAPS,
)
