"""Records that compiled code reads through one address.

A kernel reads some eighty arrays. Given to compiled code in nested NamedTuples they are taken apart
into hundreds of arguments, at every call: that is a good half of what compiling takes, and a call
from Python takes as long as a small river. `place` writes a record into one block of memory, once;
compiled code gets the address, and reads the fields as it would those of the NamedTuple.

Compiled code takes a placed record for constant: numbers in it, and which arrays it has, are those
of when it was placed. What the arrays hold may change.

In memory, in words of 8 bytes: an array as numba has it (5 words and 2 for each axis; the fifth is
the data's address), a number as one word, None as nothing, a record in a record as its own words
or, if that is placed already, as its address.
"""

import hashlib
import struct
from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
from llvmlite import ir
from numba import extending as untyped_extending
from numba import typeof as untyped_typeof
from numba import types
from numba.core import cgutils as untyped_cgutils
from numba.core.typing import templates as untyped_templates
from numpy.typing import NDArray

from poker_solver.runtime.compiling import listen

listen()

Builder: TypeAlias = ir.IRBuilder
Value: TypeAlias = ir.Value

cgutils: Any = untyped_cgutils
extending: Any = untyped_extending
templates: Any = untyped_templates
typeof: Any = untyped_typeof

R = TypeVar("R", bound=tuple[Any, ...])

WORD = ir.IntType(64)
NAMED = types.NamedTuple, types.NamedUniTuple
"""Of fields of several types, and of one."""

DATA = 4
"""Which word of an array has the data's address; the sizes follow it."""


class RecordType(types.Type):
    """What compiled code knows of a placed record: the type of the NamedTuple."""

    def __init__(self, fields: Any) -> None:
        self.fields = fields
        named = hashlib.sha256(str(fields).encode()).hexdigest()[:12]  # in full it fills a page
        super().__init__(f"Record({fields.instance_class.__name__} {named})")

    def field(self, name: str) -> tuple[int, types.Type]:
        """The word at which a field begins, and its type."""
        index = self.fields.fields.index(name)
        return sum(map(num_words, self.fields.types[:index])), self.fields.types[index]


def field_type(record: types.Type, name: str) -> Any:
    """The type of a field, of a record that is placed or a NamedTuple."""
    fields: Any = record.fields if isinstance(record, RecordType) else record
    return fields.types[fields.fields.index(name)]


def num_words(kind: Any) -> int:
    """How many words something of this type takes."""
    if isinstance(kind, NAMED):
        return sum(num_words(part) for part in kind.types)
    if isinstance(kind, types.Array):
        return DATA + 1 + 2 * int(kind.ndim)
    return 0 if isinstance(kind, types.NoneType) else 1


class Placed(Generic[R]):
    """Records of one type in memory, one after another, and what they were placed from."""

    def __init__(self, records: Sequence[R]) -> None:
        self.records = records
        words: list[int] = []
        kinds: list[object] = []
        for record in records:
            _write(record, words, kinds if record is records[0] else [])
        self._numba_type_ = _type_of(tuple(kinds), records[0])
        self._words = np.array(words, np.int64)
        self.address = _address(self._words)


def place(*records: R) -> Any:
    """The first of these records as compiled code reads it; `nth` has the others.

    To a type checker it is whatever the kernel asks for.
    """
    return Placed(records)


_types: dict[object, RecordType] = {}


def _type_of(kinds: object, record: tuple[Any, ...]) -> RecordType:
    """Asked of numba once for each kind of record: it takes some microseconds for each array."""
    if kinds not in _types:
        _types[kinds] = RecordType(typeof(record))
    return _types[kinds]


def _address(array: NDArray[Any]) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


def _write(record: tuple[Any, ...], words: list[int], kinds: list[object]) -> None:
    """Append the words of a record, and what its type depends on."""
    kinds.append(type(record))
    for value in record:
        if isinstance(value, np.ndarray):
            shape = value.shape
            words += (0, 0, value.size, value.itemsize, _address(value), *shape, *value.strides)
            kinds += (value.dtype.char, len(shape), value.flags.num)
        elif isinstance(value, Placed):
            words.append(value.address)
            kinds.append(id(value._numba_type_))  # one for each kind, and kept
        elif isinstance(value, tuple):
            _write(value, words, kinds)
        else:
            words += _number(value)
            kinds.append(type(value))


def _number(value: object) -> tuple[int, ...]:
    if isinstance(value, np.float32):
        return struct.unpack("<q", struct.pack("<f4x", value))
    if isinstance(value, int | np.integer | np.bool_):
        return (int(value),)
    if value is None:
        return ()
    raise TypeError(f"a record cannot hold {type(value).__name__}")


@extending.register_model(RecordType)
class _RecordModel(extending.models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: object, kind: RecordType) -> None:
        super().__init__(manager, kind, WORD.as_pointer())


@extending.unbox(RecordType)
def _unbox(kind: RecordType, placed: Value, c: Any) -> Any:
    number = c.pyapi.object_getattr_string(placed, "address")
    address = c.pyapi.long_as_ulonglong(number)
    c.pyapi.decref(number)
    return extending.NativeValue(c.builder.inttoptr(address, WORD.as_pointer()))


@extending.infer_getattr
class _RecordFields(templates.AttributeTemplate):  # type: ignore[misc]
    key = RecordType

    def generic_resolve(self, record: RecordType, name: str) -> types.Type | None:
        if name not in record.fields.fields:
            return None
        kind = record.field(name)[1]
        return RecordType(kind) if isinstance(kind, NAMED) else kind


@extending.lower_getattr_generic(RecordType)
def _read_field(context: Any, builder: Builder, record: RecordType, at: Value, name: str) -> Value:
    word, kind = record.field(name)
    if isinstance(kind, NAMED):
        return _further(builder, at, word)
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    if not isinstance(kind, types.Array):
        return _read(builder, at, word, context.get_value_type(kind))
    array, axes = context.make_array(kind)(context, builder), range(int(kind.ndim))
    first = word + DATA + 1
    shape = [_read(builder, at, first + axis, WORD) for axis in axes]
    strides = [_read(builder, at, first + len(axes) + axis, WORD) for axis in axes]
    array.nitems, array.itemsize = (_read(builder, at, word + k, WORD) for k in (2, 3))
    array.data = _read(builder, at, word + DATA, array.data.type)
    array.shape = cgutils.pack_array(builder, shape, WORD)
    array.strides = cgutils.pack_array(builder, strides, WORD)
    array.meminfo = array.meminfo.type(None)
    array.parent = array.parent.type(None)
    return array._getvalue()


def _further(builder: Builder, at: Value, words: int) -> Value:
    return builder.gep(at, [ir.Constant(WORD, words)], inbounds=True)


def _read(builder: Builder, at: Value, word: int, kind: ir.Type) -> Value:
    """A word, as this type; the compiler may take it for constant."""
    pointer = builder.bitcast(_further(builder, at, word), kind.as_pointer())
    found = builder.load(pointer)
    found.set_metadata("invariant.load", builder.module.add_metadata([]))
    return found


@extending.intrinsic
def nth(typing: object, records: RecordType, index: types.Type) -> Any:
    """Of records that were placed together, the one with this number."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        words = ir.Constant(WORD, num_words(records.fields))
        return builder.gep(given[0], [builder.mul(given[1], words)])

    return records(records, types.intp), generate
