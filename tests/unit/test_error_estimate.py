"""Estimated errors of leaves: Quinlan's example, recorded values of all three forms, and a scalar twin."""

import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from treecore.pruning.error_based import ESTIMATES, estimated_errors

FORMS = [name for name, _ in ESTIMATES]

LIMITS = [
    # U_25%(e, N) x 1000, as printed by Quinlan (1993), ch. 4, with what each form gives
    (6, 0, 206, 0.2062994740159002, 0.2062994740159002, 0.20629947401590026),
    (9, 0, 143, 0.1427560171469272, 0.1427560171469272, 0.14275601714692718),
    (1, 0, 750, 0.75, 0.75, 0.75),
    (16, 1, 157, 0.15473216448982896, 0.1566808723990975, 0.1596107137218113),
]

EXTRA = [
    # CF, N, e, errors to add by J48, by C4.5 release 8, by the exact limit (of whole rows): recorded from
    # Weka 3.6.14, from C4.5's formula in higher precision and from scipy
    (0.25, 14, 2, 1.6033442780967015, 1.6361544884797499, 1.6570701559753358),
    (0.25, 1000, 50, 5.378365843358935, 5.514415658810165, 5.46053766584604),
    (0.25, 9, 0.5, 1.3394580897711073, 1.353042183825361, None),
    (0.25, 20, 2.4, 1.719919178518023, 1.7566033694560628, None),
    (0.25, 57.5, 5.5, 2.246221903359154, 2.2978840569220544, None),
    (0.25, 9, 9, 0, 0, None),
    (0.1, 14, 5, 2.878602690489643, 2.875842457254903, 2.883507722161215),
    (0.1, 9, 0.9, 2.326776585665611, 2.3244952202889584, None),
    (0.1, 6, 5.5, 0.5, 0.335, None),
    (0.05, 3, 1, 1.5329278595383458, 1.5346234143090105, 1.5939489134852485),
    (0.05, 100, 9, 6.44400872212667, 6.466088186738563, 6.17954286135935),
    (0.5, 16, 9, 0.5, 0.9046850693916859, 0.46837597880157666),
]


def errors_of(n, e, cf=0.25, form="weka") -> float:
    return float(estimated_errors([n], [e], cf, form)[0])


@pytest.mark.parametrize(("n", "e", "printed", "weka", "c45", "binomial"), LIMITS)
def test_the_limits_of_quinlans_example(n, e, printed, weka, c45, binomial):
    for form, limit in zip(FORMS, (weka, c45, binomial), strict=True):
        assert errors_of(n, e, form=form) / n == pytest.approx(limit, rel=1e-13)
    assert round(1000 * errors_of(n, e, form="c45") / n) == printed


def test_quinlans_subtree_loses_against_its_leaf():
    """Three leaves of 6, 9 and 1 rows without errors, or one leaf of 16 rows with 1: 3.273 against 2.512."""
    branches = estimated_errors([6, 9, 1], [0, 0, 0])
    assert branches.sum() == pytest.approx(3.272600998417746, rel=1e-13)
    assert errors_of(16, 1, form="c45") == pytest.approx(2.50689395838556, rel=1e-13)
    assert errors_of(16, 1) == pytest.approx(2.4757146318372634, rel=1e-13)


@pytest.mark.parametrize(("cf", "n", "e", "weka", "c45", "binomial"), EXTRA)
def test_recorded_values(cf, n, e, weka, c45, binomial):
    for form, extra in zip(FORMS, (weka, c45, binomial), strict=True):
        if extra is not None:
            close = 1e-7 if form == "binomial" and cf == 0.05 else 1e-11  # recorded for CF as a 32-bit number
            assert errors_of(n, e, cf, form) - e == pytest.approx(extra, rel=close, abs=1e-12)


def test_j48_holds_cf_as_a_32_bit_number():
    assert float(np.float32(0.1)) == 0.10000000149011612
    assert errors_of(10, 0, 0.1) == pytest.approx(10 * (1 - 0.10000000149011612**0.1), rel=1e-14)
    assert errors_of(10, 0, 0.1, "c45") == pytest.approx(10 * (1 - 0.1**0.1), rel=1e-14)
    # 1 - CF in 32 bits is 0.8999999761581421, whose normal quantile is 1.281551429692279
    z, f = 1.281551429692279, 3.5 / 14
    limit = (f + z * z / 28 + z * math.sqrt(f / 14 - f * f / 14 + z * z / 784)) / (1 + z * z / 14)
    assert errors_of(14, 3, 0.1) == pytest.approx(14 * limit, rel=1e-14)


def test_c45_interpolates_its_table():
    # 0.84 deviations at 20 %, 0.25 at 40 %: 0.6925 at 25 %
    f, z2 = 1.5 / 16, 0.6925**2
    limit = (f + z2 / 32 + math.sqrt(z2 * (f / 16 - f * f / 16 + z2 / 1024))) / (1 + z2 / 16)
    assert errors_of(16, 1, form="c45") == pytest.approx(16 * limit, rel=1e-14)


def naive(n: float, e: float, cf: float, form: str) -> float:
    """Errors to add, as the programs write it."""
    few, share = (1.0, 1.0) if form == "weka" else (0.9999, 0.67)
    if e < few:
        none = n * (1 - cf ** (1 / n))
        return none + e * (naive(n, 1.0, cf, form) - none)
    if e + 0.5 >= n:
        return max(share * (n - e), 0.0)
    z = NormalDist().inv_cdf(1 - cf) if form == "weka" else float(np.interp(cf, [0.2, 0.4, 1], [0.84, 0.25, 0]))
    f = (e + 0.5) / n
    limit = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return limit * n - e


@given(st.lists(st.tuples(st.floats(0.01, 500), st.floats(0, 1)), min_size=1, max_size=8),
       st.sampled_from([0.25, 0.5, 0.3125]), st.sampled_from(["weka", "c45"]))  # fmt: skip
def test_the_formulas_are_those_of_the_programs(leaves, cf, form):
    n = np.array([n for n, _ in leaves])
    e = n * [share for _, share in leaves]
    expected = [b + naive(a, b, cf, form) for a, b in zip(n, e, strict=True)]
    np.testing.assert_allclose(estimated_errors(n, e, cf, form), expected, rtol=1e-9, atol=1e-12)


@given(st.integers(1, 300), st.floats(0, 1), st.floats(1e-4, 0.5))
def test_the_exact_limit_solves_its_equation(n, share, cf):
    e = int(share * (n - 1))
    limit = errors_of(n, e, cf, "binomial") / n
    assert binom.cdf(e, n, limit) == pytest.approx(cf, rel=1e-6)


@given(st.floats(0.01, 1000), st.floats(0, 1), st.floats(1e-3, 0.49), st.sampled_from(FORMS))
def test_less_confidence_never_promises_more(n, share, cf, form):
    e = n * share
    sure, less_sure = errors_of(n, e, cf, form), errors_of(n, e, cf + 0.01, form)
    assert e - 1e-9 <= less_sure <= sure + 1e-9


@pytest.mark.parametrize("form", FORMS)
def test_a_leaf_without_rows_makes_no_errors(form):
    assert estimated_errors([0, 1e-9, 2], [0, 1e-9, 0], 0.25, form).tolist()[:2] == [0, 0]
    assert estimated_errors([], [], 0.25, form).tolist() == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("cf", [1e-3, 1e-9, 1e-40, 5e-324])
def test_a_tiny_cf_expects_the_worst_but_stays_a_number(form, cf):
    found = estimated_errors([10, 10, 10], [0, 4, 10], cf, form)
    assert np.isfinite(found).all()
    assert (found <= 10 + 1e-9).all()
    assert found[0] > 4.9
