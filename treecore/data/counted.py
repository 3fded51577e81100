"""Counts in words."""


def counted(n: int, noun: str, nouns: str = "") -> str:
    """'1 line' or '2,001 lines'; nouns : the plural where it is not the noun with an s."""
    return f"{n:,} {noun if n == 1 else nouns or noun + 's'}"
