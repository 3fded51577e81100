"""The tables of the trap museum: each breaks one method. make_samples.py writes them."""

import numpy as np


def _lines(head: str, *columns) -> list[str]:
    return [head, *(",".join(map(str, row)) for row in zip(*columns, strict=True))]


def _words(rng: np.random.Generator, n: int, *words: str) -> np.ndarray:
    return rng.choice(list(words), n)


def _flipped(rng: np.random.Generator, truth: np.ndarray, share: float) -> np.ndarray:
    return np.where(truth ^ (rng.random(len(truth)) < share), "yes", "no")


def identifier(rng: np.random.Generator) -> list[str]:
    """18 rows, 17 tickets; the weather answers 15 of the rows."""
    wet = np.arange(18) % 2 == 0
    late = wet ^ np.isin(np.arange(18), (3, 8, 13))
    ticket = [f"T{number}" for number in rng.permutation(17) + 10] + ["T10"]
    if late[ticket.index("T10")] != late[17]:
        late[17] = late[ticket.index("T10")]
    weather = np.where(wet, "wet", "dry")
    return _lines("ticket,weather,day,late", ticket, weather, _words(rng, 18, "Mon", "Tue"), _flipped(rng, late, 0))


def leak(rng: np.random.Generator) -> list[str]:
    """300 loans; the fee for reminders is only known once a loan has failed."""
    income, age = rng.integers(15, 90, 300), rng.integers(20, 70, 300)
    failed = _flipped(rng, income < 35, 0.2)
    fee = np.where(failed == "yes", rng.integers(20, 60, 300), 0)
    return _lines("income,age,reminder_fee,failed", income, age, fee, failed)


def duplicate(rng: np.random.Generator) -> list[str]:
    """200 people; their height stands there in two units."""
    height, age = rng.normal(172, 10, 200).round(0).astype(int), rng.integers(16, 60, 200)
    fits = _flipped(rng, height < 175, 0.1)
    return _lines("height_cm,height_in,age,fits", height, (height / 2.54).round(2), age, fits)


def noisy_class(rng: np.random.Generator) -> list[str]:
    """300 rows: x > 0.5, and one label in five is wrong."""
    x, y = rng.random(300).round(3), rng.random(300).round(3)
    return _lines("x,y,label", x, y, _flipped(rng, x > 0.5, 0.2))


def rare_class(rng: np.random.Generator) -> list[str]:
    """1000 payments, 2 % of them frauds."""
    amount, night = rng.lognormal(3.5, 0.8, 1000).round(1), rng.random(1000) < 0.2
    fraud = rng.random(1000) < np.where(night & (amount > 50), 0.16, 0.008)
    return _lines("amount,night,fraud", amount, np.where(night, "yes", "no"), np.where(fraud, "yes", "no"))


def many_levels(rng: np.random.Generator) -> list[str]:
    """120 rows: the shop has 40 levels and means nothing, the season two and means much."""
    shop = [f"s{number:02d}" for number in rng.integers(0, 40, 120)]
    summer = rng.random(120) < 0.5
    return _lines("shop,season,sold", shop, np.where(summer, "summer", "winter"), _flipped(rng, summer, 0.25))


def not_at_random(rng: np.random.Generator) -> list[str]:
    """300 rows: who fails to pay mostly does not tell his income either."""
    income, failed = rng.integers(15, 90, 300), rng.random(300) < 0.35
    told = rng.random(300) < np.where(failed, 0.25, 0.95)
    cells = np.where(told, income.astype(str), "")
    return _lines("income,age,failed", cells, rng.integers(20, 70, 300), np.where(failed, "yes", "no"))


def two_equal(rng: np.random.Generator) -> list[str]:
    """40 rows: left and right tell the same share of the label, by other rows."""
    y = np.arange(40) % 2 == 0
    left, right = y ^ np.isin(np.arange(40), (0, 1, 2, 3)), y ^ np.isin(np.arange(40), (4, 5, 6, 7))
    word = lambda bits: np.where(bits, "high", "low")  # noqa: E731
    return _lines("left,right,label", word(left), word(right), np.where(y, "yes", "no"))


def horizon(rng: np.random.Generator) -> list[str]:
    """80 rows of a checkerboard of two by two fields, and a column that gains a little by chance."""
    x, y = np.arange(80) % 8, np.arange(80) // 8 % 10
    label = (x >= 4) ^ (y >= 5)
    return _lines("x,y,label", x, y, np.where(label, "black", "white"))


def unstable_root(rng: np.random.Generator) -> list[str]:
    """31 rows: two columns of nearly the same gain; without the last row they tie and b, the first one, is asked."""
    y = np.arange(31) % 2 == 0
    a, b = y ^ np.isin(np.arange(31), (0, 2, 4, 5)), y ^ np.isin(np.arange(31), (8, 10, 12, 30))
    word = lambda bits: np.where(bits, "high", "low")  # noqa: E731
    b[13] = not b[13]
    a[30] = y[30]
    return _lines("b,a,label", word(b), word(a), np.where(y, "yes", "no"))


TRAPS = {
    f"trap_{make.__name__}.csv": (make, 21 + place)
    for place, make in enumerate(
        (identifier, leak, duplicate, noisy_class, rare_class, many_levels, not_at_random, two_equal, horizon,
         unstable_root)
    )
}  # fmt: skip
"""File -> (who makes it, seed)."""
