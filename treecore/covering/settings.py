"""What learners of rules can be told."""

from numbers import Real

from treecore.errors import TreecoreError


def checked(settings, **least: float) -> None:
    """TreecoreError unless the settings are of the kinds of their defaults, and none is below its least value."""
    for name, field in settings.__dataclass_fields__.items():
        value, usual = getattr(settings, name), field.default
        is_flag = isinstance(usual, bool)
        fits = isinstance(value, bool) if is_flag else isinstance(value, Real) and not isinstance(value, bool)
        whole = isinstance(usual, int) and not is_flag
        if fits and not is_flag:
            fits = value >= least.get(name, -float("inf")) and (not whole or value % 1 == 0)
        if not fits:
            kind = "true or false" if is_flag else f"a {'whole ' * whole}number of at least {least.get(name, 0):g}"
            raise TreecoreError(f"{value!r} is not possible", where=name, remedy=f"Give {kind}")
