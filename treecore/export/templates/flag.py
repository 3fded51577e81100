def flag(row):
    """1 where the row's rate is at least THRESHOLD, 0 where it is less, None without an answer."""
    result = rate(row)
    return None if result is None else int(result >= THRESHOLD)


def segment(row):
    """The number of the leaf where the row ends, 1 the riskiest; of several leaves the one that has most of the row.
    None where the row stops at a node that is no leaf."""
    return NODES[min(walk(row), key=lambda end: (-end[1], end[0]))[0]]["segment"]


def rate(row):
    """What THRESHOLD is compared with, as training rows have it at the end of the row's way; None without an answer."""
    ends = list(walk(row))
    if len(ends) == 1:
        return NODES[ends[0][0]]["rate"]
    if any(NODES[at]["rate"] is None for at, _ in ends):
        return None
    return sum(share * NODES[at]["rate"] for at, share in ends)
