"""How many trees there are: why nobody tries them all."""


def n_functions(n_questions: int, n_classes: int = 2) -> int:
    """Different ways to answer every combination of so many yes-or-no questions: K to the power of 2^m.

    Source: Russell and Norvig, Artificial Intelligence, on the expressiveness of decision trees.
    """
    return n_classes ** (2**n_questions)


def n_trees(n_questions: int, depth: int, n_classes: int = 2) -> int:
    """Different trees of at most this depth whose paths ask no question twice: T(m, d) = K + m T(m - 1, d - 1)²."""
    if depth == 0 or n_questions == 0:
        return n_classes
    return n_classes + n_questions * n_trees(n_questions - 1, depth - 1, n_classes) ** 2
