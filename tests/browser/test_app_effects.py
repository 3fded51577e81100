"""Effects of a treatment, from a file of the user's to whom to treat: guessed, drawn by arms, ranked and predicted."""

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.browser


def trial(n: int = 1500) -> bytes:
    """A letter makes those from fifty on spend 20 more, and the others 8 less."""
    draw = np.random.default_rng(4)
    age, town, sent = draw.integers(18, 80, n), draw.choice(["north", "south"], n), draw.integers(0, 2, n)
    spent = (40 + sent * np.where(age >= 50, 20, -8) + draw.normal(0, 8, n)).round(1)
    arms = np.where(sent == 1, "letter", "control")
    frame = pd.DataFrame({"age": age, "town": town, "treatment": arms, "spent": spent})
    return frame.to_csv(index=False).encode()


def test_a_file_of_a_trial_is_grown_ranked_and_answered_by_effects(app):
    app.upload("trial.csv", trial())
    app.drawn()
    app.text("one effect for all").wait_for()
    app.text("an effect of").wait_for()
    fills = app.page.locator(".card .card-face").evaluate_all("faces => faces.map(face => getComputedStyle(face).fill)")
    assert len(set(fills)) > 2
    app.go("Segments")
    app.page.locator(".skyline .tower").first.wait_for()
    app.text("effect on spent").wait_for()
    app.page.get_by_text("Qini curve:").wait_for()
    app.go("Predict")
    app.page.get_by_role("heading", name="effect on spent").wait_for()
    app.go("Data")
    app.page.get_by_text("Predict the effect of a treatment on it").click()
    app.settled()
    app.go("Explore")
    app.text("always the mean").wait_for()
    app.button("Undo").click()
    app.text("one effect for all").wait_for()
    assert app.faults() == []
