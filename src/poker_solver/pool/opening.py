"""The pool that somebody names: an address, `local`, `processes` or `inline`."""

from typing import Any

from poker_solver.errors import InputError
from poker_solver.pool.contract import Pool

NAMES = "an address as in 10.0.0.1:6379, auto, local, processes, processes:4 or inline"


def open_pool(name: str) -> Pool[Any]:
    """Find the workers of this name; refuses what is no name, or where nobody answers."""
    kind, colon, count = name.partition(":")
    if name == "inline":
        from poker_solver.pool.inline import InlinePool

        return InlinePool()
    if kind == "processes":
        if colon and not (count.isdecimal() and int(count) > 0):
            raise InputError(f"cluster is {name!r}, must be {NAMES}")
        from poker_solver.pool.processes import ProcessPool

        return ProcessPool(int(count) if colon else None)
    is_address = bool(kind) and kind != "inline" and count.isdecimal()
    if name not in ("auto", "local") and not is_address:
        if name.startswith("ray://"):
            raise InputError(
                f"cluster is {name!r}: run the command on a node of the cluster, as with "
                "`ray exec` or `ray job submit`, and give auto"
            )
        raise InputError(f"cluster is {name!r}, must be {NAMES}")
    from poker_solver.pool.on_ray import RayPool

    return RayPool(name)
