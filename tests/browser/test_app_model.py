"""A booster made elsewhere and its table in a real browser: in five actions from the files to what each of its trees
asks for, and to the single tree that says the same.
"""

import io
import os

import pandas as pd
import pytest

from tests.browser.app_steps import loans

if os.environ.get("CI"):
    import xgboost as xgb
else:
    xgb = pytest.importorskip("xgboost", reason="XGBoost is not installed")

pytestmark = pytest.mark.browser


def test_the_trees_of_a_booster_and_the_single_one_nearest_in_five_actions(laptop):
    frame = pd.read_csv(io.BytesIO(loans(900)))
    frame["defaulted"] = (frame["defaulted"] == "bad").astype(int)
    features = frame.drop(columns="defaulted").astype({"region": "category", "owns": "category", "job": "category"})
    made = xgb.XGBClassifier(n_estimators=12, max_depth=3, enable_categorical=True).fit(features, frame["defaulted"])

    laptop.upload("booster.json", bytes(made.get_booster().save_raw("json")))
    laptop.text("give the table that it is for").wait_for()
    laptop.upload("loans.csv", frame.to_csv(index=False).encode())
    laptop.text("Of 12 trees, this many use: score 12").wait_for(timeout=60_000)
    laptop.text("Tree 1 of 12, for “1”").wait_for()
    laptop.drawn()
    laptop.pick(laptop.page.get_by_role("combobox", name="Trees that use"), "region")
    laptop.settled()
    number = laptop.page.get_by_role("spinbutton", name="Tree")
    number.fill("7")
    number.press("Enter")
    laptop.text("Tree 7 of 12, for “1”").wait_for()
    laptop.page.get_by_text("The one nearest to all").first.click()
    laptop.text("It predicts the same as all trees together for").wait_for()
    laptop.text("Nearest to the prediction of all trees").wait_for()
    laptop.drawn()
    assert laptop.faults() == []


def test_a_pickle_is_refused_and_says_how_to_go_on(laptop):
    laptop.upload("forest.pkl", b"\x80\x04\x95")
    laptop.text("so it is never opened").wait_for()
    laptop.text("save the model as JSON, ONNX or PMML there").wait_for()
    laptop.settled()
    laptop.button("Close").click()
    laptop.text("so it is never opened").wait_for(state="hidden")
