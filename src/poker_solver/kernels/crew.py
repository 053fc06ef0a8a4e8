"""Threads that help compiled code: units of work are handed out inside it, never by Python.

A leader (compiled code that Python called on some thread) says that `count` units are to be done.
Every thread has its own share of them, the same in every phase of as many units, so that what a
unit reads and writes stays in the caches of one core. Whoever is done with its own share takes
units from the end of others' shares, the leader too. So nothing depends on helpers: one that comes
late, or is not scheduled, only leaves more to the others, and there is no barrier to wait at but
the end of units that are under way.

    hand_out(gate, code, record, count)   work(record, thread, unit) for each unit below count;
                                          thread 0 is the leader, helpers have the others
    call(code, record, unit)              the same once, by the leader
    code_of(work, record)                 the code of compiled work, for a record that is placed

Work is called by its address: were it linked into the leader, all of it would be compiled anew for
each leader, which takes seconds.

`gate` is what leader and helpers share, int64. It has a ticket for each thread: phase, end of its
share and next unit in one number, so that taking a unit is one compare-and-swap, and one that is
taken late, of a phase that is over, fails. Helpers spin for the next phase, each at its own ticket,
then yield, and after some milliseconds go back to Python, where they wait for the next call. A gate
has one leader at a time.
"""

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, TypeAlias

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import njit as typed_njit
from numba import types
from numba.extending import intrinsic as untyped_intrinsic

from poker_solver.kernels.arrays import I64

Builder: TypeAlias = ir.IRBuilder
Value: TypeAlias = ir.Value

njit: Any = typed_njit
intrinsic: Any = untyped_intrinsic

WORD = ir.IntType(64)

LINE = 8
"""Words of a cache line."""

DONE, CODE, RECORD, TICKETS = 0, LINE, LINE + 1, 2 * LINE
"""Places in a gate; the number of units done and every ticket on cache lines of their own."""

BITS = 20
MOST_UNITS = (1 << BITS) - 1

SPINS = 200
"""Looks at the gate, some microseconds, before a thread that waits gives way to others."""

PATIENCE = 4_000
"""Looks after which a helper goes back to Python: a few milliseconds."""

YIELD = "poker_solver_yield"
IS_X86 = llvmlite.binding.get_process_triple().startswith("x86_64")

_libc: Any = ctypes.windll.kernel32 if os.name == "nt" else ctypes.CDLL(None)  # type: ignore[attr-defined,unused-ignore]
_give_way: Any = _libc.SwitchToThread if os.name == "nt" else _libc.sched_yield
llvmlite.binding.add_symbol(YIELD, ctypes.cast(_give_way, ctypes.c_void_p).value)


def _place(context: Any, builder: Builder, gate: types.Type, value: Value, word: Value) -> Value:
    return builder.gep(context.make_array(gate)(context, builder, value).data, [word])


@intrinsic
def _look(typing: object, gate: types.Type, word: types.Type) -> Any:
    """A word, with all that was written before it was."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        return builder.load_atomic(_place(context, builder, gate, *given), "acquire", 8)

    return types.intp(gate, types.intp), generate


@intrinsic
def _put(typing: object, gate: types.Type, word: types.Type, value: types.Type) -> Any:
    """Write a word, after all that was written before."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        place = _place(context, builder, gate, *given[:2])
        builder.store_atomic(given[2], place, "release", 8)
        return context.get_dummy_value()

    return types.void(gate, types.intp, types.intp), generate


@intrinsic
def _swap(
    typing: object, gate: types.Type, word: types.Type, old: types.Type, new: types.Type
) -> Any:
    """Write a word if it still is the old one; whether it was."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        place = _place(context, builder, gate, *given[:2])
        found = builder.cmpxchg(place, given[2], given[3], "acq_rel", "acquire")
        return builder.extract_value(found, 1)

    return types.boolean(gate, types.intp, types.intp, types.intp), generate


@intrinsic
def _count(typing: object, gate: types.Type, word: types.Type) -> Any:
    """Add 1 to a word, after all that was written before."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        builder.atomic_rmw("add", _place(context, builder, gate, *given), WORD(1), "acq_rel")
        return context.get_dummy_value()

    return types.void(gate, types.intp), generate


def _known(builder: Builder, name: str, kind: ir.FunctionType) -> Value:
    return builder.module.globals.get(name) or ir.Function(builder.module, kind, name)


@intrinsic
def _pause(typing: object) -> Any:
    """Let the other thread of this core go first for a moment."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        if IS_X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(_known(builder, "llvm.x86.sse2.pause", kind), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _yield_core(typing: object) -> Any:
    """Let any other thread have this core."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        builder.call(_known(builder, YIELD, ir.FunctionType(ir.IntType(32), [])), [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def _address(typing: object, record: types.Type) -> Any:
    """Where a record is placed."""

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        return builder.ptrtoint(given[0], WORD)

    return types.intp(record), generate


@intrinsic
def _do(
    typing: object, code: types.Type, record: types.Type, thread: types.Type, unit: types.Type
) -> Any:
    """Call code with the address of a record."""
    kinds = types.voidptr, types.intp, types.intp

    def generate(context: Any, builder: Builder, signature: Any, given: Sequence[Value]) -> Value:
        convention = context.call_conv
        kind = convention.get_function_type(types.none, kinds)
        work = builder.inttoptr(given[0], kind.as_pointer())
        where = builder.inttoptr(given[1], context.get_value_type(types.voidptr))
        convention.call_function(builder, work, types.none, kinds, [where, *given[2:]])
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.intp, types.intp), generate


_inner = njit(cache=True, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)


@_inner
def _wait(looks: int) -> None:
    if looks < SPINS:
        _pause()
    else:
        _yield_core()


@_inner
def _phase(gate: I64, thread: int) -> int:
    phase: int = _look(gate, TICKETS + LINE * thread) >> 2 * BITS
    return phase


@_inner
def _take_from(gate: I64, thread: int, owner: int) -> bool:
    """Do a unit of an owner's share, its next or, as another thread, its last; whether any is left.

    Owners and thieves meet only at the last unit.
    """
    place = TICKETS + LINE * owner
    while True:
        ticket = _look(gate, place)
        unit, end = ticket & MOST_UNITS, (ticket >> BITS) & MOST_UNITS
        if unit >= end:
            return False
        left = ticket + 1
        if owner != thread:
            unit, left = end - 1, ticket - (1 << BITS)
        if _swap(gate, place, ticket, left):
            _do(gate[CODE], gate[RECORD], thread, unit)
            _count(gate, DONE)
            return True


@_inner
def _take_all(gate: I64, thread: int, threads: int) -> None:
    """Do units until none is left: the own share, then what is left of those that come after."""
    for k in range(threads):
        owner = (thread + k) % threads
        while _take_from(gate, thread, owner):
            pass


@_inner
def _lead(gate: I64, code: int, record: int, count: int) -> None:
    threads = len(gate) // LINE - 2
    gate[CODE], gate[RECORD] = code, record
    _put(gate, DONE, 0)
    phase = _phase(gate, 0) + 1
    for thread in range(threads - 1, -1, -1):
        begin, end = count * thread // threads, count * (thread + 1) // threads
        _put(gate, TICKETS + LINE * thread, phase << 2 * BITS | end << BITS | begin)
    _take_all(gate, 0, threads)
    looks = 0
    while _look(gate, DONE) < count:
        _wait(looks)
        looks += 1


_inlined = njit(inline="always")
"""What takes records of any type is compiled into its callers: the cache knows no foreign types."""


@_inlined
def hand_out(gate: I64, code: int, record: Any, count: int) -> None:
    """See the module's docstring; `count` is at most `MOST_UNITS`."""
    _lead(gate, code, _address(record), count)


@_inlined
def call(code: int, record: Any, unit: int) -> None:
    """See the module's docstring."""
    _do(code, _address(record), 0, unit)


@njit(cache=True, nogil=True, _nrt=False)
def _help(gate: I64, thread: int) -> None:
    looks, over, threads = 0, -1, len(gate) // LINE - 2
    while looks < PATIENCE:
        phase = _phase(gate, thread)
        if phase != over:
            _take_all(gate, thread, threads)
            looks, over = 0, phase
        else:
            _wait(looks)
            looks += 1


def code_of(work: Any, record: Any) -> int:
    """The address of compiled work, which takes a record like this one, a thread and a unit."""
    kind = record._numba_type_
    if (work, kind) not in _codes:
        compiled = work.get_compile_result(types.void(kind, types.intp, types.intp))
        name = compiled.fndesc.llvm_func_name
        _codes[work, kind] = compiled.library.get_pointer_to_function(name)
    return _codes[work, kind]


_codes: dict[tuple[Any, types.Type], int] = {}


class Crew:
    """A gate and its helpers, threads of Python that are called when there is something to do."""

    def __init__(self, threads: int) -> None:
        num_words = TICKETS + LINE * threads
        words: I64 = np.zeros(num_words + LINE, np.int64)
        self.gate = words[-(words.ctypes.data // 8) % LINE :][:num_words]
        self._calls = [Event() for _ in range(threads - 1)]
        for number, event in enumerate(self._calls):
            Thread(target=self._stand_by, args=(number + 1, event), daemon=True).start()

    def _stand_by(self, thread: int, event: Event) -> None:
        while True:
            event.wait()
            event.clear()
            _help(self.gate, thread)

    def call(self) -> None:
        """Have all helpers come that are not here."""
        for event in self._calls:
            event.set()


_free: dict[int, list[Crew]] = {}
if hasattr(os, "register_at_fork"):  # a copy of this process has none of its threads
    os.register_at_fork(after_in_child=_free.clear)


@contextmanager
def gate_of(threads: int) -> Iterator[I64]:
    """A gate of so many threads for one call of compiled code; crews are kept for the next."""
    crews = _free.setdefault(threads, [])
    try:
        crew = crews.pop()
    except IndexError:
        crew = Crew(threads)
    crew.call()
    try:
        yield crew.gate
    finally:
        crews.append(crew)
