"""Every public signature says what goes in and what comes out."""

import importlib
import inspect

import pytest

MODULES = ("", ".estimators", ".ensembles", ".optimal", ".incremental", ".covering", ".study", ".plots")


def callables(thing: object) -> dict[str, object]:
    """A function itself, or what of a class has no underscore."""
    if inspect.isfunction(thing):
        return {thing.__name__: thing}
    if not inspect.isclass(thing) or not thing.__module__.startswith("treecore"):
        return {}
    found = {name: getattr(v, "fget", None) or getattr(v, "__func__", v) for name, v in vars(thing).items()}
    return {f"{thing.__name__}.{n}": v for n, v in found.items() if n[0] != "_" and inspect.isfunction(v)}


def is_annotated(function: object) -> bool:
    told = inspect.signature(function)
    named = [p for p in told.parameters.values() if p.name not in ("self", "cls") and p.kind is not p.VAR_KEYWORD]
    return told.return_annotation is not told.empty and all(p.annotation is not p.empty for p in named)


@pytest.mark.parametrize("module", MODULES)
def test_public_signatures_are_annotated(module):
    public = importlib.import_module(f"treecore{module}")
    found = {n: f for name in public.__all__ for n, f in callables(getattr(public, name)).items()}
    assert found
    assert [name for name, function in found.items() if not is_annotated(function)] == []
