"""No modules of treecore, or of the app, import each other in a circle: read from the files, none is run."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.unit.imports import LIBRARY, ROOT, Source, source_at, source_of

ROOTS = {"treecore", "pages", "streamlit_app"}
APP = [ROOT / "streamlit_app.py", *sorted((ROOT / "pages").rglob("*.py"))]
KEPT_CIRCLES: dict[tuple[str, str], str] = {}
"""(module, module it imports) -> why this import may close a circle. There is none."""


def test_no_modules_import_each_other_in_a_circle():
    """Not in functions, and not for type checkers either: what two of them share stands to the left of both."""
    sources = {module_of(path): source_at(path) for path in [*LIBRARY, *APP]}
    found = circles(graph_of(sources, KEPT_CIRCLES))
    assert not found, "\n".join(found)


def test_the_rooms_of_growing_import_one_way():
    """Folders of treecore.growing taken as one each: what two of them share stands below both."""
    sources = {module_of(path): source_at(path) for path in LIBRARY}
    rooms: dict[str, set[str]] = {}
    for module, imported in graph_of(sources, {}).items():
        if module.startswith("treecore.growing."):
            others = {room_of(other) for other in imported if other.startswith("treecore.growing.")}
            rooms.setdefault(room_of(module), set()).update(others - {room_of(module)})
    assert {"search", "settings", "inspect", "fast", "numpy"} <= rooms.keys()
    assert not (found := circles(rooms)), "\n".join(found)


def room_of(module: str) -> str:
    return module.split(".")[2]


def test_a_circle_is_seen():
    """Through functions, type checkers, and the package that hands a name on."""
    texts = {
        "treecore": "",
        "treecore.a": "from treecore.room import thing",
        "treecore.room": "from treecore.room.b import thing",
        "treecore.room.b": "def f():\n    import treecore.c",
        "treecore.c": "if TYPE_CHECKING:\n    from treecore.a import A\nfrom treecore.room import b",
    }
    sources = {module: source_of(text) for module, text in texts.items()}
    found = circles(graph_of(sources, {}))
    assert len(found) == 2
    assert {"treecore.b", "treecore.a", "treecore.room", "treecore.room.b", "treecore.c"} >= set(found[0].split(" -> "))
    kept = {("treecore.c", "treecore.a"): "for a test", ("treecore.c", "treecore.room.b"): "for a test"}
    assert not circles(graph_of(sources, kept))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def graph_of(sources: dict[str, Source], kept: dict[tuple[str, str], str]) -> dict[str, set[str]]:
    """Module -> modules that it imports; a name that a package hands on is an import of that package."""
    graph = {}
    for module, source in sources.items():
        names = {name for name in source.anywhere | source.for_types if name.split(".")[0] in ROOTS}
        graph[module] = {other for name in names if (other := nearest(name, sources)) != module}
        graph[module] -= {other for importer, other in kept if importer == module}
    return graph


def nearest(name: str, modules) -> str:
    """The module that a dotted name is of."""
    while name not in modules:
        name = name.rpartition(".")[0]
    return name


def circles(graph: dict[str, set[str]]) -> list[str]:
    """Every circle in words, "a -> b -> a": when one is found, it is opened and the next is looked for."""
    found = []
    while True:
        try:
            TopologicalSorter(graph).prepare()
            return found
        except CycleError as error:
            circle = error.args[1]
            found.append(" -> ".join(reversed(circle)))
            graph[circle[1]].discard(circle[0])
