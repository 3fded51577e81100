"""Models of scikit-learn that sklearn2pmml 0.133.1 wrote as PMML, and what jpmml-evaluator 0.16.0 answers; of single
trees for rows with gaps, for which these have no answer.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treecore as tc

FOLDER = Path(__file__).parent / "pmml"
ANSWERS = json.loads((FOLDER / "answers.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_are_those_of_jpmml(name):
    told, found = ANSWERS[name], tc.read_model(FOLDER / f"{name}.pmml")
    frame = pd.DataFrame(told["rows"]).astype(float)
    rows = frame if isinstance(found, tc.Tree) else tc.read_table(frame)
    if not found.classes:
        np.testing.assert_allclose(found.predict(rows), np.array(told["label"], float), rtol=1e-14, atol=1e-15)
        return
    labels = [None if label is None else label if isinstance(label, str) else f"{label:g}" for label in told["label"]]
    assert found.predict(rows).tolist() == labels
    shares = np.stack([np.array(told["shares"][name], float) for name in found.classes], axis=1)
    np.testing.assert_allclose(found.predict_proba(rows), shares, rtol=1e-13, atol=1e-15)
