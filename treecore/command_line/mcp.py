"""Tools for an assistant over the Model Context Protocol: `treecore mcp FILE...`, on standard input and output."""

from argparse import Namespace
from collections.abc import Callable
from functools import wraps
from threading import Lock

from treecore.command_line.workbench import Workbench
from treecore.errors import TreecoreError

INSTRUCTIONS = """Grow decision trees from the user's tables and explain them. Call tables, open one (with the target,
if it is known), then grow. Nodes have numbers, in brackets in the outline. Figures of validation and test rows say how
well a tree answers; those of training rows do not. Nothing is written: recipe gives all steps as JSON to keep."""
TOOLS = (
    *("tables", "open", "describe", "grow", "show", "picture", "figures", "why", "rivals", "take", "undo", "prune"),
    *("curve", "segments", "regions", "rules", "export", "predict", "recipe"),
)
"""Methods of Workbench: their signatures and docstrings are what an assistant is told."""


def mcp(given: Namespace) -> None:
    """Serve until the input ends."""
    server(Workbench(given.files)).run("stdio")


def server(bench: Workbench):
    """The server with its tools; TreecoreError where the package mcp is not installed."""
    try:
        from mcp.server.mcpserver import Image, MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError:
        remedy = "Install it: pip install 'treecore[mcp]'"
        raise TreecoreError("The package mcp is not installed", where="treecore mcp", remedy=remedy) from None
    made, lock = MCPServer("treecore", instructions=INSTRUCTIONS, log_level="ERROR"), Lock()

    def shown(result):
        if isinstance(result, tuple):
            return [shown(part) for part in result]
        return Image(data=result, format="png") if isinstance(result, bytes) else result

    def tool(method: Callable) -> Callable:
        """One call at a time, with faults said as the library does."""

        @wraps(method)
        def called(*given, **named):
            try:
                with lock:
                    return shown(method(*given, **named))
            except TreecoreError as fault:
                raise ToolError(str(fault)) from None

        return called

    for name in TOOLS:
        reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        made.tool(annotations=reads, structured_output=False)(tool(getattr(bench, name)))
    return made
