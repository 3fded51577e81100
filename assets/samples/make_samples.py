"""Write the generated sample tables next to this file: python assets/samples/make_samples.py

Seeded, and written with fixed decimals, so that running it again gives the same bytes (a test holds this).
"""

import runpy
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def crescents(rng: np.random.Generator) -> list[str]:
    """400 rows: two interlocking half moons with noise; one row in twenty has the other class."""
    upper = rng.random(400) < 0.5
    angle = rng.uniform(0, np.pi, 400)
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle)) + rng.normal(0, 0.18, 400)
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle)) + rng.normal(0, 0.18, 400)
    label = np.where(upper ^ (rng.random(400) < 0.05), "upper", "lower")
    return ["x1,x2,moon", *(f"{a:.3f},{b:.3f},{c}" for a, b, c in zip(x, y, label, strict=True))]


def curve(rng: np.random.Generator) -> list[str]:
    """200 rows: a wave that rises, plus noise whose spread is 0.25."""
    x = np.sort(rng.uniform(0, 10, 200))
    y = np.sin(x) + 0.2 * x + rng.normal(0, 0.25, 200)
    return ["x,y", *(f"{a:.3f},{b:.3f}" for a, b in zip(x, y, strict=True))]


def oblique(rng: np.random.Generator) -> list[str]:
    """300 rows without noise: class below where 2 x1 + 1.5 x2 < 0.5; nothing lies nearer than 0.05 to the line."""
    points = np.round(rng.uniform(-1, 1, (600, 2)), 3)
    side = 2 * points[:, 0] + 1.5 * points[:, 1] - 0.5
    points, side = points[np.abs(side) > 0.05][:300], side[np.abs(side) > 0.05][:300]
    label = np.where(side < 0, "below", "above")
    return ["x1,x2,side", *(f"{a:.3f},{b:.3f},{c}" for (a, b), c in zip(points, label, strict=True))]


def customers(rng: np.random.Generator) -> list[str]:
    """6000 rows of an invented subscription service: mixed kinds, an id, a date, gaps, 7 % wrong labels."""
    n = 6000
    age = np.clip(rng.normal(43, 14, n), 18, 90).astype(int)
    region = rng.choice(["north", "east", "south", "west", "islands"], n, p=[0.3, 0.25, 0.2, 0.2, 0.05])
    plan = rng.integers(0, 3, n)
    income = rng.lognormal(3.4, 0.4, n) + 4 * plan
    newsletter = rng.random(n) < 0.4
    months = rng.integers(1, 73, n)
    complaints = rng.poisson(0.8, n)
    joined = np.datetime64("2024-12-01") - 30 * months - rng.integers(0, 30, n)
    leaves = (
        ((months < 12) & (plan == 0))
        | ((complaints >= 3) & ~newsletter)
        | ((region == "islands") & (income < 35))
        | ((age < 30) & (plan == 2) & (income < 45))
    )
    left = np.where(leaves ^ (rng.random(n) < 0.07), "yes", "no")
    names = np.array(["basic", "standard", "premium"])[plan]
    cells = [
        rng.permutation(np.arange(100_000, 100_000 + n)).astype(str),
        _with_gaps(rng, age.astype(str), 0.03),
        _with_gaps(rng, np.array([f"{value:.1f}" for value in income]), 0.05),
        _with_gaps(rng, region, 0.02),
        names,
        _with_gaps(rng, np.where(newsletter, "yes", "no"), 0.02),
        months.astype(str),
        complaints.astype(str),
        joined.astype(str),
        left,
    ]
    header = "customer_id,age,income,region,plan,newsletter,months,complaints,joined,left"
    return [header, *(",".join(row) for row in zip(*cells, strict=True))]


def claims(rng: np.random.Generator) -> list[str]:
    """3000 rows of invented car insurances: claims are drawn by a rate per year, times the years insured."""
    n = 3000
    age = np.clip(rng.gamma(2.2, 11.0, n) + 18, 18, 85).astype(int)
    power = rng.choice([40, 50, 60, 75, 90, 110, 140], n, p=[0.08, 0.17, 0.25, 0.22, 0.15, 0.09, 0.04])
    region = rng.choice(["city", "suburb", "country"], n, p=[0.35, 0.4, 0.25])
    distance = np.round(rng.lognormal(2.4, 0.5, n)).astype(int)
    years = np.round(np.where(rng.random(n) < 0.4, rng.uniform(0.05, 1.0, n), rng.uniform(1.0, 5.0, n)), 2)
    rate = 0.12 * np.where(age < 25, 3.0, 1.0) * np.where(region == "city", 1.8, 1.0)
    rate *= np.where(distance > 20, 2.0, 1.0) * np.where((age < 25) & (power >= 90), 1.8, 1.0)
    known = _with_gaps(rng, distance.astype(str), 0.04)
    cells = (age.astype(str), power.astype(str), region, known, np.char.mod("%.2f", years), rng.poisson(rate * years))
    header = "age,horsepower,region,thousand_km,years,claims"
    return [header, *(",".join(map(str, row)) for row in zip(*cells, strict=True))]


def pumps(rng: np.random.Generator) -> list[str]:
    """1000 rows: what each pump moves, how, and for how many weeks it was watched, until it failed (1) or not (0).

    The hazard is 0.005 a week, 3 times that with slurry, 2.5 times from 70 degrees on, twice from 16 hours a day on
    where it was not serviced, and half with a ceramic seal; 3 % of the temperatures are missing.
    """
    n = 1000
    moves = rng.choice(["water", "oil", "slurry"], n, p=[0.5, 0.25, 0.25])
    seal = rng.choice(["rubber", "ceramic"], n, p=[0.6, 0.4])
    degrees, hours = np.round(rng.normal(62, 12, n)).astype(int), rng.integers(4, 25, n)
    serviced, power = rng.choice(["no", "yes"], n, p=[0.45, 0.55]), rng.choice([4, 7, 11, 15, 22], n)
    hazard = 0.005 * np.where(moves == "slurry", 3.0, 1.0) * np.where(degrees >= 70, 2.5, 1.0)
    hazard *= np.where((hours >= 16) & (serviced == "no"), 2.0, 1.0) * np.where(seal == "ceramic", 0.5, 1.0)
    until, watched = np.ceil(rng.exponential(1.0 / hazard)), rng.integers(8, 209, n)
    known = _with_gaps(rng, degrees.astype(str), 0.03)
    cells = (moves, seal, known, hours, serviced, power, np.minimum(until, watched).astype(int), (until <= watched) * 1)
    header = "moves,seal,degrees,hours_a_day,serviced,kilowatts,weeks,failed"
    return [header, *(",".join(map(str, row)) for row in zip(*cells, strict=True))]


def backs(rng: np.random.Generator) -> list[str]:
    """6000 invented patients with back pain: half drawn to guided exercise, the others to the usual care (control).

    Of the control 30 % have recovered after half a year, fewer with longer pain and more of the young. The exercise
    helps 40 of 100 more among those who sit at work and have had pain for less than 12 weeks, 6 of 100 more among the
    others below 60, and from 60 on it sends 14 of 100 fewer home well. Age is missing for 2 %.
    """
    n = 6000
    age = np.clip(rng.normal(48, 14, n), 18, 85).round().astype(int)
    work = rng.choice(["sitting", "standing", "lifting"], n, p=[0.5, 0.25, 0.25])
    weeks, smoker = np.ceil(rng.gamma(1.6, 9.0, n)).astype(int), rng.choice(["no", "yes"], n, p=[0.7, 0.3])
    sports, treated = rng.integers(0, 8, n), rng.integers(0, 2, n)
    helps = np.where(age >= 60, -0.14, np.where((work == "sitting") & (weeks < 12), 0.40, 0.06))
    chance = 0.36 - 0.004 * np.minimum(weeks, 40) + 0.002 * (48 - age) + 0.01 * sports + helps * treated
    known, arm = _with_gaps(rng, age.astype(str), 0.02), np.where(treated == 1, "exercise", "control")
    cells = (known, work, weeks, smoker, sports, arm, (rng.random(n) < chance) * 1)
    header = "age,work,pain_weeks,smoker,hours_of_sports,treatment,recovered"
    return [header, *(",".join(map(str, row)) for row in zip(*cells, strict=True))]


TISSUES = {
    "Gleason 3": (0.8, 0.62, 3.0), "Gleason 4": (0.45, 0.7, 3.6), "Gleason 5": (0.08, 0.78, 4.2),
    "PIN": (0.75, 0.55, 3.2), "benign epithelium": (0.7, 0.42, 1.1), "benign stroma": (0.04, 0.14, 0.6),
    "atrophy": (0.5, 0.3, 0.9),
}  # fmt: skip
"""Invented: share of pieces with a gland that has an opening, mean share of nuclei, mean size of nucleoli."""


def tissue(rng: np.random.Generator) -> list[str]:
    """140 rows, 20 pieces of each of seven tissues of the prostate; every number is invented."""
    lines = ["gland,nuclei,nucleoli,tissue"]
    for name, (glands, nuclei, nucleoli) in TISSUES.items():
        open_gland = rng.random(20) < glands
        share, size = rng.normal(nuclei, 0.07, 20), rng.normal(nucleoli, 0.45, 20)
        rows = zip(open_gland, np.clip(share, 0.02, 0.98), np.clip(size, 0.1, None), strict=True)
        lines += [f"{'open' if o else 'none'},{a:.2f},{b:.1f},{name}" for o, a, b in rows]
    return lines


def _with_gaps(rng: np.random.Generator, cells: np.ndarray, share: float) -> np.ndarray:
    return np.where(rng.random(len(cells)) < share, "", cells)


def _traps() -> dict:
    """Those of make_traps.py, which stands beside this file."""
    return runpy.run_path(str(HERE / "make_traps.py"))["TRAPS"]


GENERATED = {
    "crescents.csv": (crescents, 11),
    "curve.csv": (curve, 12),
    "oblique.csv": (oblique, 13),
    "customers.csv": (customers, 14),
    "tissue.csv": (tissue, 15),
    "claims.csv": (claims, 16),
    "pumps.csv": (pumps, 17),
    "backs.csv": (backs, 18),
    **_traps(),
}


def generated(file: str) -> bytes:
    """The content of one generated sample."""
    make, seed = GENERATED[file]
    return ("\n".join(make(np.random.default_rng(seed))) + "\n").encode()


if __name__ == "__main__":
    for file in GENERATED:
        (HERE / file).write_bytes(generated(file))
