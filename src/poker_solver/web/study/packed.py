"""A head and its arrays in one body, for numbers that a browser draws.

    bytes       field     value
    0-3         length    uint32, little endian, of the head with its padding
    4-          head      JSON in UTF-8, blanks at the end up to a multiple of 4 bytes
    then        arrays    float32, little endian, one after another

The head's `arrays` says of each name where it begins, in numbers from the first, and its shape.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

MEDIA_TYPE = "application/vnd.poker-solver.packed"


def pack(head: Mapping[str, Any], arrays: Mapping[str, NDArray[np.floating]]) -> bytes:
    """One body; NaN stays NaN in arrays and has no place in the head."""
    places, parts, begin = {}, [], 0
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array, "<f4")
        places[name] = {"begin": begin, "shape": list(plain.shape)}
        parts.append(plain.tobytes())
        begin += plain.size
    text = json.dumps({**head, "arrays": places}, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return len(text).to_bytes(4, "little") + text + b"".join(parts)


def unpack(body: bytes) -> tuple[dict[str, Any], dict[str, NDArray[np.float32]]]:
    """What `pack` was given."""
    length = int.from_bytes(body[:4], "little")
    head: dict[str, Any] = json.loads(body[4 : 4 + length])
    numbers = np.frombuffer(body, "<f4", offset=4 + length)
    arrays = {}
    for name, place in head.pop("arrays").items():
        size = int(np.prod(place["shape"]))
        arrays[name] = numbers[place["begin"] : place["begin"] + size].reshape(place["shape"])
    return head, arrays
