"""Text from data inside LaTeX and Markdown, where it must stay text."""

import re

from treecore.brief import visible

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
    "≤": r"\ensuremath{\leq}", "≥": r"\ensuremath{\geq}", "∈": r"\ensuremath{\in}", "\u00a0": "~", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "−": r"\ensuremath{-}",
}  # fmt: skip
_LIGATURE = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)|(?<=[`?!])(?=`)")
"""Between two signs that TeX would make one of: a dash, a quotation mark."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~$&^@]|:(?=//)|(?<=www)\.)")
"""What has a meaning within a line; addresses are links without any sign around them."""
_TAG = re.compile(r"<(?=[A-Za-z/!?])")


def to_latex(text: str) -> str:
    """The text as LaTeX shows it (T1 fonts; other scripts need packages of their own)."""
    parts = _LIGATURE.split(visible(text))
    return "{}".join("".join(_LATEX.get(ch, ch) for ch in part) for part in parts)


def to_markdown(text: str) -> str:
    """The text as Markdown shows it: no link, no emphasis, no HTML, also where it is taken for HTML itself."""
    return _MARKDOWN.sub(r"\\\1", _TAG.sub("\0", visible(text))).replace("\0", "&lt;")


def in_comment(text: str) -> str:
    """The text as a remark in a script, which may stand in a page: nothing in it opens or ends anything there."""
    return _TAG.sub(r"<\\", visible(text))
