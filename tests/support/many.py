"""Another machine for many spots: its memory, its GPU, who solves."""

from dataclasses import replace
from typing import Any

import pytest

from poker_solver.postflop.many import scheduler


def pretend(monkeypatch: pytest.MonkeyPatch, **parts: Any) -> None:
    """Until the test is over, `solve_many` and all that uses it has these parts of a `Runtime`."""
    monkeypatch.setattr(scheduler, "HERE", replace(scheduler.HERE, **parts))
