"""A diagram laid out by Graphviz inside this process: DOT text in, SVG, PNG or PDF bytes out."""

import threading

from treecore.errors import TreecoreError

FORMATS = ("svg", "png", "pdf")
MAX_NODES = 3000
PAD = 0.1
"""Inches around a drawing."""
# Graphviz keeps global state: two layouts at once crash the process.
_LOCK = threading.Lock()


def layout_svg(dot: str, fmt: str = "svg") -> bytes:
    """The drawing of a DOT source.

    fmt : 'svg', 'png' or 'pdf'. Not cached; one call at a time, others wait.
    Raises TreecoreError when Graphviz is not installed, the tree is too large or the format unknown.
    """
    if fmt not in FORMATS:
        choice = f"Choose one of {', '.join(FORMATS)}"
        raise TreecoreError(f"'{fmt}' is not a format of the diagram", remedy=choice)
    return drawn(dot, fmt)


def drawn(dot: str, fmt: str) -> bytes:
    """What Graphviz makes of a DOT source in any of its formats, 'plain' (positions alone) among them."""
    agraph = _agraph_class()
    with _LOCK:
        try:
            graph = agraph(string=dot)
        except Exception as fault:
            raise TreecoreError(f"Graphviz cannot read this diagram ({fault})", where="DOT source") from fault
        try:
            _refuse_giants(graph.number_of_nodes())
            return graph.draw(format=fmt, prog="dot")
        except (ValueError, OSError) as fault:
            if isinstance(fault, TreecoreError):
                raise
            raise TreecoreError(f"Graphviz could not draw the {fmt} ({fault})", where="diagram") from fault
        finally:
            graph.close()


def picture_size(dot: str) -> tuple[float, float]:
    """Width and height of the drawing of a DOT source, in inches, the margin around it included."""
    _, _, width, height, *_ = drawn(dot, "plain").split(b"\n", 1)[0].split()
    return float(width) + 2 * PAD, float(height) + 2 * PAD


def _refuse_giants(n_nodes: int) -> None:
    if n_nodes > MAX_NODES:
        raise TreecoreError(
            f"{n_nodes} nodes are too many for one diagram (at most {MAX_NODES})",
            where="diagram",
            remedy="Fold some branches or limit the depth",
        )


def has_engine() -> bool:
    """Is Graphviz here?"""
    try:
        _agraph_class()
    except TreecoreError:
        return False
    return True


def _agraph_class():
    try:
        from pygraphviz import AGraph
    except ImportError as fault:
        raise TreecoreError(
            "the layout engine is missing (pygraphviz could not be loaded)",
            where="diagram",
            remedy="Install it (pip install 'treecore[export]'), or download the DOT source instead",
        ) from fault
    return AGraph
