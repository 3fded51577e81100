"""Sheets as quizzes that a learning platform marks: Moodle XML, GIFT, and a package of QTI 2.1.

Every variant is a category, or a section, of its own. In Moodle and QTI a question keeps its table, with fields in it;
in GIFT, which has one answer per question, each field is a question.

Source: docs.moodle.org (Moodle XML, Embedded answers, GIFT format); IMS Question and Test Interoperability 2.1.
"""

import html
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from treecore.errors import TreecoreError
from treecore.teach.sheet import Blank, Sheet, SheetTable, Task

MADE = (1980, 1, 1, 0, 0, 0)
"""Date of the files in a package: the same quiz is the same file."""


def quiz(sheets: Sequence[Sheet], form: str) -> bytes:
    """The sheets, one variant each, as a file of this format: a key of FORMS.

    TreecoreError for sheets on which nothing can be marked, and for a format that is not known.
    """
    if form not in FORMS:
        raise TreecoreError(
            f"There is no quiz format called {form!r}", where="form", remedy=f"Choose {', '.join(FORMS)}"
        )
    if not any(task.blanks for sheet in sheets for task in sheet.tasks):
        raise TreecoreError("No question here has an answer to mark", where="Quiz", remedy="Choose another question")
    return WRITERS[form](sheets)


def _asked(sheet: Sheet) -> Iterator[tuple[str, Task]]:
    """The questions that can be marked, each with its name; those without tables of their own get the sheet's rows."""
    rows = next((task.given for task in sheet.tasks if task.given), ())
    for number, task in enumerate(sheet.tasks, 1):
        if task.blanks:
            yield f"{number}. {_line(task.text)[:60]}", replace(task, given=task.given or rows)


def _category(sheet: Sheet) -> str:
    return f"{sheet.title}, variant {sheet.variant}"


def _line(text: str) -> str:
    """In one line, without signs that no file of text may hold."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", " ", text).split())


def _number(value: float) -> str:
    """A number that reads back to the same double, without an exponent where it can."""
    return f"{value:.12f}".rstrip("0").rstrip(".") if abs(value) < 1e12 else repr(value)


# ---------------------------------------------------------------- a question as HTML


def _table(grid: SheetTable, cell: Callable[[int, int], str]) -> str:
    """cell : what stands in a cell, as HTML."""
    head = "".join(f"<th>{as_html(name)}</th>" for name in grid.columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell(i, k)}</td>" for k in range(len(row))) + "</tr>" for i, row in enumerate(grid.rows)
    )
    return f'<table class="generaltable"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def as_html(text: str) -> str:
    """As HTML, without the brace that would begin a field in Moodle."""
    return html.escape(_line(text), quote=False).replace("{", "&#123;")


def _plain(grid: SheetTable) -> str:
    return _table(grid, lambda i, k: as_html(grid.rows[i][k]))


def question(task: Task, field: Callable[[int, Blank], str]) -> str:
    """The question with its tables and fields. field : one of them, by its number."""
    parts = [f"<p>{as_html(task.text)}</p>", *map(_plain, task.given)]
    places = {blank.place: (i, blank) for i, blank in enumerate(task.blanks, 1) if blank.place is not None}
    if task.blank is not None and places:
        rows = task.blank.rows
        cell = lambda i, k: field(*places[i, k]) if (i, k) in places else as_html(rows[i][k])  # noqa: E731
        parts.append(_table(task.blank, cell))
    for i, blank in enumerate(task.blanks, 1):
        if blank.place is None:
            parts.append(f"<p>{as_html(blank.asks)}: {field(i, blank)}</p>")
    return "".join(parts)


def answer(task: Task) -> str:
    """All of the answer, with its arithmetic."""
    return "".join(f"<p>{as_html(line)}</p>" for line in task.key) + "".join(_plain(grid) for grid in task.drawn)


# ---------------------------------------------------------------- Moodle XML


def _moodle(sheets: Sequence[Sheet]) -> bytes:
    parts = ['<?xml version="1.0" encoding="UTF-8"?>', "<quiz>"]
    for sheet in sheets:
        path = f"$course$/top/{_category(sheet).replace('/', '//')}"  # one slash begins a category within another
        parts.append(f'<question type="category"><category><text>{escape(_line(path))}</text></category></question>')
        for name, task in _asked(sheet):
            parts += [
                '<question type="cloze">',
                f"<name><text>{escape(name)}</text></name>",
                f'<questiontext format="html"><text>{escape(question(task, _cloze))}</text></questiontext>',
                f'<generalfeedback format="html"><text>{escape(answer(task))}</text></generalfeedback>',
                "<penalty>0.3333333</penalty><hidden>0</hidden>",
                "</question>",
            ]
    return "\n".join([*parts, "</quiz>", ""]).encode()


def _cloze(_: int, blank: Blank) -> str:
    """An embedded answer: "{1:NUMERICAL:=0.94:0.002}"."""
    if not blank.options:
        return f"{{1:NUMERICAL:={_number(blank.value)}:{_number(blank.within)}}}"
    options = (f"{'=' if i in blank.right else '%0%'}{_cloze_option(option)}" for i, option in enumerate(blank.options))
    return "{1:MULTICHOICE:" + "~".join(options) + "}"


def _cloze_option(option: str) -> str:
    # an ampersand or a backslash before the sign that ends an option would hide that sign
    text = re.sub(r"([}#~\\])", r"\\\1", html.escape(_line(option), quote=False))
    return f"{text} " if text.endswith(("&amp;", "\\")) else text


# ---------------------------------------------------------------- GIFT


def _gift(sheets: Sequence[Sheet]) -> bytes:
    parts = []
    for sheet in sheets:
        parts.append(f"$CATEGORY: $course$/top/{_line(_category(sheet)).replace('/', '//')}")
        for name, task in _asked(sheet):
            page = "".join([f"<p>{as_html(task.text)}</p>", *map(_plain, task.given)])
            for i, blank in enumerate(task.blanks, 1):
                text = f"{page}<p><b>{as_html(blank.asks)}</b></p>"
                parts.append(
                    f"::{_gift_text(f'{name} ({i})')}::[html]{_gift_text(text)}{{{_gift_answer(blank, task)}}}"
                )
    return ("\n\n".join(parts) + "\n").encode()


def _gift_text(text: str) -> str:
    return re.sub(r"([~=#{}:\\])", r"\\\1", text)


def _gift_answer(blank: Blank, task: Task) -> str:
    feedback = f"####[html]{_gift_text(answer(task))}"
    if not blank.options:
        return f"#{_number(blank.value)}:{_number(blank.within)}{feedback}"
    options = (f"{'=' if i in blank.right else '~'}{_gift_text(_line(o))}" for i, o in enumerate(blank.options))
    return " ".join(options) + feedback


# ---------------------------------------------------------------- QTI 2.1

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
CONTENT = "http://www.imsglobal.org/xsd/imscp_v1p1"


def _qti(sheets: Sequence[Sheet]) -> bytes:
    """A package: a test with a section per variant, an item per question, and the manifest of all."""
    items, sections = {}, []
    for at, sheet in enumerate(sheets, 1):
        refs = []
        for number, (name, task) in enumerate(_asked(sheet), 1):
            key = f"v{at}q{number}"
            items[key] = _item(key, name, task)
            refs.append(f'<assessmentItemRef identifier="{key}" href="{key}.xml"/>')
        title = quoteattr(_line(_category(sheet)))
        sections.append(
            f'<assessmentSection identifier="v{at}" title={title} visible="true">{"".join(refs)}</assessmentSection>'
        )
    test = (
        f'{HEAD}<assessmentTest xmlns="{QTI}" identifier="quiz" title={quoteattr(_line(sheets[0].title))}>'
        '<testPart identifier="all" navigationMode="nonlinear" submissionMode="individual">'
        f"{''.join(sections)}</testPart></assessmentTest>"
    )
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in (
            ("imsmanifest.xml", _manifest(items)),
            ("quiz.xml", test),
            *((f"{k}.xml", t) for k, t in items.items()),
        ):
            file.writestr(zipfile.ZipInfo(name, MADE), text.encode(), zipfile.ZIP_DEFLATED)
    return package.getvalue()


HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def _manifest(items: dict[str, str]) -> str:
    resources = "".join(
        f'<resource identifier="{key}" type="imsqti_item_xmlv2p1" href="{key}.xml"><file href="{key}.xml"/></resource>'
        for key in items
    )
    needs = "".join(f'<dependency identifierref="{key}"/>' for key in items)
    return (
        f'{HEAD}<manifest xmlns="{CONTENT}" identifier="manifest"><metadata><schema>QTIv2.1 Package</schema>'
        "<schemaversion>1.0.0</schemaversion></metadata><organizations/><resources>"
        f'<resource identifier="quiz" type="imsqti_test_xmlv2p1" href="quiz.xml"><file href="quiz.xml"/>{needs}'
        "</resource>"
        f"{resources}</resources></manifest>"
    )


def _item(key: str, name: str, task: Task) -> str:
    declared = "".join(_declared(i, blank) for i, blank in enumerate(task.blanks, 1))
    marked = "".join(_marked(i, blank) for i, blank in enumerate(task.blanks, 1))
    body = question(task, _interaction)
    return (
        f'{HEAD}<assessmentItem xmlns="{QTI}" identifier="{key}" title={quoteattr(name)} adaptive="false" '
        f'timeDependent="false">{declared}'
        '<outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value>'
        "</defaultValue></outcomeDeclaration>"
        '<outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue>'
        f"<value>{len(task.blanks)}</value></defaultValue></outcomeDeclaration>"
        '<outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>'
        f"<itemBody>{body}</itemBody><responseProcessing>{marked}"
        '<setOutcomeValue identifier="FEEDBACK"><baseValue baseType="identifier">key</baseValue></setOutcomeValue>'
        '</responseProcessing><modalFeedback outcomeIdentifier="FEEDBACK" showHide="show" identifier="key">'
        f"{answer(task)}</modalFeedback></assessmentItem>"
    )


def _declared(i: int, blank: Blank) -> str:
    kind, right = ("identifier", f"c{blank.right[0]}") if blank.options else ("float", _number(blank.value))
    return (
        f'<responseDeclaration identifier="R{i}" cardinality="single" baseType="{kind}"><correctResponse>'
        f"<value>{right}</value></correctResponse></responseDeclaration>"
    )


def _interaction(i: int, blank: Blank) -> str:
    if not blank.options:
        return f'<textEntryInteraction responseIdentifier="R{i}" expectedLength="8"/>'
    choices = "".join(
        f'<inlineChoice identifier="c{k}">{as_html(option)}</inlineChoice>' for k, option in enumerate(blank.options)
    )
    return f'<inlineChoiceInteraction responseIdentifier="R{i}" shuffle="false">{choices}</inlineChoiceInteraction>'


def _marked(i: int, blank: Blank) -> str:
    """A point for a number that is near enough, or for one of the right choices."""
    var = f'<variable identifier="R{i}"/>'
    if blank.options:
        each = [f'<match>{var}<baseValue baseType="identifier">c{k}</baseValue></match>' for k in blank.right]
        test = each[0] if len(each) == 1 else f"<or>{''.join(each)}</or>"
    else:
        within = _number(blank.within)
        test = (
            f'<equal toleranceMode="absolute" tolerance="{within} {within}">{var}<correct identifier="R{i}"/></equal>'
        )
    point = '<sum><variable identifier="SCORE"/><baseValue baseType="float">1</baseValue></sum>'
    return (
        f"<responseCondition><responseIf>{test}"
        f'<setOutcomeValue identifier="SCORE">{point}</setOutcomeValue></responseIf></responseCondition>'
    )


FORMS = {"moodle": "Moodle XML", "gift": "GIFT", "qti": "QTI 2.1 package"}
"""Format -> what it is called."""
WRITERS = {"moodle": _moodle, "gift": _gift, "qti": _qti}
