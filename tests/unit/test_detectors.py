"""Detectors of traps: what they find in tables made for them, and in every sample."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import treecore as tc
from treecore.data import level_column, numeric_column
from treecore.data.samples import SAMPLES, read_sample
from treecore.detectors import findings, redundancy
from treecore.detectors.leaks import linear_fit
from treecore.detectors.many_levels import chance_winners
from treecore.detectors.missing_values import speaking_blanks
from treecore.detectors.redundancy import equal_but_for_target, repeated_rows
from treecore.detectors.spellings import is_mistyped, plain_spelling

HITS = {
    "trap_identifier": {("identifier", "ticket")},
    "trap_leak": {("leak", "reminder_fee")},
    "trap_duplicate": {("duplicate", "height_in")},
    "trap_many_levels": {("chance_winner", "shop")},
    "trap_not_at_random": {("speaking_blanks", "income")},
}
TRUE_OF_THE_TABLE = {
    "titanic": {("speaking_blanks", "age")},
    "customers": {("shuffled_dates", "joined")},
    "a_b": {("leak", "A")},
    "a_b_3": {("leak", "A")},
}
"""One attribute does answer everything in two of them: the example is about that. Of passengers of the Titanic who
died the age is missing more often."""


@pytest.mark.parametrize("name", SAMPLES)
def test_hits_and_false_alarms_of_all_samples(name):
    """Of 36 tables: all hits, what is true of four others, no false alarm."""
    found = {(f.detector, f.column) for f in findings(read_sample(name))}
    assert found == HITS.get(name, set()) | TRUE_OF_THE_TABLE.get(name, set())


def table_of(n: int = 200, **columns) -> tc.Table:
    """A table of n rows; the target y is a coin where it is not given."""
    rng = np.random.default_rng(1)
    columns = {"y": rng.choice(["no", "yes"], n), "other": rng.normal(size=n), **columns}
    made = [
        numeric_column(name, np.asarray(v, float)) if np.asarray(v).dtype.kind in "fi"
        else level_column(name, "nominal", np.asarray(v, object), sorted(set(v)))
        for name, v in columns.items()
    ]  # fmt: skip
    return tc.Table(tuple(made), target="y", features=tuple(name for name in columns if name != "y"))


def told(table: tc.Table) -> set:
    return {(f.detector, f.column) for f in findings(table)}


def test_each_detector_finds_its_trap_and_tells_the_number():
    n = 200
    four = np.arange(n) % 4
    table = table_of(
        ticket=[f"t{i}" for i in range(n)],
        same=["x"] * n,
        nearly=["x"] * (n - 1) + ["z"],
        four=four,
        names=np.array(["a", "b", "c", "d"])[four],
        half=np.array(["low", "high"])[four // 2],
    )
    assert told(table) == {
        ("identifier", "ticket"), ("constant", "same"), ("near_constant", "nearly"), ("duplicate", "names"),
        ("function", "half"),
    }  # fmt: skip
    numbers = {f.column: f.number for f in findings(table)}
    assert numbers["ticket"] == 1
    assert numbers["nearly"] == pytest.approx(0.995)


def test_a_leak_is_judged_on_rows_that_were_not_shown():
    """A column of words that tells rows apart answers the rows shown to it; only what holds for others leaks."""
    rng = np.random.default_rng(2)
    y = rng.choice(["no", "yes"], 200)
    code = (y == "yes") * 10.0 + rng.normal(size=200)
    assert told(table_of(y=y, code=code)) == {("leak", "code")}
    assert told(table_of(y=y, pair=[f"p{i // 2}" for i in range(200)])) == {("chance_winner", "pair")}
    numbers = rng.normal(size=200)
    regression = table_of(y=numbers, twice=2 * numbers)
    assert ("leak", "twice") not in told(table_of(y=numbers, noise=rng.normal(size=200)))
    assert {d for d, c in told(regression) if c == "twice"} <= {"leak"}


def test_a_leak_is_judged_by_rows_whatever_they_weigh():
    """Answers are counted in rows, and the tree that gives them is grown so: weights that hide a class hide no leak."""
    y = np.where(np.arange(200) % 2, "no", "yes")
    table = table_of(y=y, fee=(y == "yes") * 2.0)
    weighted = replace(table, weights=(y == "yes") * 1.0)
    assert ("leak", "fee") in told(table)
    assert told(weighted) == told(table)


def test_the_target_in_a_name():
    table = table_of(outcome_flag=["a", "b"] * 100)
    renamed = tc.Table(
        (*table.columns, level_column("outcome", "nominal", np.array(["u", "v", "v", "u"] * 50, object), ("u", "v"))),
        target="outcome", features=table.features,
    )  # fmt: skip
    assert ("target_in_name", "outcome_flag") in told(renamed)


@pytest.mark.parametrize(
    ("order", "back", "said"),
    [(1, 0.0, "are in date order"), (-1, 1.0, "are in date order"), (0, 0.5, "not in date order")],
)
def test_dates_in_whatever_order(order, back, said):
    days = np.datetime64("2026-01-01") + np.arange(200)
    days = days[::order] if order else np.random.default_rng(5).permutation(days)
    [found] = [f for f in findings(table_of(sold=days.astype(str))) if f.detector == "shuffled_dates"]
    assert found.number == pytest.approx(back, abs=0.1)
    assert said in found.text
    assert found.remedy == "by date"


def test_every_finding_has_a_remedy():
    four = np.arange(200) % 4
    table = table_of(four=four, half=np.array(["low", "high"])[four // 2], nearly=["x"] * 199 + ["z"])
    assert [f.remedy for f in findings(table)] == ["leave out"] * 2


@pytest.mark.parametrize(("task", "how"), [("xor", "cell"), ("and", "small tree"), ("sum", "sum"), ("total", "sum")])
def test_a_leak_of_two_columns_of_which_none_tells_alone(task, how):
    rng = np.random.default_rng(3)
    a, b, p, q = rng.integers(0, 2, (2, 400)).tolist() + rng.normal(size=(2, 400)).tolist()
    a, b, p, q = np.array(a), np.array(b), np.array(p), np.array(q)
    answers = {"xor": a != b, "and": (p > 0) & (q > 0), "sum": p + q > 0}
    y = p + q if task == "total" else np.array(["no", "yes"])[answers[task].astype(int)]
    noise = {f"noise_{i}": rng.normal(size=400) for i in range(12)}
    flags = {"a": np.array(["u", "v"])[a], "b": np.array(["u", "v"])[b]}
    [found] = [f for f in findings(table_of(400, y=y, p=p, q=q, **flags, **noise)) if f.detector.endswith("leak")]
    assert found.columns == (("a", "b") if task == "xor" else ("p", "q"))
    assert how in found.text


def test_features_that_only_help_are_no_leak_of_several():
    """Nine rows of ten are answered by two columns together: good features, no leak."""
    rng = np.random.default_rng(4)
    p, q, r = rng.normal(size=(3, 400))
    y = np.array(["no", "yes"])[(((p > 0) & (q > 0)) ^ (rng.random(400) < 0.1)).astype(int)]
    assert told(table_of(400, y=y, p=p, q=q, r=r)) == set()


@pytest.mark.parametrize(("n", "d"), [(30, 80), (80, 30), (40, 40)])
def test_the_smallest_weights_of_a_linear_fit(n, d):
    """Also where columns are the same, or say nothing."""
    rng = np.random.default_rng(n)
    x = rng.normal(size=(n, d))
    x[:, 3], x[:, 5], x[:, 7] = x[:, 2], 0.0, x[:, 8] - 2 * x[:, 9]
    y = x[:, :2] @ rng.normal(size=(2, 3)) + rng.normal(size=(n, 3))
    assert np.allclose(linear_fit(x, y), np.linalg.lstsq(x, y, rcond=None)[0], rtol=1e-6, atol=1e-8)


def test_a_feature_alone_is_asked_without_the_other_columns(monkeypatch):
    leaks, widths = sys.modules["treecore.detectors.leaks"], []
    monkeypatch.setattr(
        leaks, "grow", lambda table, *a, **k: widths.append(len(table.columns)) or tc.grow(table, *a, **k)
    )
    findings(table_of(**{f"x{j}": np.random.default_rng(j).normal(size=200) for j in range(9)}))
    assert set(widths[:9]) == {2}


def test_what_several_detectors_ask_for_is_searched_once(monkeypatch):
    asked, pairs_asked = [], []
    leaks = sys.modules["treecore.detectors.leaks"]  # the package has a function of this name
    answered, relation = leaks.answered, redundancy._relation
    monkeypatch.setattr(leaks, "answered", lambda *given: asked.append(given[2]) or answered(*given))
    monkeypatch.setattr(redundancy, "_relation", lambda *given: pairs_asked.append(given[:2]) or relation(*given))
    rng = np.random.default_rng(1)
    findings(table_of(**{name: rng.normal(size=200) for name in "abc"}))
    assert [names for names in asked if len(names) == 1 and names != ("sum",)] == [("other",), ("a",), ("b",), ("c",)]
    assert len(pairs_asked) == 6


def naive_relation(a, b, rows):
    """From sets of pairs of values."""
    pairs_ = [(x, y) for x, y in zip(a.values()[rows], b.values()[rows], strict=True) if x == x and y == y]
    if len(pairs_) < redundancy.LEAST_COMMON_ROWS:
        return None, None, False
    x, y, both = {p[0] for p in pairs_}, {p[1] for p in pairs_}, set(pairs_)
    dense = lambda values: len(values) * redundancy.ROWS_PER_VALUE <= len(pairs_)  # noqa: E731
    if len(x) == len(y) == len(both) and len(x) > 1:
        in_order = [p[1] for p in sorted(both)]
        scaled = in_order in (sorted(y), sorted(y, reverse=True))
        return (a, b, True) if scaled or dense(x) else (None, None, False)
    if len(both) == len(x) and 1 < len(y) < len(x) and dense(x):
        return a, b, False
    if len(both) == len(y) and 1 < len(x) < len(y) and dense(y):
        return b, a, False
    return None, None, False


@pytest.mark.parametrize("seed", range(60))
def test_which_of_two_columns_follows_from_the_other(seed):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, rng.integers(2, 60), 90).astype(float)
    b = rng.permutation(60)[(a // rng.integers(1, 4)).astype(int)] * 1.0 if seed % 2 else -a * 2
    a[rng.random(90) < 0.1 * (seed % 3)] = np.nan
    b[:: 1 + seed] += (seed % 5 == 0) * 0.5
    a, b = numeric_column("a", a), numeric_column("b", b)
    assert redundancy._relation(a, b, np.arange(90)) == naive_relation(a, b, np.arange(90))
    assert redundancy._relation(b, a, np.arange(90)) == naive_relation(b, a, np.arange(90))


def with_gaps(values: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    return np.where(gaps, np.nan, values)


def test_blanks_that_speak_are_told_with_both_rates():
    """60 of 100 rows without a value are of the rarer class, 20 of 300 with one: counted by hand."""
    gaps = np.arange(400) < 100
    y = np.where(np.arange(400) < 60, "yes", np.where(np.arange(400) < 380, "no", "yes"))
    rng = np.random.default_rng(6)
    other = with_gaps(rng.normal(size=400), rng.random(400) < 0.3)
    table = table_of(400, y=y, age=with_gaps(rng.normal(size=400), gaps), other=other)
    [found] = [f for f in findings(table) if f.detector == "speaking_blanks"]
    assert (found.column, found.number) == ("age", pytest.approx(0.6 - 20 / 300))
    assert "y is 'yes' in 60.0" in found.text
    assert "100 rows without a value, 6.7" in found.text
    assert "corrected for 2 features" in found.text
    assert found.growth == (("missing", "own_value"),)


def test_blanks_in_the_same_rows_are_one_finding():
    gaps = np.arange(200) % 4 == 0
    y = np.where(gaps, "yes", np.where(np.arange(200) % 5 == 0, "yes", "no"))
    rng = np.random.default_rng(7)
    table = table_of(200, y=y, **{name: with_gaps(rng.normal(size=200), gaps) for name in "abc"})
    [found] = [f for f in findings(table) if f.detector == "speaking_blanks"]
    assert found.columns == ("a", "b", "c")


def test_blanks_that_speak_of_a_number():
    """By the mean; one enormous number among the blanks is no evidence, as ranks are compared."""
    rng = np.random.default_rng(8)
    gaps, y = np.arange(300) < 60, rng.normal(size=300)
    table = table_of(300, y=y + 2 * gaps, x=with_gaps(rng.normal(size=300), gaps))
    [found] = findings(table)
    assert found.number == pytest.approx(float((y + 2 * gaps)[:60].mean() - y[60:].mean()))
    y[0] = 1e9
    assert findings(table_of(300, y=y, x=with_gaps(rng.normal(size=300), gaps))) == []


@pytest.mark.parametrize("n_classes", [2, 5, 0])
def test_blanks_by_chance_say_nothing(n_classes):
    """Of 60 tables with 12 features of gaps each about one in a hundred may be named: none or one here."""
    named = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        y = rng.choice([f"c{k}" for k in range(n_classes)], 300) if n_classes else rng.standard_cauchy(300)
        gaps = rng.random((12, 300)) < rng.uniform(0.05, 0.5, (12, 1))
        columns = {f"x{j}": with_gaps(rng.normal(size=300), row) for j, row in enumerate(gaps)}
        named += bool(speaking_blanks(table_of(300, y=y, **columns)))
    assert named <= 2


def coded(code: float, n: int = 400, times: int = 20, low: float = 18.0) -> np.ndarray:
    rng = np.random.default_rng(9)
    ages = np.clip(rng.normal(45, 9, n), low, 80).round(1)
    ages[rng.choice(n, times, replace=False)] = code
    return ages


@pytest.mark.parametrize("code", [9999, 999, -1, 0, -99, 99999, -2147483648, 888, 999.9])
def test_codes_for_missing_among_numbers(code):
    table = table_of(400, age=coded(code))
    [found] = findings(table)
    assert (found.detector, found.column) == ("missing_codes", "age")
    [(option, ((column, words),))] = found.reading
    assert (option, column, [float(word) for word in words]) == ("missing_in", "age", [code])
    assert "in 20 rows (5.0" in found.text
    assert found.number > 1


def test_several_codes_at_both_ends_and_in_the_target():
    ages = coded(999)
    ages[:4], ages[4:9] = 998, -9
    table = table_of(400, y=ages, x=np.random.default_rng(2).normal(size=400))
    [found] = [f for f in findings(table) if f.detector == "missing_codes"]
    assert found.column == "y"
    assert set(found.reading[0][1][0][1]) == {"998", "999", "-9"}


@pytest.mark.parametrize(
    "values",
    [
        np.arange(400) % 100,  # 99 is the next one after 98
        coded(150),  # far off, and no code
        coded(9999, times=2),  # so few may be values
        np.where(np.arange(400) % 3 > 0, 0, np.arange(400) % 97 + 500),  # 0 is the usual value
        np.minimum(np.random.default_rng(3).lognormal(8, 1, 400).round(), 9999),  # a scale that ends
        np.random.default_rng(4).normal(size=400).round() * 1.0 - 1,  # -1 among others
    ],
)
def test_what_is_no_code_for_missing(values):
    assert not {d for d, _ in told(table_of(400, x=values)) if d == "missing_codes"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("basic", "BASIC"), ("café", "Cafe"), ("New York", "new_york"), ("NewYork", "New-York"), ("Straße", "STRASSE"),
     ("type 1", "Type1"), ("naïve  way", "Naive way")],
)  # fmt: skip
def test_spellings_that_look_alike(one, other):
    assert plain_spelling(one) == plain_spelling(other)


@pytest.mark.parametrize(
    ("one", "other"), [("1 2", "12"), ("-1", "1"), ("A-1", "A1"), ("a", "b"), ("C", "C++"), ("<5", ">5"), ("1-2", "12")]
)
def test_spellings_that_do_not(one, other):
    assert plain_spelling(one) != plain_spelling(other)


@pytest.mark.parametrize(
    ("wrong", "right", "mistyped"),
    [
        ("standrad", "standard", True), ("stndard", "standard", True), ("standdard", "standard", True),
        ("premiam plan", "premium plan", True), ("standerd", "standard", True),
        ("class1", "class2", False), ("A1", "A2", False), ("male", "female", False), ("2023", "2024", False),
        ("north", "south", False), ("maria", "mario", False), ("boats", "boat", False), ("ireland", "iceland", False),
        ("gambia", "zambia", False), ("stage i", "stage ii", False), ("class a", "class e", False),
        ("married", "married", False), ("high", "higher", False), ("area 11", "area 1", False), ("left", "lift", False),
    ],
)  # fmt: skip
def test_one_letter_that_was_mistyped(wrong, right, mistyped):
    assert is_mistyped(wrong, right) == mistyped == is_mistyped(right, wrong)


def plans(**rows: int) -> np.ndarray:
    return np.repeat([name.replace("_", " ") for name in rows], list(rows.values()))


def test_spellings_of_one_level_are_counted_and_merged_into_the_commonest():
    plan = plans(basic=90, Basic=12, BASIC=3, standard=60, standrad=2, premium=33)
    table = table_of(
        200, plan=plan, y=np.where(np.arange(200) % 3 > 0, "No", np.where(np.arange(200) % 2, "yes", "Yes"))
    )
    [plan_found, y_found] = [f for f in findings(table) if f.detector == "spellings"]
    assert plan_found.number == 17
    assert "'basic' (90), 'Basic' (12), 'BASIC' (3); 'standard' (60), 'standrad' (2)" in plan_found.text
    pairs = (("Basic", "basic"), ("BASIC", "basic"), ("standrad", "standard"))
    assert plan_found.reading == (("same_levels", (("plan", pairs),)),)
    assert (y_found.column, y_found.number) == ("y", 33)


@pytest.mark.parametrize(
    "words",
    [
        plans(A1=50, A2=50, a1=50, B2=50),  # codes in which case may tell something
        plans(CO=60, Co=60, Ni=40, NI=40),
        plans(standard=100, standrad=10, other=90),  # too many for a mistake
        plans(male=100, female=100),
        np.array([f"Name {chr(97 + i % 26)}{'aA'[i % 2]}{i}" for i in range(200)]),  # a name in each row
    ],
)
def test_levels_that_are_no_spellings_of_one(words):
    assert not {d for d, _ in told(table_of(200, plan=words)) if d == "spellings"}


def test_rare_codes_in_other_letters_are_spellings():
    assert ("spellings", "sex") in told(table_of(200, sex=plans(M=100, F=85, m=8, f=7)))


def customers(n: int, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        "balance": rng.normal(500, 90, n).round(1), "visits": rng.integers(1, 9, n), "plan": rng.choice(list("abc"), n),
        "y": rng.choice(["no", "yes"], n),
    }  # fmt: skip


def taken(columns: dict, rows) -> dict:
    return {name: values[rows] for name, values in columns.items()}


def test_repeated_rows_are_counted_and_kept_once():
    rows = taken(customers(400), np.r_[np.arange(400), 5:25])
    [found] = [f for f in findings(table_of(420, **rows, other=np.r_[:400, 5:25])) if f.detector == "repeated_rows"]
    assert found.number == 20
    assert found.text.startswith("20 of 420 rows are equal to an earlier one in every column")
    assert found.reading == (("distinct_rows", True),)


def test_a_file_that_was_pasted_three_times():
    rows = taken(customers(100), np.tile(np.arange(100), 3))
    assert {f.number for f in repeated_rows(table_of(300, **rows, other=np.zeros(300)))} == {200}


def few_levels(rng, n):
    return {f"c{j}": rng.choice(list("abc"), n) for j in range(4)}


def mostly_ones(rng, n):
    """As in a table of cells of which most are healthy: nearly all columns are 1 there."""
    healthy = rng.random(n) < 0.65
    return {f"x{j}": np.where(healthy, 1 + (rng.random(n) < 0.2), rng.integers(1, 11, n)) for j in range(9)}


def sold(rng, n):
    """Of a product all is known but the size that was bought."""
    what = rng.integers(0, n // 4, n)
    return {"price": what * 7919 % 997, "weight": what * 31 % 101, "size": rng.choice(list("SML"), n)}


def rounded(rng, n):
    x = rng.normal(size=n)
    return {"x": x.round(1), "half": (x / 2 + rng.normal(size=n) / 9).round(1)}


@pytest.mark.parametrize("make", [few_levels, mostly_ones, sold, rounded])
@pytest.mark.parametrize("n", [100, 1000])
def test_rows_that_are_equal_by_chance_are_no_finding(make, n):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        table = table_of(n, **make(rng, n), other=np.zeros(n), y=rng.choice(["no", "yes"], n))
        assert repeated_rows(table) == equal_but_for_target(table) == []


def test_how_much_can_be_answered_of_rows_that_are_equal_but_for_the_answer():
    """20 of 420 rows have a twin with the other answer: of each pair one is right, 400 of 420 in all."""
    rows = taken(customers(400), np.r_[np.arange(400), 5:25])
    rows["y"][400:] = np.where(rows["y"][400:] == "no", "yes", "no")
    table = table_of(420, **rows, other=np.zeros(420))
    [found] = equal_but_for_target(table)
    assert (found.column, found.number, found.remedy) == ("y", pytest.approx(400 / 420), "")
    assert found.text.startswith("40 rows equal another row in all features, but have a different target")
    assert repeated_rows(table) == []


def test_what_a_number_can_be_explained_by():
    rows = taken(customers(400), np.r_[np.arange(400), 5:25]) | {"y": np.random.default_rng(1).normal(size=420)}
    [found] = equal_but_for_target(table_of(420, **rows, other=np.zeros(420)))
    y = rows["y"] - rows["y"].mean()
    apart = sum((y[400 + i] - y[5 + i]) ** 2 / 2 for i in range(20))
    assert found.number == pytest.approx(1 - apart / (y @ y))


def test_a_column_left_out_that_tells_equal_rows_apart_is_offered():
    rows = taken(customers(400), np.r_[np.arange(400), 5:25])
    rows["y"][400:] = np.where(rows["y"][400:] == "no", "yes", "no")
    rows["branch"] = np.where(rows["y"] == "no", "north", "south")
    rows["ticket"] = np.array([f"t{i}" for i in range(420)])  # it tells every row apart
    table = table_of(420, **rows, other=np.zeros(420))
    [found] = equal_but_for_target(table.with_features(["balance", "visits", "plan"]))
    assert (found.use, found.remedy) == (("branch",), "ask for branch too")


def shops(n_levels: int, n: int = 600, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, n_levels, n)


def of_shops(shop: np.ndarray, score: np.ndarray, is_class: bool) -> tc.Table:
    y = np.where(score > 0, "yes", "no") if is_class else score
    return table_of(len(shop), shop=[f"s{i}" for i in shop], y=y)


@pytest.mark.parametrize("is_class", [True, False])
def test_many_levels_that_win_by_chance(is_class):
    """The gain of all levels is that of shuffled answers, (levels - 1) / (2 n ln 2) bit for two equal classes, and that
    share of the variance, (levels - 1) / (n - 1), for numbers: the expectation under chance."""
    shop, score = shops(60), np.random.default_rng(2).normal(size=600)
    [found] = chance_winners(of_shops(shop, score, is_class))
    assert (found.column, found.remedy) == ("shop", "leave out")
    assert found.number == pytest.approx(1, abs=0.4)
    assert f"on average and {'0.1' if is_class else '1'}" in found.text
    expected = 59 / (2 * 600 * np.log(2)) if is_class else 59 / 599
    told = float(found.text.split("they gain ")[1].split()[0].replace("\u00a0%", "")) / (1 if is_class else 100)
    assert told == pytest.approx(expected, rel=0.15)


@pytest.mark.parametrize("is_class", [True, False])
def test_levels_that_tell_something_and_few_levels_are_no_chance(is_class):
    rng = np.random.default_rng(3)
    shop, noise = shops(20), rng.normal(size=600)
    assert chance_winners(of_shops(shop, 2 * rng.normal(size=20)[shop] + noise, is_class)) == []
    assert chance_winners(of_shops(shops(4), noise, is_class)) == []


def test_of_levels_of_which_one_tells_something_it_is_split_off():
    """A level of some twenty rows that all say yes, lost among 200 others that say nothing."""
    shop, score = shops(200), np.random.default_rng(6).normal(size=600)
    shop[:20] = 7
    score[shop == 7] = 1
    [found] = chance_winners(of_shops(shop, score, True))
    assert (found.remedy, found.growth) == ("split one level against the rest", (("nominal", "one_level"),))
