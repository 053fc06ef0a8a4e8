"""What a client has told so far: the tree to build, how to solve it, and the tree it has."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poker_solver.cards import NUM_COMBOS, cards_to_string
from poker_solver.cfr.options import POSTFLOP_TARGET_PCT, SolveOptions
from poker_solver.config.spot import Spot
from poker_solver.config.spot_fields import Amounts
from poker_solver.errors import InputError
from poker_solver.games.betting import PLAYERS
from poker_solver.protocols.upi.ids import RealNode
from poker_solver.protocols.upi.numbers import Float
from poker_solver.protocols.upi.running import Worker
from poker_solver.protocols.upi.tree import Hardware, Tree

NO_END = 10**9
"""More iterations than any solve does."""


@dataclass
class Settings:
    """What the next `build_tree` builds. Chips; pairs are of OOP and IP."""

    board: tuple[int, ...] = ()
    put_in: tuple[int, int] = (0, 0)  # before the tree begins
    pot: int = 0  # of earlier streets, on top of what was put in
    stack: int = 0  # of each player when the hand, or its first street, began
    rake: tuple[float, float] = (0.0, 0.0)  # rate and cap
    ranges: list[Float] = field(default_factory=lambda: [np.ones(NUM_COMBOS), np.ones(NUM_COMBOS)])
    lines: set[Amounts] = field(default_factory=set)

    def spot(self) -> Spot:
        """The spot that all this makes; a `ConfigError` lists all that is wrong."""
        paid = self.put_in[0]
        if self.put_in[1] != paid:
            raise InputError("set_pot: OOP and IP must have put in the same before the tree begins")
        fields: dict[str, Any] = {
            "board": cards_to_string(self.board),
            "pot": self.pot + 2 * paid,
            "stack": self.stack - paid,
            "rake": {"rate": self.rake[0], "cap": self.rake[1]},
        }
        streets: dict[str, Any] = (
            {} if self.lines else {street: {} for street in ("flop", "turn", "river")}
        )
        for name, weights in zip(PLAYERS, self.ranges, strict=True):
            fields[name] = {"range": weights, **streets}
        if self.lines:
            fields["lines"] = [[amount - paid for amount in line] for line in sorted(self.lines)]
        return Spot.from_mapping(fields)


@dataclass
class Client:
    """One client's."""

    worker: Worker
    hardware: Hardware
    settings: Settings = field(default_factory=Settings)
    info: dict[str, str] = field(default_factory=dict)  # `#Key#value` lines of a script
    accuracy: tuple[float, str] = (POSTFLOP_TARGET_PCT / 100, "fraction")
    info_every: int | None = None  # iterations between two reports; None for one every second
    tree: Tree | None = None
    end_string: str | None = None  # follows every answer
    is_over: bool = False  # the client has said `exit`

    def built(self) -> Tree:
        """The tree there is."""
        if self.tree is None:
            raise InputError("there is no tree; build_tree or load_tree first")
        return self.tree

    def place(self, words: Sequence[str]) -> RealNode:
        """The node that is asked about, by its name alone."""
        if len(words) != 1:
            raise InputError(f"want one node, as in r:0:c, not {len(words)} words")
        return self.built().ids.find(words[0])

    def decision(self, words: Sequence[str]) -> RealNode:
        """Likewise, where somebody acts."""
        place = self.place(words)
        if not self.built().betting.is_decision[place.node]:
            raise InputError(f"nobody acts at {words[0]}")
        return place

    def options(self, pot: int, **limits: Any) -> SolveOptions:
        """How to solve a tree with so much in the pot; an accuracy of 0 goes on until `stop`."""
        value, unit = self.accuracy
        target = 100.0 * (value if unit == "fraction" else value / pot)
        if target == 0:
            return SolveOptions(**{"max_iterations": NO_END, **limits})
        return SolveOptions(target=target, **limits)
