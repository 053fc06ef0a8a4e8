"""Records of arrays whose fields say their axes; the sizes are checked when a record is made."""

from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_type_hints


def check_axes(record: Any) -> dict[str, int]:
    """Bind every axis letter once; a second, different size is an error."""
    sizes: dict[str, int] = {}
    kind: Any = type(record)
    for name, axes in _axes(kind).items():
        shape = getattr(record, name).shape
        if len(shape) != len(axes):
            wanted = ", ".join(axis for axis, _, _ in axes)
            raise ValueError(f"{name}: has shape {shape}, wants [{wanted}]")
        for (axis, letter, more), size in zip(axes, shape, strict=True):
            if not letter and size != more:
                raise ValueError(f"{name}: axis is {size}, wants {axis}")
            if letter and sizes.setdefault(letter, size - more) != size - more:
                raise ValueError(
                    f"{name}: axis {axis} is {size}, elsewhere {letter} is {sizes[letter]}"
                )
    return sizes


@cache
def _axes(kind: Any) -> dict[str, list[tuple[str, str, int]]]:
    """Each axis of the fields that say theirs: `T+1`, its letter `T` and what is added, 1."""
    hints, found = get_type_hints(kind, include_extras=True), {}
    for field in fields(kind):
        notes = get_args(hints[field.name])
        if len(notes) == 2 and isinstance(notes[1], str):
            parts = [(axis, *axis.partition("+")) for axis in notes[1].split()]
            found[field.name] = [
                (axis, "", int(axis)) if axis.isdigit() else (axis, letter, int(more or 0))
                for axis, letter, _, more in parts
            ]
    return found
