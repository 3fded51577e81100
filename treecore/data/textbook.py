"""The small tables that lecture notes on decision trees work with by hand; the numbers are for all rows as training."""

from treecore.data.kinds import Nominal, Ordinal
from treecore.data.lecture_tables import LECTURE_TABLES
from treecore.data.sample import Sample

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
ALL = " Let all rows train."

RESTAURANT = "Russell and Norvig, Artificial Intelligence: A Modern Approach, the restaurant examples x1 to x12."
WAITS, CROWDS, PRICES = ["0-10", "10-30", "30-60", ">60"], ["None", "Some", "Full"], ["$", "$$", "$$$"]
KITCHENS = Nominal(["French", "Italian", "Thai", "Burger"])

TEXTBOOK = (
    Sample(
        "willwait",
        "Restaurant: will we wait?",
        "12 evenings, 10 attributes of words: the textbook's first tree. With ID3 Patrons gains .541 at the root,"
        " Type 0; behind Full five attributes tie at .252." + ALL,
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
        " value and from it on: at the root Patrons = None against the rest gains .100, Price at most $$ .019." + ALL,
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
        ".029." + ALL,
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
        "with Normal the gain would be .420, with High .971." + ALL,
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
        " Sunny asks Temperature (.585) and no longer Humidity (.459): one row changes the tree." + ALL,
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
        "labels at once: with ID3 A gains 1, B .311." + ALL,
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
        "As A and B with three negatives at (1, 0): A is no longer enough, but gains .903 against .321 with ID3." + ALL,
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
        "24.5 and 45, gain .128, .128 and .198, those between equal ones almost nothing." + ALL,
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
        "nothing by it, so that CART stops; half the Gini index gains .0233, and so does the score Twoing." + ALL,
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
        "With CART the Gini index gains .18 by A and .2143 by B; with entropy it is .278 and .396." + ALL,
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
        + ALL,
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
        ".049." + ALL,
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
        "tree of all 40, whose root asks the cylinders: rows that are missing here change the first question." + ALL,
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
