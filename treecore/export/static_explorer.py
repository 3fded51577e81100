"""The explorer without a server: one HTML file that reads a table, grows a tree and shows it as the reader's page."""

import re

from treecore.criteria import CRITERIA
from treecore.data.dates import FIRST_COMPACT, LAST_COMPACT, PATTERNS
from treecore.data.kinds import INDEX_NAME, LABEL_LIKE, YEAR_NAME
from treecore.data.number_reading import A_NUMBER, FORMATS, INFINITE, MINUSES, UNIT_WORD, unit_at_end
from treecore.data.options import MISSING_AMONG_NUMBERS, MISSING_TOKENS
from treecore.data.raw import UNSEEN
from treecore.data.readers.dialect import NUMBER
from treecore.data.readers.heading_and_footer import FOOTER_REMARK, SUMMARY
from treecore.data.samples import SAMPLES
from treecore.data.target_guess import TARGET_NAMES
from treecore.data.vocabulary import KEY_NAME, KEY_TAIL, LITERALS, PAIRS, SCALES, TRUTHS
from treecore.export.code import TEMPLATES, in_script
from treecore.export.page import filled_page
from treecore.figures import MONEY_BEFORE
from treecore.presets import PRESETS
from treecore.recipe import SCHEMA_VERSION

ALGORITHMS = ("cart", "id3", "c4.5")
BUILT_IN = ("play_tennis", "titanic", "iris", "mpg")
"""The samples that the page carries."""
LIBRARY = (
    "figures.js", "sorting.js", "csv_table.js", "grower.js", "answers.js", "cross_validation.js", "page_constants.js",
    "explorer_worker.js",
)  # fmt: skip
"""What both the page and its worker run."""
CONSTANTS = ("TREE", "SAID", "DIFFER", "NOUN", "SCALE", "NAMES", "LOOKED_FOR", "WEIGHTED", "SIZES")
"""Of the reader's page, which the explorer fills in."""
WORD = r"[\p{L}\p{N}_]"
_TRANSLATED = (
    ("(?P<", "(?<"), (r"[_\W]", r"(?:_|[^\p{L}\p{N}_])"), (r"[^\W\d_]", r"\p{L}"), (r"\W", r"[^\p{L}\p{N}_]"),
    (r"\b", rf"(?!{WORD})"),
)  # fmt: skip


def explorer_page() -> str:
    """The whole file. It works from the disk, asks for nothing outside of itself and sends nothing."""
    marks = {name: f"%{name}%" for name in ("title", *CONSTANTS)}
    page = filled_page(marks["title"], "", {name: marks[name] for name in CONSTANTS})
    library = "\n".join((TEMPLATES / name).read_text("utf-8") for name in LIBRARY)
    script = "\n".join(
        (
            f"const PAGE = {in_script(page)};",
            f"const SAMPLES = {in_script([_sample(name) for name in BUILT_IN])};",
            f"const PRESETS = {in_script([_preset(name) for name in ALGORITHMS])};",
            f"const RECIPE_VERSION = {SCHEMA_VERSION};",
            (TEMPLATES / "explorer.js").read_text("utf-8"),
        )
    )
    return (
        (TEMPLATES / "explorer.html")
        .read_text("utf-8")
        .replace("/* explorer.css */", (TEMPLATES / "explorer.css").read_text("utf-8"))
        .replace("/* library */", f"const RULES = {in_script(reading_rules())};\n{library}")
        .replace("/* explorer.js */", script)
    )


def _sample(name: str) -> dict:
    sample = SAMPLES[name]
    return {
        "name": sample.name, "label": sample.label, "file": sample.file, "target": sample.target,
        "preset": sample.preset,
        "kinds": {column: {"kind": kind.kind, "levels": list(kind.levels)} for column, kind in sample.kinds.items()},
        "text": sample.path.read_text("utf-8"),
    }  # fmt: skip


def _preset(name: str) -> dict:
    """classes : is it for classes alone?"""
    preset = PRESETS[name]
    return {
        "name": name, "label": preset.label, "note": preset.note, "classes": bool(preset.task),
        "settings": preset_settings(name),
    }  # fmt: skip


def preset_settings(name: str) -> dict:
    """What the preset sets, without what is the default of growing."""
    growth = PRESETS[name].growth
    usual = type(growth)().to_dict()
    return {key: value for key, value in growth.to_dict().items() if value != usual[key]}


def reading_rules() -> dict:
    """The library's words and patterns for reading a table, and its names for a tree in print, as JSON."""
    formats = [
        {"decimal": f.decimal, "thousands": f.thousands, "pattern": f.pattern.replace(f"|{INFINITE}", "")}
        for f in FORMATS
    ]
    return {
        "missing": MISSING_TOKENS, "missing_among_numbers": MISSING_AMONG_NUMBERS,
        "formats": formats, "number": in_javascript(NUMBER.pattern), "a_number": in_javascript(A_NUMBER.pattern),
        "unit_word": in_javascript(UNIT_WORD.pattern), "minuses": MINUSES, "label_like": LABEL_LIKE, "unseen": UNSEEN,
        "dates": [in_javascript(pattern) for pattern in PATTERNS], "first_day": FIRST_COMPACT, "last_day": LAST_COMPACT,
        "key_name": in_javascript(KEY_NAME.pattern), "key_tail": KEY_TAIL.pattern,
        "index_name": INDEX_NAME.pattern, "year_name": in_javascript(YEAR_NAME.pattern),
        "summary": in_javascript(SUMMARY.pattern), "remark": in_javascript(FOOTER_REMARK.pattern),
        "scales": SCALES, "pairs": PAIRS, "truths": TRUTHS, "literals": list(LITERALS), "target_names": TARGET_NAMES,
        "criteria": {name: CRITERIA[name].label for name in ("gini", "entropy", "misclassification", "squared_error")},
        "unit": in_javascript(unit_at_end().pattern), "money_before": MONEY_BEFORE,
    }  # fmt: skip


def in_javascript(pattern: str) -> str:
    r"""A regular expression of Python's as JavaScript reads it with the flag u; \w, \W and \b are of all alphabets."""
    for python, javascript in _TRANSLATED:
        pattern = pattern.replace(python, javascript)
    return re.sub(r"\\([#&~ -])", r"\1", pattern)


__all__ = ["explorer_page", "in_javascript", "preset_settings", "reading_rules"]
