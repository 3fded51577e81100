"""The page of the site that lists what the page Experiments asks, written from the registry."""

from treecore.study.questions import QUESTIONS
from treecore.study.questions.question import Setting, StudyQuestion

HEAD = """# What the page Experiments asks

Each question is an entry of `treecore.study.questions.QUESTIONS`: how it is answered, what its answer comes to, its
pictures and its settings. `QUESTIONS["stability"].answer(Setup(table, recipe))` answers one without the app.
"""


def page() -> str:
    """Markdown."""
    return "\n".join([HEAD, *(_section(question) for question in QUESTIONS.values() if question.on_page)])


def _section(question: StudyQuestion) -> str:
    note = question.start.note if question.start is not None else ""
    settings = [f"- {_setting(setting)}" for setting in question.settings]
    return "\n\n".join(part for part in (f"## {question.label}", note, "\n".join(settings)) if part) + "\n"


def _setting(setting: Setting) -> str:
    """Its label, and what holds until it is chosen."""
    default = "" if setting.default in (None, "") else f" (at first {setting.default})"
    return f"{setting.label}{default}" + (f": {setting.help}" if setting.help else "")
