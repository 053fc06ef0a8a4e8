"""What a preflop solve found, asked by line of play: strategies, ranges, EVs; nothing is drawn.

The EV of a hand is what it takes out of the pot from its decision on, less what it still puts in:
folding is 0, and the two players' EVs sum to the pot less rake. Frequencies are over the deals that
get there. NaN means that nobody does. A game's value (`value_bb`) is what a player wins per hand,
blinds and antes included.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import hand_name
from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.solve import curve_array, in_file, read_curve, sound_header
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.preflop import Config, PreflopBetting
from poker_solver.errors import FormatError, InputError, LineError
from poker_solver.games.betting import BB, NONE, POSITIONS, SB, BettingRules
from poker_solver.games.notation import (
    ParsedSequence,
    format_history,
    parse_action_sequence,
    play_line,
)
from poker_solver.preflop.arrays import flop_nodes, kernel_tree, leaf_numbers
from poker_solver.preflop.deal import ClassDeal, class_deal
from poker_solver.preflop.ranges import node_reach, shares
from poker_solver.store.files import read_file, write_file
from poker_solver.trees.betting import BettingTree, build_betting_tree

if TYPE_CHECKING:
    from poker_solver.config.unified import UnifiedConfig
    from poker_solver.kernels.range_cfr.numba_loops import Leaves
    from poker_solver.kernels.range_cfr.on_numba import Evaluator

Float = NDArray[np.float64]
Line = str | ParsedSequence | Sequence[str]

KIND = "preflop solution"


@dataclass(frozen=True, eq=False)
class PreflopNode:
    """One point of the hand; H classes, A actions. Where the betting is over A is 0."""

    node: int
    history: tuple[str, ...]
    player: int  # 0 BB, 1 SB, -1 where the betting is over
    actions: tuple[str, ...]
    hands: tuple[str, ...]  # names of the H classes
    pot_bb: float
    behind_bb: tuple[float, float]  # BB, SB
    strategy: Float  # [A, H] of the player to act
    reach: Float  # [2, H] how often each player's own actions lead a class here
    combos: Float  # [H] combos of each class
    ev_actions_bb: Float  # [A, H] of the player to act
    ev_bb: Float  # [2, H] of each player's classes
    share: Float  # [2, H] of the deals that get here, those with this class; NaN if none does
    reached: float  # the part of all deals that gets here
    mean_ev_bb: tuple[float, float]  # of BB, SB, over the deals that get here
    equity: tuple[float, float]  # of the two ranges that get here, checked down
    hand_equity: Float  # [2, H] of each player's classes against the other's range, likewise

    @property
    def line(self) -> str:
        """`SBr2.5 BBr8`; empty at the root."""
        return format_history(self.history)

    @property
    def position(self) -> str:
        """`SB`, `BB`, or empty where the betting is over."""
        return "" if self.player == NONE else POSITIONS[self.player]

    @property
    def frequency(self) -> Float:
        """[A] over the deals that get here; NaN if none does."""
        shares: Float = self.strategy @ self.share[self.player]
        return shares


@dataclass(frozen=True, eq=False)
class PreflopSolution:
    """Average strategies for a config, and how far from equilibrium they are.

    Those of a full game come with what the lines that see a flop are worth; without, flops are
    checked down.
    """

    config: "Config | UnifiedConfig"
    tree: BettingTree
    deal: ClassDeal
    policy_sum: Float  # [V, H] the average strategy, not normalised
    iterations: int
    seconds: float
    exploitability_bb: float
    exploitability_pct: float  # of the starting pot
    value_bb: tuple[float, float]  # BB, SB
    curve: tuple[tuple[int, float], ...]  # (iteration, exploitability in % of the starting pot)
    stopped: str  # target, iterations, seconds or interrupted
    leaf_values: Float | None = None
    """[2, K, H] bb per deal that BB's and SB's classes win where a flop is seen, in tree order."""

    @property
    def betting(self) -> PreflopBetting:
        """Blinds, ante, stack, sizes."""
        assert self.tree.rules.preflop is not None
        return self.tree.rules.preflop

    @property
    def stack_chips(self) -> int:
        """What each player starts with, before ante and blinds."""
        return self.betting.all_in_chips + self.betting.ante_chips

    @property
    def hands(self) -> tuple[str, ...]:
        """Names of the classes, in the order of every array."""
        return tuple(hand_name(index) for index in self.deal.classes)

    @cached_property
    def is_model(self) -> bool:
        """Whether a flop can be seen with chips behind that is valued as if checked down."""
        return self.leaf_values is None and len(flop_nodes(self.tree)) > 0

    def history(self, line: Line) -> tuple[str, ...]:
        """A line as a history of this game: text, parsed, or a history already."""
        if isinstance(line, str):
            line = parse_action_sequence(line)
        if isinstance(line, ParsedSequence):
            if line.stack not in (None, stack := self.stack_chips / CHIPS_PER_BB):
                raise LineError(
                    f"this was solved at {stack:g} bb, the line asks for {line.stack:g} bb"
                )
            return play_line(line, self.betting).history
        return tuple(line)

    def strategy(self, node: int) -> Float:
        """[A, H] average strategy of the player to act; uniform where he never gets."""
        children = self.tree.children(node)
        return shares(self.policy_sum[children.start : children.stop])

    def reach(self, history: Sequence[str]) -> Float:
        """[2, H] how often each player's own actions lead a class along the history."""
        return node_reach(self.tree, self.policy_sum, self.tree.node_at(history))

    def node(self, line: Line = "") -> PreflopNode:
        """Everything about the point a line leads to."""
        history = self.history(line)
        node = self.tree.node_at(history)
        here, strategy, reach = self.tree.betting(node), self.strategy(node), self.reach(history)
        player, ante = here.actor, self.betting.ante_chips
        paid = here.bets[BB] + ante, here.bets[SB] + ante
        behind_big, behind_small = (self.stack_chips - chips for chips in paid)
        ev_actions = np.full(strategy.shape, np.nan)
        for which, child in enumerate(self.tree.children(node)):
            ev_actions[which] = self._ev_bb(child, player, reach, paid)
        ev = np.stack([self._ev_bb(node, p, reach, paid) for p in (0, 1)])
        meeting = self.deal.pairs * np.outer(reach[0], reach[1])  # [H of BB, H of SB]
        deals = np.stack([meeting.sum(axis=1), meeting.sum(axis=0)])
        total = float(meeting.sum())
        won = float((meeting * self.deal.equity).sum() / total) if total > 0 else np.nan
        return PreflopNode(
            node=node,
            history=history,
            player=player,
            actions=self.tree.actions(node),
            hands=self.hands,
            pot_bb=sum(paid) / CHIPS_PER_BB,
            behind_bb=(behind_big / CHIPS_PER_BB, behind_small / CHIPS_PER_BB),
            strategy=strategy,
            reach=reach,
            combos=self.deal.combos,
            ev_actions_bb=ev_actions,
            ev_bb=ev,
            share=deals / total if total > 0 else np.full_like(deals, np.nan),
            reached=total / self.deal.num_deals,
            mean_ev_bb=(_mean(ev[0], deals[0]), _mean(ev[1], deals[1])),
            equity=(won, 1.0 - won),
            hand_equity=np.stack([self._hand_equity(reach[1 - p]) for p in (0, 1)]),
        )

    def summary(self, line: Line = "") -> dict[str, Any]:
        """What `hunl --json` prints for the line."""
        node = self.node(line)
        return {
            "config": self.config.name,
            "stack_bb": _plain(self.stack_chips / CHIPS_PER_BB),
            "iterations": self.iterations,
            "seconds": round(self.seconds, 3),
            "exploitability": {"bb": self.exploitability_bb, "pct_pot": self.exploitability_pct},
            "value_bb": {POSITIONS[player]: self.value_bb[player] for player in (SB, BB)},
            "line": node.line,
            "player": node.position or None,
            "pot_bb": _plain(node.pot_bb),
            "actions": list(node.actions),
            "frequency": [_rounded(p) for p in node.frequency] if node.actions else [],
            "hands": {
                name: [_rounded(p) for p in node.strategy[:, h]]
                for h, name in enumerate(node.hands if node.actions else ())
            },
        }

    def save(self, path: str | Path) -> None:
        """Write the solution; `load` reads it back bit for bit."""
        if not isinstance(self.config, Config):
            raise InputError("this is part of a full game, which is saved as a whole")
        header = {
            **game_header(self.config, self.deal),
            "iterations": self.iterations,
            "seconds": self.seconds,
            "exploitability_bb": self.exploitability_bb,
            "exploitability_pct": self.exploitability_pct,
            "value_bb": dict(zip(POSITIONS, self.value_bb, strict=True)),
            "stopped": self.stopped,
        }
        arrays = {"policy_sum": self.policy_sum, "curve": curve_array(self.curve)}
        write_file(path, KIND, header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote."""
        header, arrays = read_file(path, KIND)
        curve = read_curve(path, arrays)
        config, deal = read_deal(path, header)
        tree = build_betting_tree(BettingRules(config.betting))
        with in_file(path):
            check_arrays(arrays, {"policy_sum": (tree.num_nodes, len(deal.classes))})
        with sound_header(path):
            big, small = (float(header["value_bb"][name]) for name in POSITIONS)
            return cls(
                config=config,
                tree=tree,
                deal=deal,
                policy_sum=arrays["policy_sum"],
                iterations=int(header["iterations"]),
                seconds=float(header["seconds"]),
                exploitability_bb=float(header["exploitability_bb"]),
                exploitability_pct=float(header["exploitability_pct"]),
                value_bb=(big, small),
                curve=curve,
                stopped=str(header["stopped"]),
            )

    def _ev_bb(self, node: int, player: int, reach: Float, paid: tuple[int, int]) -> Float:
        """[H] EV of a player's classes from where both have paid this and get like this, to a node.

        The kernel has what a hand wins over the whole game: what was paid is no longer lost.
        """
        other = reach[1 - player]
        cfv = self._evaluator.values(self.policy_sum, player, node, other, self._leaves[player])[1]
        net = _per_deal(cfv, self.deal.pairs @ other / self.deal.num_deals)
        return net + paid[player] / CHIPS_PER_BB

    def _hand_equity(self, other: Float) -> Float:
        """[H] equity of each class against a range that the other player reaches like this."""
        return _per_deal((self.deal.pairs * self.deal.equity) @ other, self.deal.pairs @ other)

    @cached_property
    def _evaluator(self) -> "Evaluator":
        from poker_solver.kernels.range_cfr.on_numba import Evaluator

        leaves = None if self.leaf_values is None else flop_nodes(self.tree)
        return Evaluator(kernel_tree(self.tree, self.deal.num_deals, leaves), self.deal.hands)

    @cached_property
    def _leaves(self) -> "list[Leaves | None]":
        """Of each player, what lines that see a flop are worth, where that is known."""
        from poker_solver.kernels.range_cfr.numba_loops import Leaves

        if self.leaf_values is None:
            return [None, None]
        numbers = leaf_numbers(self.tree, flop_nodes(self.tree))
        return [Leaves(numbers, own, own) for own in np.ascontiguousarray(self.leaf_values)]


def game_header(config: Config, deal: ClassDeal) -> dict[str, Any]:
    """What files say about the game they are of."""
    return {
        "config": config.model_dump(mode="json"),
        "fingerprint": config.fingerprint(),
        "hands": list(deal.classes),
    }


def read_deal(path: str | Path, header: Mapping[str, Any]) -> tuple[Config, ClassDeal]:
    """The game of a file's header; one that does not match its fingerprint is refused."""
    with sound_header(path):
        config, fingerprint = Config(**header["config"]), header["fingerprint"]
        deal = class_deal([int(index) for index in header["hands"]])
    if config.fingerprint() != fingerprint:
        raise FormatError(f"{path}: its config does not match its fingerprint")
    return config, deal


def _per_deal(total: Float, deals: Float) -> Float:
    """NaN where there is no deal."""
    out: Float = np.divide(total, deals, out=np.full_like(total, np.nan), where=deals > 0)
    return out


def _mean(ev: Float, weight: Float) -> float:
    held = weight > 0
    return float(ev[held] @ weight[held] / weight.sum()) if held.any() else float("nan")


def _rounded(probability: float) -> float | None:
    return None if np.isnan(probability) else round(float(probability), 6)


def _plain(amount: float) -> float:
    return int(amount) if amount == int(amount) else amount
