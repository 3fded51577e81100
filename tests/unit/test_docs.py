"""The pages of the documentation: their code runs, and prints what they say."""

import re

import pytest

from docs import snippets
from docs.docstrings import as_list


@pytest.mark.parametrize("page", snippets.pages(), ids=lambda page: page.stem)
def test_the_code_of_a_page_prints_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block, printed, told in snippets.run(page):
        assert printed == (told or ""), f"{page.name}, line {block.line}"
    pictures = re.findall(r"!\[[^\]]+\]\((\S+\.svg)\)", page.read_text())
    assert {path.name for path in tmp_path.glob("*.svg")} == set(pictures)


def test_what_assistants_read_lists_every_guide():
    listed = set(re.findall(r"\]\(([\w/]+\.md)\)", (snippets.DOCS / "llms.txt").read_text(encoding="utf-8")))
    assert {path.relative_to(snippets.DOCS).as_posix() for path in (snippets.DOCS / "guides").glob("*.md")} <= listed
    assert all((snippets.DOCS / page).is_file() for page in listed)


def test_a_page_is_one_program_of_its_blocks(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text('```python\nx = 1\n```\n\n```toml title="a"\nx\n```\n\n```python\nprint(x)\n```\n')
    monkeypatch.chdir(tmp_path)
    assert [printed for _, printed, _ in snippets.run(page)] == ["", "1\n"]
    page.write_text(snippets.renewed(page))
    assert [told for _, _, told in snippets.run(page)] == [None, "1\n"]
    assert snippets.renewed(page) == page.read_text()
    page.write_text("\n\n```python\n1 / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as fault:
        snippets.run(page)
    assert fault.traceback[-1].lineno == 3  # counted from 0


def test_a_diff_changes_lines_that_stand_there_once():
    assert snippets.changed("a\nb\nc\n", " a\n-b\n+d\n") == "a\nd\nc\n"
    with pytest.raises(ValueError, match="2 times"):
        snippets.changed("a\na\n", " a\n+b\n")


def test_explained_names_are_a_list():
    assert (
        as_list("Does it.\n\na, b : two,\n    or one.\nMore.") == "Does it.\n\n\n- **a, b**: two,\n    or one.\n\nMore."
    )
    assert as_list("a : two,\nor one.\nMore.") == "\n- **a**: two,\n    or one.\n\nMore."


def test_files_that_documents_name_are_there():
    """Paths as they stand in the repository, or below the folder that a text is about; those of examples aside."""
    root = snippets.DOCS.parent
    places = [root, *(root / name for name in ("treecore", "pages/shared", "tests", "docs"))]
    documents = [*snippets.DOCS.rglob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]
    documents = [path for path in documents if path.parent.name != "extend"]  # whose files a reader makes
    pattern = re.compile(r"(?<![\w/.-])((?:[\w-]+/)+[\w.-]+\.(?:py|js|css|md|toml|yml|R))(?![\w/])")
    missing = {
        f"{path.relative_to(root)}: {name}"
        for path in documents
        for name in pattern.findall(path.read_text(encoding="utf-8"))
        if name != "tests/unit/test_x.py" and not any((place / name).exists() for place in (*places, path.parent))
    }
    assert not missing
