"""WillWait, 12 rows (Russell & Norvig, Artificial Intelligence: A Modern Approach, 3rd ed., figure 18.3).

By hand, in bits: 6 Yes and 6 No, H = 1. Patrons: None (0 Yes, 2 No), Some (4, 0), Full (2, 4):
gain = 1 - 6/12 H(2/6) = 1 - 1/2 .9183 = .5409. Type: every branch half and half: gain 0 (section 18.3.4).
"""

import numpy as np
import pytest

import treecore as tc
from tests.golden.tables import gains, node_where, nominal_table

ROWS = """\
Alternate Bar FriSat Hungry Patrons Price Raining Reservation Type WaitEstimate WillWait
Yes No No Yes Some $$$ No Yes French 0-10 Yes
Yes No No Yes Full $ No No Thai 30-60 No
No Yes No No Some $ No No Burger 0-10 Yes
Yes No Yes Yes Full $ Yes No Thai 10-30 Yes
Yes No Yes No Full $$$ No Yes French >60 No
No Yes No Yes Some $$ Yes Yes Italian 0-10 Yes
No Yes No No None $ Yes No Burger 0-10 No
No No No Yes Some $$ Yes Yes Thai 0-10 Yes
No Yes Yes No Full $ Yes No Burger >60 No
Yes Yes Yes Yes Full $$$ No Yes Italian 10-30 No
No No No No None $ No No Thai 0-10 No
Yes Yes Yes Yes Full $ No No Burger 30-60 Yes"""
YES_NO = ["No", "Yes"]
LEVELS = [YES_NO] * 4 + [["None", "Some", "Full"], ["$", "$$", "$$$"], YES_NO, YES_NO,
                         ["French", "Italian", "Thai", "Burger"], ["0-10", "10-30", "30-60", ">60"],
          YES_NO]  # fmt: skip


@pytest.fixture(scope="module")
def table():
    names, *rows = (line.split() for line in ROWS.splitlines())
    return nominal_table(rows, names, LEVELS)


@pytest.fixture(scope="module")
def tree(table):
    return tc.grow(table, "id3")


def test_root_gains(tree, table):
    """AIMA 18.3.4: Gain(Patrons) = .541, Gain(Type) = 0. The others with the same arithmetic."""
    assert tree.impurity[0] == 1
    found = gains(tree, 0, table)
    assert found["Patrons"] == pytest.approx(0.540852082972755, abs=1e-12)
    assert found["WaitEstimate"] == pytest.approx(0.207518749639422, abs=1e-12)
    for name in ("Hungry", "Price"):
        assert found[name] == pytest.approx(0.195709628799731, abs=1e-12)
    for name in ("FriSat", "Raining", "Reservation"):
        assert found[name] == pytest.approx(0.020720839623908, abs=1e-12)
    for name in ("Alternate", "Bar", "Type"):
        assert found[name] == pytest.approx(0, abs=1e-12)


def test_root_gains_of_gini(table):
    """The root has 1/2. Patrons leaves 6/12 of 4/9: 5/18. WaitEstimate 1/9, Hungry 9/70, Price 13/126."""
    tree = tc.grow(table, "id3", criterion="gini")
    found = gains(tree, 0, table)
    assert found["Patrons"] == pytest.approx(5 / 18, abs=1e-15)
    assert found["Hungry"] == pytest.approx(9 / 70, abs=1e-15)
    assert found["WaitEstimate"] == pytest.approx(1 / 9, abs=1e-15)
    assert found["Price"] == pytest.approx(13 / 126, abs=1e-15)


def test_gains_below_full(tree, table):
    """Full is 2 Yes, 4 No: H = .9183. Hungry, Price, Reservation, Type and WaitEstimate tie at .2516."""
    full = node_where(tree, "Patrons = Full")
    assert tree.impurity[full] == pytest.approx(0.918295834054490, abs=1e-12)
    found = gains(tree, full, table)
    tied = ["Hungry", "Price", "Reservation", "Type", "WaitEstimate"]
    assert list(found)[:5] == tied
    for name in tied:
        assert found[name] == pytest.approx(0.251629167387823, abs=1e-12)
    for name in ("Alternate", "FriSat"):
        assert found[name] == pytest.approx(0.109170338675599, abs=1e-12)
    assert found["Raining"] == pytest.approx(0.044110417748401, abs=1e-12)
    assert found["Bar"] == pytest.approx(0, abs=1e-12)


def test_the_tree_takes_the_first_of_equal_features(tree):
    """AIMA figure 18.6: Patrons, Full -> Hungry, Yes -> Type, Thai -> FriSat; no row has Hungry and French."""
    leaves = {tree.node(t).rule: tree.node(t).predicted for t in range(tree.n_nodes) if tree.is_leaf[t]}
    hungry = "Patrons = Full AND Hungry = Yes"
    assert leaves == {
        "Patrons = None": "No",
        "Patrons = Some": "Yes",
        "Patrons = Full AND Hungry = No": "No",
        f"{hungry} AND Type = French": "No",
        f"{hungry} AND Type = Italian": "No",
        f"{hungry} AND Type = Thai AND FriSat = No": "No",
        f"{hungry} AND Type = Thai AND FriSat = Yes": "Yes",
        f"{hungry} AND Type = Burger": "Yes",
    }


def test_bar_is_three_to_three_on_each_side(table):
    no = table.column("Bar").labels() == "No"
    assert (np.flatnonzero(no) + 1).tolist() == [1, 2, 4, 5, 8, 11]
    yes = table.target_column.labels() == "Yes"
    assert (yes[no].sum(), yes[~no].sum()) == (3, 3)
