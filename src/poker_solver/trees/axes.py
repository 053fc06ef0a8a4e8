"""Records of arrays whose fields say their axes; the sizes are checked when a record is made."""

from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_type_hints


def check_axes(record: Any) -> dict[str, int]:
    """Bind every axis letter once; a second, different size is an error."""
    sizes: dict[str, int] = {}
    kind: Any = type(record)
    hints = _hints(kind)
    for field in fields(record):
        notes = get_args(hints[field.name])
        if len(notes) != 2 or not isinstance(notes[1], str):
            continue
        axes, shape = notes[1].split(), getattr(record, field.name).shape
        if len(shape) != len(axes):
            raise ValueError(f"{field.name}: has shape {shape}, wants [{', '.join(axes)}]")
        for axis, size in zip(axes, shape, strict=True):
            if axis.isdigit() and size != int(axis):
                raise ValueError(f"{field.name}: axis is {size}, wants {axis}")
            letter, _, more = axis.partition("+")
            if not axis.isdigit() and sizes.setdefault(letter, size - int(more or 0)) != (
                size - int(more or 0)
            ):
                raise ValueError(
                    f"{field.name}: axis {axis} is {size}, elsewhere {letter} is {sizes[letter]}"
                )
    return sizes


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)
