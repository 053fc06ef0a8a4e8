"""Who wants to know what is being compiled: the first solve on a machine takes seconds for that."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_told: list[Callable[[str], None]] = []


@contextmanager
def told_of_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """Within, `tell` gets the name of every function of ours that numba begins to compile."""
    _told.append(tell)
    try:
        if "numba" in sys.modules:
            listen()
        yield
    finally:
        _told.remove(tell)


def listen() -> None:
    """Have numba say what it compiles; to be called where it is loaded anyway, as often as not."""
    global _is_listening
    if _is_listening:
        return
    _is_listening = True
    from numba.core import event as untyped_event

    event: Any = untyped_event

    class Compiling(event.Listener):  # type: ignore[misc]
        def on_start(self, about: Any) -> None:
            function = about.data["dispatcher"].py_func
            if function.__module__.startswith("poker_solver."):
                for tell in tuple(_told):
                    tell(function.__name__.strip("_").replace("_", " "))

        def on_end(self, about: Any) -> None:
            pass

    event.register("numba:compile", Compiling())


_is_listening = False
