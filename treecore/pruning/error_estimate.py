"""How many errors a leaf will make on rows to come, judged by its errors on the training rows: three published forms.

Each form takes the N training rows of a leaf and e errors among them for a sample, and answers with an upper limit
of the errors among N rows that holds with confidence 1 - CF. N and e may be sums of fractions of rows.
"""

import math
from statistics import NormalDist

import numpy as np

ESTIMATES = (
    ("weka", "Normal approximation (J48)"),
    ("c45", "Normal approximation, z from C4.5's table (release 8)"),
    ("binomial", "Exact binomial limit"),
)
"""(name, label) of each form, for a menu."""

CONFIDENCE = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)
"""C4.5's table of the normal distribution: upper tail, standard deviations."""


def estimated_errors(weight: np.ndarray, errors: np.ndarray, cf: float = 0.25, form: str = "weka") -> np.ndarray:
    """float64 (n,): estimated errors of leaves, never less than those made; 0 for a leaf without rows.

    weight, errors : float64 (n,), training weight of each leaf and its part in error. cf : in (0, 0.5].
    form : "weka" is J48's addErrs, with CF as a 32-bit number; "c45" is AddErrs of C4.5 release 8; "binomial" the
    p with P(X <= e; N, p) = CF, times N.
    Sources: Quinlan (1993), ch. 4; behaviour of C4.5 release 8 and of Weka 3.6 (J48).
    """
    weight, errors = np.asarray(weight, float), np.asarray(errors, float)
    some = weight > SMALL
    n, e = np.where(some, weight, 1.0), np.where(some, np.maximum(errors, 0.0), 0.0)
    return np.where(some, _FORMS[form](n, e, cf), 0.0)


SMALL = 1e-6
"""A weight up to this is none: sums of fractions of rows leave rests."""


def _weka(n: np.ndarray, e: np.ndarray, cf: float) -> np.ndarray:
    single = max(np.float32(cf), np.finfo(np.float32).tiny)
    # 1 - CF must not round to 1, where z is infinite
    z = NormalDist().inv_cdf(float(min(np.float32(1) - single, np.nextafter(np.float32(1), np.float32(0)))))
    return e + _extra(n, e, float(single), z * z, few=1.0, top=1.0)


def _c45(n: np.ndarray, e: np.ndarray, cf: float) -> np.ndarray:
    z = float(np.interp(cf, CONFIDENCE, DEVIATIONS))
    return e + _extra(n, e, cf, z * z, few=0.9999, top=0.67)


def _extra(n: np.ndarray, e: np.ndarray, cf: float, z2: float, few: float, top: float) -> np.ndarray:
    """Errors to add. z2 : squared deviations of CF. few : fewer errors are interpolated between none and one.

    top : the share of the right answers that is added where (nearly) all are wrong.
    """
    none = n * -np.expm1(math.log(cf) / n)
    one, these = _approximation(n, np.stack([np.ones_like(n), e]), z2, top)
    return np.where(e < few, none + e * (one - none), these)


def _approximation(n: np.ndarray, e: np.ndarray, z2: float, top: float) -> np.ndarray:
    """Errors to add to one or more, by the upper limit of a normal distribution with continuity correction.

    n : float64 (m,). e : float64 (..., m).
    """
    most = e + 0.5 >= n
    f = np.where(most, 0.5, (e + 0.5) / n)
    spread = np.sqrt(z2 * (f / n - f * f / n + z2 / (4 * n * n)))
    limit = (f + z2 / (2 * n) + spread) / (1 + z2 / n)
    return np.where(most, np.maximum(top * (n - e), 0.0), limit * n - e)


def _binomial(n: np.ndarray, e: np.ndarray, cf: float) -> np.ndarray:
    from scipy.special import betaincinv

    below = n - e > SMALL
    return np.where(below, n * betaincinv(e + 1.0, np.where(below, n - e, 1.0), 1.0 - cf), np.maximum(n, e))


_FORMS = {"weka": _weka, "c45": _c45, "binomial": _binomial}
