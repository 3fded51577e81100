"""What the machine code of a compiled function depends on: its own code and that of all it calls, not their files.

Comments, places in a file and functions that are not called change nothing, so an edit of a kernel leaves everything
compiled that does not call what was edited. Two copies of the package have the same hashes.
"""

import hashlib
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType

_dependencies: dict[object, tuple[str, tuple]] = {}


def code_hash(compiled) -> str:
    """Hash of a compiled function (with py_func and targetoptions) and of all that it calls, directly or not.

    Asked when it is first called: what it calls may stand below it.
    """
    found, waiting = {}, [compiled]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found[one], called = _own(one)
            waiting += called
    return hashlib.sha256("\0".join(sorted(found.values())).encode()).hexdigest()[:16]


def layout(kind) -> tuple:
    """The names of the fields of a type of numba, with those of its parts: compiled code knows a field by its place."""
    fields = getattr(getattr(kind, "instance_class", None), "_fields", ())
    return (*fields, *(inner for part in getattr(kind, "types", ()) if (inner := layout(part))))


def _own(compiled) -> tuple[str, tuple]:
    """(all that counts of this function alone, the compiled functions that it names)."""
    if compiled not in _dependencies:
        options, called = sorted((name, str(value)) for name, value in compiled.targetoptions.items()), []
        _dependencies[compiled] = f"{options}\0{_text(compiled.py_func, called)}", tuple(called)
    return _dependencies[compiled]


def _text(function: FunctionType, called: list) -> str:
    """A function's name, code and what it names; the compiled functions among that are added to the list."""
    named = (f"{name}={_value(value, called)}" for name, value in _named(function))
    return "\0".join((_place(function), *_code(function.__code__), *named))


def _code(code: CodeType) -> Iterator[str]:
    """What the bytecode says, with that of functions written within, but for docstrings and lines."""
    yield from (code.co_code.hex(), repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)))
    yield repr((code.co_argcount, code.co_kwonlyargcount, code.co_flags))
    for place, constant in enumerate(code.co_consts):
        if isinstance(constant, CodeType):
            yield from _code(constant)
        elif isinstance(constant, frozenset):
            yield repr(sorted(map(repr, constant)))
        elif place or not isinstance(constant, str):  # the first one is the docstring, where there is one
            yield repr(constant)


def _named(function: FunctionType) -> Iterator[tuple[str, object]]:
    """(name, value) of whatever a function may take from outside: more than it does where an attribute is called so."""
    names, scope = _names(function.__code__), function.__globals__
    yield from ((name, scope[name]) for name in names if name in scope)
    for module in {id(v): v for name in names if isinstance(v := scope.get(name), ModuleType)}.values():
        if module.__name__.split(".")[0] == __name__.split(".")[0]:
            yield from ((f"{module.__name__}.{name}", getattr(module, name)) for name in names if hasattr(module, name))
    yield from zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True)
    yield "", function.__defaults__


def _names(code: CodeType) -> list[str]:
    within = (_names(constant) for constant in code.co_consts if isinstance(constant, CodeType))
    return sorted({*code.co_names, *(name for names in within for name in names)})


def _value(value: object, called: list) -> str:
    """A value that a function names; a compiled function is added to the list instead.

    What is neither known nor written by its repr has its address there: then nothing kept is found, and nothing wrong.
    """
    if hasattr(value, "py_func"):
        called.append(value)
        return _place(value.py_func)
    if hasattr(value, "_defn"):  # it writes LLVM's own words where it is called
        return _text(value._defn, called)
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, type):
        return repr((_place(value), getattr(value, "_fields", ())))
    if hasattr(value, "tobytes"):
        return repr((str(value.dtype), value.shape, value.tobytes()))
    return _place(value) if getattr(value, "__module__", None) and hasattr(value, "__qualname__") else repr(value)


def _place(named) -> str:
    return f"{named.__module__}.{named.__qualname__}"
