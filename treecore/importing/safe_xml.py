"""XML from anybody: without entities or a document type, and of a bounded size."""

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

DEEPEST, MOST_ELEMENTS = 2000, 20_000_000


def from_xml(data: bytes) -> Element:
    """The outermost element; names are without their namespaces. ValueError for what is broken or forbidden."""
    builder, depth, n = TreeBuilder(), 0, 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict) -> None:
        nonlocal depth, n
        depth, n = depth + 1, n + 1
        if depth > DEEPEST or n > MOST_ELEMENTS:
            raise ValueError("it is nested too deep, or too large")
        builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    def refuse(*about) -> None:
        raise ValueError("it declares a document type or entities, which are not read")

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = parser.UnparsedEntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
        return builder.close()
    except expat.ExpatError as fault:
        raise ValueError(f"XML, line {fault.lineno}") from None
    except AssertionError:
        raise ValueError("it has no element") from None


def _local(name: str) -> str:
    return name.rpartition(":")[2]
