"""The tail of the chi-square distribution, in logarithms: the one place that has it, for kernels and for the rest."""

import math

import numpy as np

from treecore.engine.jit import jit, kernel


@kernel
def log_tail(statistic, df):
    """ln of the chi-square probability of more than `statistic` with df degrees of freedom; 0 if df is 0.

    From the incomplete gamma function: the series below its mean, Lentz's continued fraction above, in logarithms,
    so that probabilities far below the smallest double stay comparable. Source: Abramowitz and Stegun, 6.5.
    """
    if df <= 0 or statistic <= 0.0:
        return 0.0
    a, x = 0.5 * df, 0.5 * statistic
    front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1.0:
        term = 1.0 / a
        total, n = term, a
        while term > total * 1e-16:
            n += 1.0
            term *= x / n
            total += term
        return math.log1p(-min(total * math.exp(front), 1.0 - 1e-16))
    b, c = x + 1.0 - a, 1e300
    d = 1.0 / b
    h = d
    for i in range(1, 500):
        an = i * (a - i)
        b += 2.0
        d = 1.0 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return front + math.log(h)


@jit
def log_tails(statistic, df):
    """log_tail of each statistic, float64 (n,), with its degrees of freedom, int64 (n,)."""
    result = np.zeros(statistic.shape[0])
    for i in range(statistic.shape[0]):
        result[i] = log_tail(statistic[i], df[i])
    return result
