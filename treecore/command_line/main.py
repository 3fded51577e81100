"""The commands and their arguments; bad input ends with exit code 2 and one line that helps."""

import argparse
import sys

from treecore.command_line import commands, mcp
from treecore.command_line.files import check_out, one_by_one, say
from treecore.covering import LEARNERS
from treecore.errors import TreecoreError
from treecore.export.formats import FORMATS
from treecore.presets import PRESETS
from treecore.pruning import PRUNERS
from treecore.study.drift import FAIL_ABOVE

BAD_INPUT, INTERRUPTED = 2, 130
EXAMPLES = """examples:
  treecore grow titanic.csv --target survived --preset c4.5 --prune error_based --out tree.json
  treecore show tree.json --depth 3
  treecore predict tree.json new.csv --out answers.csv
  treecore export tree.json --format sql --table passengers --out tree.sql
  treecore learn titanic.csv --target survived --learner ripper --out rules.json
  treecore page --out explorer.html
  treecore explore titanic.csv
"""


class _Parser(argparse.ArgumentParser):
    """One line for a fault instead of the whole usage."""

    def error(self, message: str):
        say(f"{self.prog}: {message}. See {self.prog} --help.")
        raise SystemExit(BAD_INPUT)


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = _parser()
    try:
        given = parser.parse_args(one_by_one(sys.argv[1:] if arguments is None else arguments))
    except SystemExit as end:
        return int(end.code or 0)
    if given.run is None:
        say(f"{parser.prog}: name a command: {', '.join(COMMANDS)}. See {parser.prog} --help.")
        return BAD_INPUT
    try:
        check_out(getattr(given, "out", None))
        return given.run(given) or 0
    except TreecoreError as fault:
        say(f"{parser.prog} {given.command}: {' '.join(str(fault).split())}")
        return BAD_INPUT
    except BrokenPipeError:  # `treecore show tree.json | head`
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        say("Interrupted; nothing was written.")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="treecore",
        description="Grow, prune, use and show decision trees.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=None)
    kinds = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (fill, text, example) in COMMANDS.items():
        made = kinds.add_parser(
            name,
            help=text,
            description=text,
            epilog=f"example:\n  {example}\n",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        fill(made)
    return parser


def _table(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a table: CSV, Excel, Parquet and others; - reads stdin")
    _part(parser)
    parser.add_argument("--target", metavar="COLUMN", help="the column to predict (else a likely one, which is told)")
    _several(parser, "--kind", "COLUMN=KIND", "numeric, nominal, ordinal or boolean")
    parser.add_argument("--weights", metavar="COLUMN", help="case weights")
    parser.add_argument("--counts", action="store_true", help="the target is counts: its rate is predicted")
    parser.add_argument("--exposure", metavar="COLUMN", help="in how much the target was counted, such as years")
    parser.add_argument("--time", metavar="COLUMN", help="of survival: how long each row was watched, with --event")
    parser.add_argument("--event", metavar="COLUMN", help="of survival: 1 where that ended in an event, else 0")
    parser.add_argument("--treatment", metavar="COLUMN", help="who was treated: its effect on the target is predicted")
    parser.add_argument("--control", metavar="VALUE", help="of --treatment: its value of rows that were not treated")
    parser.add_argument("--shrink", type=float, metavar="K", help="of rates of counts to that of all rows (1)")


def _learn(parser: argparse.ArgumentParser) -> None:
    _table(parser)
    parser.add_argument("--learner", default="ripper", metavar="NAME", help=f"one of {', '.join(LEARNERS)} (ripper)")
    _set(parser, "settings of the learner, such as least=3 (ripper, part)")
    _out(parser)
    parser.set_defaults(run=commands.learn)


def _grow(parser: argparse.ArgumentParser) -> None:
    _table(parser)
    parser.add_argument("--preset", default="cart", metavar="NAME", help=f"one of {', '.join(PRESETS)} (cart)")
    _set(parser, "settings of growth, such as max_depth=6")
    parser.add_argument("--prune", metavar="METHOD", help=f"one of {', '.join(PRUNERS)}; else the preset's own")
    _several(parser, "--prune-set", "NAME=VALUE", "parameters of pruning")
    parser.add_argument("--validation", type=float, default=0.0, metavar="SHARE", help="rows to prune by (0)")
    parser.add_argument("--test", type=float, default=0.0, metavar="SHARE", help="rows to judge by (0)")
    parser.add_argument("--seal", action="store_true", help="tell no figure of the test rows")
    parser.add_argument("--seed", type=int, default=0, help="of the split into roles (0)")
    _out(parser)
    parser.set_defaults(run=commands.grow)


def _read(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a file of XGBoost, LightGBM or treecore")
    parser.add_argument("--table", dest="file", metavar="FILE", help="rows to count in its nodes")
    parser.add_argument("--target", metavar="COLUMN", help="the table's column to predict (else a likely one)")
    _several(parser, "--kind", "COLUMN=KIND", "numeric, nominal, ordinal or boolean")
    parser.add_argument("--weights", metavar="COLUMN", help="case weights of the table")
    parser.add_argument("--classes", metavar="A,B", help="names of the classes that the file numbers from 0 on")
    parser.add_argument("--tree", type=_levels, metavar="N", help="of a model of many trees, the N-th")
    parser.add_argument("--nearest", type=_levels, metavar="DEPTH", help="the single tree nearest to all of them")
    _out(parser)
    parser.set_defaults(run=commands.read)


def _prune(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("--method", required=True, metavar="NAME", help=f"one of {', '.join(PRUNERS)}")
    parser.add_argument("--train", metavar="FILE", help="the training rows, for methods that look at them")
    parser.add_argument("--validation", metavar="FILE", help="rows that the tree was not grown on")
    _set(parser, "parameters of the method")
    _out(parser)
    parser.set_defaults(run=commands.prune)


def _predict(parser: argparse.ArgumentParser) -> None:
    _tree(parser, ", or rules that learn wrote")
    parser.add_argument("file", metavar="FILE", help="rows to answer for; columns are matched by name")
    _part(parser)
    parser.add_argument("--rule", action="store_true", help="add the rule of each row's leaf")
    _flag(parser)
    _out(parser, "a .parquet name writes Parquet, .xlsx Excel, all others CSV")
    parser.set_defaults(run=commands.predict)


def _flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--flag", type=float, metavar="RATE", help="add flag, 1 from this rate on, and segment")
    parser.add_argument("--class", dest="interest", metavar="NAME", help="whose rate is meant (the rarer one of two)")


def _check(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("file", metavar="FILE", help="later rows; the target need not be there")
    _part(parser)
    parser.add_argument("--train", metavar="FILE", help="the training rows: each feature is compared with them, too")
    parser.add_argument(
        "--target", metavar="COLUMN", help="refuse a file without the target (else it is judged where it is there)"
    )
    parser.add_argument("--class", dest="interest", metavar="NAME", help="the class of interest (the rarer of two)")
    parser.add_argument("--date", metavar="COLUMN", help="month by month (by the only column of dates)")
    told = f"stability index above which the tree no longer holds ({FAIL_ABOVE})"
    parser.add_argument("--fail-above", type=float, default=FAIL_ABOVE, metavar="INDEX", help=told)
    parser.add_argument("--json", action="store_true", help="for machines")
    _out(parser)
    parser.set_defaults(run=commands.check)


def _survival(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tree", metavar="TREE", help="a saved tree of survival times, JSON")
    parser.add_argument("file", metavar="FILE", help="rows with the features, the time and the event")
    _out(parser)
    parser.set_defaults(run=commands.survival)


def _segments(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("file", metavar="FILE", nargs="?", help="rows that the leaves are counted on, too")
    parser.add_argument("--class", dest="interest", metavar="NAME", help="whose rate is told (the rarer one of two)")
    told = "of survival times: ranked by the risk until then of the rows of FILE"
    parser.add_argument("--horizon", metavar="TIME", type=float, help=told)
    parser.add_argument("--sort", metavar="COLUMN", help="another order than from the highest rate on")
    _out(parser, "a .parquet name writes Parquet, .xlsx Excel, all others CSV")
    parser.set_defaults(run=commands.segments)


def _export(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("--format", required=True, metavar="NAME", help=f"one of {', '.join(FORMATS)}")
    parser.add_argument("--table", metavar="NAME", help="the table that SQL asks (data)")
    parser.add_argument("--name", metavar="TEXT", help="what the tree is of, for titles")
    parser.add_argument("--rows", metavar="FILE", help="puts a sample of these rows, and all their columns, into html")
    parser.add_argument("--sample", type=int, metavar="N", help="how many of them, evenly over the leaves (200)")
    parser.add_argument("--without", nargs="+", default=[], metavar="COLUMN", help="columns that stay out of html")
    _digits(parser)
    _class(parser)
    _set(parser, "options of the format, such as scale=4 for png")
    _out(parser)
    parser.set_defaults(run=commands.export)


def _rules(parser: argparse.ArgumentParser) -> None:
    _tree(parser, ", or rules that learn wrote")
    parser.add_argument("--format", default="text", choices=list(commands.RULE_FORMATS), help="(text)")
    _digits(parser)
    _class(parser)
    _out(parser)
    parser.set_defaults(run=commands.rules)


def _show(parser: argparse.ArgumentParser) -> None:
    _tree(parser)
    parser.add_argument("--depth", type=_levels, default=None, metavar="N", help="levels to show (all)")
    _digits(parser)
    parser.set_defaults(run=commands.show)


def _levels(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of levels, such as 3")
    return int(text)


def _explore(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a table to begin with")
    parser.add_argument("streamlit", nargs=argparse.REMAINDER, help="options of streamlit, such as --server.port 8600")
    parser.set_defaults(run=commands.explore)


def _page(parser: argparse.ArgumentParser) -> None:
    _out(parser)
    parser.set_defaults(run=commands.page)


def _mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="tables, or folders of them; no other file is opened")
    parser.set_defaults(run=mcp.mcp)


def _tree(parser: argparse.ArgumentParser, more: str = "") -> None:
    parser.add_argument("tree", metavar="TREE", help=f"a tree that grow wrote{more}; - reads stdin")


def _part(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--part", metavar="NAME", help="sheet of a workbook, or table in an archive (the first)")


def _set(parser: argparse.ArgumentParser, text: str) -> None:
    _several(parser, "--set", "NAME=VALUE", text)


def _several(parser: argparse.ArgumentParser, option: str, shape: str, text: str) -> None:
    parser.add_argument(option, action="append", default=[], metavar=shape, help=f"{text}; more may follow")


def _class(parser: argparse.ArgumentParser) -> None:
    told = "whose share texts and pictures tell (the rarer one of two)"
    parser.add_argument("--class", dest="interest", metavar="NAME", help=told)


def _digits(parser: argparse.ArgumentParser) -> None:
    told = "digits of thresholds, more where so few would not divide the rows as the tree does"
    parser.add_argument("--digits", type=int, default=None, metavar="N", help=told)


def _out(parser: argparse.ArgumentParser, text: str = "else to the terminal's output") -> None:
    parser.add_argument("--out", metavar="FILE", help=text)


COMMANDS = {
    "grow": (
        _grow,
        "Grow a tree from a table, and prune it.",
        "treecore grow iris.csv --target species --out tree.json",
    ),
    "learn": (
        _learn,
        "Learn rules straight from a table, without a tree.",
        "treecore learn iris.csv --target species --learner part --out rules.json",
    ),
    "read": (
        _read,
        "Read a model made elsewhere: its trees, and the rows of a table counted in them.",
        "treecore read model.json --table iris.csv --target species --nearest 4 --out tree.json",
    ),
    "prune": (_prune, "Prune a saved tree.", "treecore prune tree.json --method error_based --out small.json"),
    "check": (
        _check,
        "Does a tree still hold for later rows? Exit code 1 where it does not.",
        "treecore check tree.json new.csv --target churn --fail-above 0.25",
    ),
    "survival": (
        _survival,
        "Tell median times and hazard ratios of nodes.",
        "treecore survival tree.json patients.csv",
    ),
    "segments": (_segments, "Tell the leaves, riskiest first.", "treecore segments tree.json new.csv --out leaves.csv"),
    "predict": (_predict, "Answer for the rows of a table.", "treecore predict tree.json new.csv --out answers.csv"),
    "export": (_export, "Write a tree in another form.", "treecore export tree.json --format svg --out tree.svg"),
    "rules": (
        _rules,
        "Every leaf as a rule, or the rules that were learned.",
        "treecore rules tree.json --format markdown",
    ),
    "show": (_show, "The tree in the terminal.", "treecore show tree.json --depth 3"),
    "mcp": (_mcp, "Serve tools for an assistant (MCP) on these tables.", "treecore mcp churn.csv tables/"),
    "page": (
        _page,
        "Write the explorer that needs no server: one HTML file that reads a CSV and grows its tree in the browser.",
        "treecore page --out explorer.html",
    ),
    "explore": (_explore, "Start the app, on a table if one is named.", "treecore explore iris.csv"),
}
