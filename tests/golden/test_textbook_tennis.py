"""PlayTennis, 14 days (Mitchell, Machine Learning, 1997, table 3.2; Quinlan 1986 with other names).

Each word is one day: Outlook (S)unny (O)vercast (R)ain, Temperature (H)ot (M)ild (C)ool,
Humidity (H)igh (N)ormal, Wind (W)eak (S)trong, and whether tennis was played.

By hand, in bits: H(9 Yes, 5 No) = -9/14 log2 9/14 - 5/14 log2 5/14 = .9403. Outlook parts the days into
Sunny (2 Yes, 3 No), Overcast (4, 0), Rain (3, 2): gain = .9403 - 5/14 .9710 - 0 - 5/14 .9710 = .2467.
"""

import pytest

import treecore as tc
from tests.golden.tables import gains, node_where, nominal_table

DAYS = "SHHW- SHHS- OHHW+ RMHW+ RCNW+ RCNS- OCNS+ SMHW- SCNW+ RMNW+ SMNS+ OMHS+ OHNW+ RMHS-"
NAMES = ["Outlook", "Temperature", "Humidity", "Wind", "PlayTennis"]
# Low never occurs: an empty branch for ID3
WORDS = [
    {"S": "Sunny", "O": "Overcast", "R": "Rain"},
    {"H": "Hot", "M": "Mild", "C": "Cool"},
    {"H": "High", "N": "Normal", "L": "Low"},
    {"W": "Weak", "S": "Strong"},
    {"-": "No", "+": "Yes"},
]


def tennis(days=DAYS) -> tc.Table:
    rows = [[words[letter] for words, letter in zip(WORDS, day, strict=True)] for day in days.split()]
    return nominal_table(rows, NAMES, [list(words.values()) for words in WORDS])


@pytest.fixture(scope="module")
def table():
    return tennis()


@pytest.fixture(scope="module")
def tree(table):
    return tc.grow(table, "id3")


def test_root_entropy(tree):
    """Mitchell 3.4.1: Entropy([9+, 5-]) = .940."""
    assert tree.impurity[0] == pytest.approx(0.940285958670631, abs=1e-12)
    assert tree.node(0).counts == {"No": 5, "Yes": 9}


def test_root_gains(tree, table):
    """Mitchell 3.4.2 prints .246 .151 .048 .029 (.24675 and .15184, cut off); exact to 12 digits."""
    found = gains(tree, 0, table)
    assert list(found) == ["Outlook", "Humidity", "Wind", "Temperature"]
    assert found["Outlook"] == pytest.approx(0.246749819774439, abs=1e-12)
    assert found["Humidity"] == pytest.approx(0.151835501362342, abs=1e-12)
    assert found["Wind"] == pytest.approx(0.048127030408269, abs=1e-12)
    assert found["Temperature"] == pytest.approx(0.029222565658955, abs=1e-12)


def test_gains_below_sunny(tree, table):
    """Mitchell figure 3.4: .970 Humidity, .570 Temperature, .019 Wind (rounded figures .971 .571 .020)."""
    found = gains(tree, node_where(tree, "Outlook = Sunny"), table)
    assert found["Humidity"] == pytest.approx(0.970950594454669, abs=1e-12)
    assert found["Temperature"] == pytest.approx(0.570950594454669, abs=1e-12)
    assert found["Wind"] == pytest.approx(0.019973094021975, abs=1e-12)
    assert "Outlook" not in found


def test_gains_below_rain(tree, table):
    """Wind parts (3 Yes, 2 No) purely: the whole .971; Temperature and Humidity 0.020 each."""
    found = gains(tree, node_where(tree, "Outlook = Rain"), table)
    assert found["Wind"] == pytest.approx(0.970950594454669, abs=1e-12)
    for name in ("Temperature", "Humidity"):
        assert found[name] == pytest.approx(0.019973094021975, abs=1e-12)


def test_the_tree(tree):
    """Mitchell figure 3.1; Low, which no day has, is an empty leaf that answers with its parent's majority."""
    leaves = {tree.node(t).rule: tree.node(t).predicted for t in range(tree.n_nodes) if tree.is_leaf[t]}
    assert leaves == {
        "Outlook = Sunny AND Humidity = High": "No",
        "Outlook = Sunny AND Humidity = Normal": "Yes",
        "Outlook = Sunny AND Humidity = Low": "No",
        "Outlook = Overcast": "Yes",
        "Outlook = Rain AND Wind = Weak": "Yes",
        "Outlook = Rain AND Wind = Strong": "No",
    }
    low = node_where(tree, "Outlook = Sunny", "Humidity = Low")
    assert tree.n_rows[low] == 0
    assert tree.proba[low].tolist() == [3 / 5, 2 / 5]


def test_gini_gains(table):
    """1 - sum p^2: the root has 90/196; Outlook leaves 10/14 of 12/25: gain 57/490; then 9/98, 3/98, 11/588."""
    tree = tc.grow(table, "id3", criterion="gini")
    assert tree.impurity[0] == pytest.approx(90 / 196, abs=1e-15)
    assert gains(tree, 0, table) == pytest.approx(
        {"Outlook": 57 / 490, "Humidity": 9 / 98, "Wind": 3 / 98, "Temperature": 11 / 588}, abs=1e-15
    )


def test_a_noisy_day_changes_the_split_below_sunny():
    """Day 15 (Sunny, Hot, Normal, Strong, No): Sunny is 4 No 2 Yes, H = .9183. Temperature: Hot (3 No), Mild (1, 1),
    Cool (1 Yes): .9183 - 2/6 = .585. Humidity: High (3 No), Normal (1 No, 2 Yes): .9183 - 3/6 .9183 = .459."""
    table = tennis(DAYS + " SHNS-")
    tree = tc.grow(table, "id3")
    sunny = node_where(tree, "Outlook = Sunny")
    found = gains(tree, sunny, table)
    assert found["Temperature"] == pytest.approx(0.584962500721156, abs=1e-12)
    assert found["Humidity"] == pytest.approx(0.459147917027245, abs=1e-12)
    assert tree.node(sunny).feature == "Temperature"


def test_predictions_of_the_training_days(tree, table):
    assert tree.predict(table).tolist() == table.target_column.labels().tolist()


def test_an_unknown_value_scales_the_gain_by_the_known_share(table):
    """Day 8 without its humidity. Sunny: 2 High No, 2 Normal Yes are known, 1 is not: 4/5 of 1 bit = .8 (C4.5)."""
    from dataclasses import replace

    humidity = table.column("Humidity")
    codes = humidity.codes.copy()
    codes[7] = humidity.n_distinct
    hole = replace(humidity, codes=codes)
    holed = replace(table, columns=tuple(hole if c.name == "Humidity" else c for c in table.columns))
    tree = tc.grow(holed, "id3")
    sunny = node_where(tree, "Outlook = Sunny")
    assert gains(tree, sunny, holed)["Humidity"] == pytest.approx(0.8, abs=1e-12)
    assert tree.gain[sunny] == pytest.approx(0.8, abs=1e-12)
    # 13/14 of the gain on the 13 known days: .10248 at the root
    assert gains(tree, 0, holed)["Humidity"] == pytest.approx(0.102477276626935, abs=1e-12)
