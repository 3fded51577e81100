"""The modules of a component in the browser as the one script that Streamlit sends there, and its styles."""

import json
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
WORKBENCH = next(
    (folder for root in (PACKAGE.parent, PACKAGE / "_app") if (folder := root / "assets" / "workbench").is_dir()),
    PACKAGE.parent / "assets" / "workbench",
)
"""Where the modules are: in a checkout, or in an installed package."""

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_REMARK = re.compile(r"^[ ]*/\*(?:[^*]|\*(?!/))*\*/[ ]*$", re.MULTILINE)


def joined(entry: Path, given: str | None = None) -> str:
    """A module and all that it imports, each in a scope of its own; the entry's default export is that of all.

    A component of Streamlit or a notebook is one script: what it imports by a relative address is nowhere to be found.
    given : text with which the entry is called; what it returns is then the export.
    """
    call = "" if given is None else f"({json.dumps(given)})"
    return "\n".join([*_scopes(entry), f"export default {_name(entry.stem)}.entry{call};\n"])


def as_constant(name: str, entry: Path) -> str:
    """A module and all that it imports as a plain script that makes one constant: an object of what the module exports.

    For a page of one file. Remarks and indents are left out, which no reader of it misses.
    """
    text = "\n".join([*_scopes(entry), f"return {_name(entry.stem)};"])
    lines = (line.strip() for line in _REMARK.sub("", text).split("\n"))
    return f"const {name} = (() => {{\n" + "\n".join(line for line in lines if line) + "\n})();\n"


def _scopes(entry: Path) -> list[str]:
    """Those of a module and of all that it imports, what is imported first."""
    scopes: dict[str, str] = {}

    def add(path: Path) -> None:
        if path.stem in scopes:
            return
        text = path.read_text(encoding="utf-8")
        for _, name in _IMPORT.findall(text):
            add(path.with_name(f"{name}.js"))
        scopes[path.stem] = _scope(path.stem, text)

    add(entry)
    return list(scopes.values())


def styles(*paths: Path) -> str:
    """A component's own style sheets after the colours of the theme, which all components call alike."""
    theme = paths[0].with_name("theme.css")
    return "\n".join(sheet.read_text(encoding="utf-8") for sheet in (theme, *paths))


def _scope(name: str, text: str) -> str:
    """The module as an object of what it exports."""
    exports = [found for _, found in _EXPORT.findall(text)]
    body = _EXPORT.sub(r"\1", _IMPORT.sub(lambda m: f"const {m[1]} = {_name(m[2])};", text))
    body, is_entry = re.subn(r"^export default function", "function entry", body, flags=re.MULTILINE)
    told = ", ".join([*exports, *["entry"] * is_entry])
    return f"const {_name(name)} = (() => {{\n{body}\nreturn {{ {told} }};\n}})();\n"


def _name(module: str) -> str:
    return f"module_{module}"
