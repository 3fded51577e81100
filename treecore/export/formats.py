"""Every form in which a tree leaves: the registry that the app's menu, the library and the command line read."""

import json
from functools import partial
from typing import Any

from treecore.data.table import Table
from treecore.errors import TreecoreError
from treecore.export import code, excel, latex_forest, onnx_model, page, pictures, pmml, rule_texts, spreadsheets, sql
from treecore.export.format import FLAG_OPTIONS, ExportRequest, Format
from treecore.export.row_sample import ROW_OPTIONS
from treecore.export.worked_example import EXAMPLE_OPTION
from treecore.judging.interest import check_interest
from treecore.plugins import plugins
from treecore.registry import Registry
from treecore.tree.node import RENDERERS
from treecore.tree.tree import Tree

_LOOK = (("orientation", "TB"), ("transparent", False))
_PAPER = (("paper", ""), ("title", True), ("detail", "look"))
RENDERERS |= {"image/svg+xml": page.picture, "text/html": page.interactive}


def _json(given: ExportRequest) -> str:
    return json.dumps(given.tree.to_dict(gaps=True), ensure_ascii=False, allow_nan=False) + "\n"


_whole = partial(Format, sums=True, lines=True, log_odds=True)
"""A format that says splits and leaves of every kind."""
_OWN = (
    _whole("svg", "SVG", "picture", ".svg", "image/svg+xml", pictures.to_svg,
           "Thousands of nodes are too many for a picture.", pictures.why_not_picture, (*_LOOK, *_PAPER)),
    _whole("png", "PNG", "picture", ".png", "image/png", pictures.to_png,
           "Thousands of nodes are too many for a picture.", pictures.why_not_picture, (("scale", 2), *_LOOK, *_PAPER)),
    _whole("pdf", "PDF", "picture", ".pdf", "application/pdf", pictures.to_pdf,
           "Thousands of nodes are too many for a picture.", pictures.why_not_picture, (*_LOOK[:1], *_PAPER)),
    _whole("html", "One HTML page", "picture", ".html", "text/html", page.to_page,
           "Many thousands of nodes are too many for a page.", page.why_not_page,
           (*ROW_OPTIONS, EXAMPLE_OPTION)),
    _whole("dot", "Graphviz source (DOT)", "picture", ".dot", "text/vnd.graphviz", pictures.to_dot, "", options=_LOOK),
    _whole("forest", "LaTeX tree (TikZ, forest)", "picture", ".tex", "text/x-tex", latex_forest.to_forest,
           "TeX draws about sixty levels and five hundred nodes.", latex_forest.why_not_forest),
    _whole("rules", "Rules, text", "rules", ".txt", "text/plain", rule_texts.to_text,
           "A rule cannot share a row among branches, nor name what surrogates ask."),
    _whole("rules_markdown", "Rules, Markdown", "rules", ".md", "text/markdown", rule_texts.to_markdown_list,
           "A rule cannot share a row among branches, nor name what surrogates ask."),
    _whole("rules_csv", "Rules, CSV", "rules", ".csv", "text/csv", rule_texts.to_csv,
           "A rule cannot share a row among branches, nor name what surrogates ask."),
    _whole("rules_latex", "Rules, LaTeX", "rules", ".tex", "text/x-tex", rule_texts.to_latex_table,
           "A rule cannot share a row among branches, nor name what surrogates ask."),
    _whole("json", "Model, JSON", "model", ".json", "application/json", _json),
    _whole("python", "Model, Python", "model", ".py", "text/x-python", code.to_python, options=FLAG_OPTIONS),
    _whole("javascript", "Model, JavaScript", "model", ".js", "text/javascript", code.to_javascript,
           options=FLAG_OPTIONS),
    _whole("sql", "Model, SQL (PostgreSQL, DuckDB, SQLite)", "model", ".sql", "application/sql", sql.to_sql,
           "NULL, NaN and empty text are missing. Numbers put into bins are read as numbers, not as the bins' names. "
           "SQLite needs 3.35, and 3.46 for more than 16 levels.",
           sql.why_not_sql, (("table", "data"), ("answer", "answer"), *FLAG_OPTIONS)),
    _whole("spark_sql", "Model, SQL for Spark", "model", ".sql", "application/sql", sql.to_spark_sql,
           "NULL, NaN and empty text are missing. Numbers put into bins are read as numbers, not as the bins' names.",
           sql.why_not_sql, (("table", "data"), ("answer", "answer"), *FLAG_OPTIONS)),
    _whole("excel", "Model, Excel formula", "model", ".txt", "text/plain", excel.to_excel,
           "A cell holds 8 192 characters and 64 nested functions, numbers keep 15 digits, and a formula cannot "
           "share a row among branches.", excel.why_not_excel),
    _whole("onnx", "Model, ONNX", "model", ".onnx", "application/octet-stream", onnx_model.to_onnx,
           "Needs the package onnx. Numbers are float64, NaN where missing; levels are text without spaces around it, "
           "empty where missing. "
           "Numbers put into bins are read as numbers.", onnx_model.why_not_onnx),
    _whole("pmml", "Model, PMML", "model", ".pmml", "application/xml", pmml.to_pmml,
           "Numbers put into bins are read as numbers; levels are text without spaces around it.",
           pmml.why_not_pmml),
    _whole("nodes_csv", "Nodes, CSV", "table", ".csv", "text/csv", spreadsheets.nodes_csv),
    _whole("curve_csv", "Size against error, CSV", "table", ".csv", "text/csv", spreadsheets.curve_csv,
           "The estimation rows of an honest tree decide no size.", spreadsheets.why_not_curve),
)  # fmt: skip
FORMATS = Registry("export format", *_OWN, others=lambda: plugins("treecore.exports", Format, *_OWN))


def export(
    tree: Tree,
    format: str,
    *,
    name: str = "tree",
    rows: Table | None = None,
    digits: int | None = None,
    interest: str | None = None,
    **options: Any,
) -> str | bytes:
    """The tree in any registered format: text, or the bytes of a picture.

    format : a name in `FORMATS`. name : of the table, for titles. rows : to judge subtrees on, for "curve_csv".
    digits : of thresholds, more where these would not divide the rows as the tree does (`tree.rounded`); None for as
    few as divide them in texts, and for the thresholds as they are in code. interest : the class whose share rules,
    pictures and pages tell at every node; None for the rarer of two, "every class" for that of each answer.
    options : of the format, such as scale=4 for "png" or table="customers" for "sql", and flag=0.08 (or a
    FlagRule) for code in Python, JavaScript or SQL, which then flags rows, too. Into "html", sample_rows=200 puts so
    many of the rows, without=("name", "age") none of these columns; they are drawn evenly over the leaves, or with
    sampling="random" at random, by seed=0; example=WorkedExample(...) adds the steps of a worked example, each with its
    tree (`treecore.teach.index.worked_example` makes one of those in the lecture notes).
    Raises TreecoreError for another format, option or class, and with the reason where the format cannot say this tree.
    """
    entry = FORMATS[format]
    known = dict(entry.options)
    odd = next((option for option in options if option not in known), None)
    if odd is not None:
        remedy = f"It takes {', '.join(known)}" if known else "It takes none"
        raise TreecoreError(f"{entry.label} has no option {odd!r}", where="export", remedy=remedy)
    tree = tree if digits is None else tree.rounded(digits)
    check_interest(tree, interest)
    return entry.written(ExportRequest(tree, name, rows, known | options, interest))
