"""Tables of our own for examples that lecture notes draw without printing their rows."""

from treecore.data.kinds import Nominal
from treecore.data.sample import Sample

OURS = "A table of ours, made to fit the drawing; free to use."
ALL = " Let all rows train."
SIZES = Nominal(["big", "medium", "small"])

SALARY_EDGES = (10_000.0, 30_000.0, 50_000.0, 80_000.0)
"""As [002] prints them."""

LECTURE_TABLES = (
    Sample(
        "fruit",
        "Fruit: color, size, shape, taste",
        "12 fruits of seven kinds. With ID3 color gains 1.158 at the root, size 1.150; below, green and red ask for "
        "the size, yellow for the shape. Apples are (medium) AND NOT yellow." + ALL,
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
        "dominance). With ID3 the type of the teeth gains 2.189 and tells all five." + ALL,
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
        "shape .075." + ALL,
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
        "grades and PIN on one side, three benign tissues on the other." + ALL,
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
        "an edge lies above it. Home gains .245." + ALL,
        "salary.csv",
        "repaid",
        "classification",
        OURS + " The edges: Decision Trees (notes in Markdown), Splitting Continuous Attributes.",
        {"home": Nominal(["own", "rent"])},
        "id3",
        {"edges": {"salary": SALARY_EDGES}},
    ),
)
