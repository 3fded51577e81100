"""Where the notes slip in words or symbols: what stands there, and what is right. Slips of figures are with them."""

from typing import NamedTuple


class Slip(NamedTuple):
    """place : "000: section". printed : what stands there. right : what holds."""

    place: str
    printed: str
    right: str


SLIPS = (
    Slip("000: reduced error post-pruning", "while all nodes of T are tested", "while not all nodes are tested"),
    Slip("000: entropy and Gini index", "the sum runs over i, its terms are p_qk", "the sum runs over k"),
    Slip("001: 4 When to stop splitting", "the same attribute value, H(Y) = 0", "the same target value"),
    Slip("001: Figure 6", "≈ .405 and ≈ .905", ".4056 and .9056: cut off, not rounded"),
    Slip("002: Node impurity", "1 − p̂", "1 − max p̂: the share of the commonest class"),
    Slip("002: Node impurity, Steps", "ln in the table, log₂ in the steps", "one logarithm throughout; bits are log₂"),
    Slip("002: Terms", "I(V_k) is explained", "the sum has I(V_j)"),
    Slip("003: Misclassification impurity", ".1 − .3 · .3", ".1 − .3 · ⅓ = 0"),
    Slip("003: Gini impurity", ".33 · .22", ".3 · .2222"),
    Slip("003: Gini (multi-class)", "Σ_{i≠j} = ½(1 − Σ P²)", "each pair once: Σ_{i<j}; over all i ≠ j it is 1 − Σ P²"),
    Slip("003: ID3", "until all nodes are pure, and there are no more variables", "pure or no variable left"),
    Slip("003: ID3", "levels equal to the number of inputs", "at most as many"),
    Slip("004: Information Gain: Humidity", ".7785", ".7885"),
    Slip("004: Information Gain: Humidity", ".940 − .151", ".940 − .7885"),
    Slip("004: ID3(Sv, Attributes − {a}, Label)", "Attributes − {a}", "Attributes − {A}: the attribute just asked"),
    Slip("004: Paired t-test", "accept the null hypothesis", "do not reject it"),
)
