"""Counts with an exposure, from a file of the user's to a rate: guessed, drawn, cut back, ranked and predicted."""

import numpy as np
import pandas as pd
import pytest

pytestmark = pytest.mark.browser


def visits(n: int = 900) -> bytes:
    """Visits of people, twice as often from forty on, counted in the years that each was watched."""
    draw = np.random.default_rng(3)
    age, town = draw.integers(18, 90, n), draw.choice(["north", "south"], n)
    years = draw.uniform(0.2, 3.0, n).round(2)
    rate = np.where(age < 40, 0.8, 2.2) * np.where(town == "south", 1.6, 1.0)
    frame = pd.DataFrame({"age": age, "town": town, "exposure": years, "visits": draw.poisson(rate * years)})
    return frame.to_csv(index=False).encode()


def test_a_file_of_counts_is_grown_ranked_and_answered_by_rates(app):
    app.upload("visits.csv", visits())
    app.drawn()
    app.text("one rate for all").wait_for()
    app.text("visits per unit of exposure").wait_for()
    app.text("The 540 rows here have visits").wait_for()
    app.go("Segments")
    app.page.locator(".skyline .tower").first.wait_for()
    app.page.locator(".skyline").get_by_text("visits per unit of exposure").first.wait_for()
    app.go("Predict")
    app.page.get_by_role("heading", name="per unit of exposure").wait_for()
    app.text("Rate of the").wait_for()
    app.go("Data")
    app.page.get_by_text("It is a count").click()
    app.settled()
    app.go("Explore")
    app.text("always the mean").wait_for()
    app.button("Undo").click()
    app.text("one rate for all").wait_for()
    assert app.faults() == []
