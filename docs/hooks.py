"""Runs the code on every page while the site is built: the pictures on a page are those that its code draws. The
explorer without a server is a page of the site, too."""

import contextlib
import tempfile
from pathlib import Path

from mkdocs.structure.files import File

from docs import questions, snippets
from treecore.export.static_explorer import explorer_page


def on_files(files, config):
    """Adds the pictures, the explorer and the list of questions; an error in a page's code ends the build."""
    files.append(File.generated(config, "explorer.html", content=explorer_page()))
    for page in snippets.pages():
        folder = page.parent.relative_to(snippets.DOCS)
        for name, content in _drawn(page).items():
            files.append(File.generated(config, (folder / name).as_posix(), content=content))
    files.append(File.generated(config, "questions.md", content=questions.page()))
    return files


def _drawn(page: Path) -> dict[str, bytes]:
    """SVG pictures that the page's code leaves in its folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        snippets.run(page)
        return {path.name: path.read_bytes() for path in Path(folder).glob("*.svg")}
