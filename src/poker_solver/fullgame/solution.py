"""What a full game's training found: preflop strategies, what lines are worth, a certificate."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards import cards_to_string, format_range
from poker_solver.cards.classes import parse_hand
from poker_solver.cfr.engine import check_arrays
from poker_solver.cfr.solve import in_file, sound_header
from poker_solver.config.base import CHIPS_PER_BB
from poker_solver.config.spot import Spot
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import ConfigError, FormatError, InputError, LineError
from poker_solver.fullgame.after_flop import AfterFlop
from poker_solver.fullgame.game import FullGame, full_game
from poker_solver.fullgame.lines import FullLine, cut_line, three_cards
from poker_solver.fullgame.rows import FlopRows, strategy_name
from poker_solver.fullgame.shipped import solution_path
from poker_solver.fullgame.training.estimate import Estimate
from poker_solver.games.betting import PLAYERS, POSITIONS
from poker_solver.games.full_game import full_game_rules
from poker_solver.postflop.game import PostflopGame
from poker_solver.postflop.solution.files import betting_fields
from poker_solver.preflop.ranges import leaf_reach
from poker_solver.preflop.solution import Line, PreflopSolution
from poker_solver.store.files import Arrays, read_file, write_file

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

KIND = "unified solution"

LEAST_SHARE = 1e-3
"""Of a range: the hands held least that are no more than this together are left out of spots. They
are what averages have left of hands that are folded, and make trees larger."""


@dataclass(frozen=True)
class Certificate:
    """The exact exploitability of a strategy: best responses that walked every board of its flops.

    Pairs are of BB and SB, in bb per hand.
    """

    num_flops: int  # 1,755 are all
    seconds: float
    best_response_bb: tuple[float, float]
    value_bb: tuple[float, float]
    gap_mbb: float  # the part that is given away after the flop to hands that come there

    @property
    def exploitability_mbb(self) -> float:
        """The mean gain of the two best responses."""
        return 500.0 * (sum(self.best_response_bb) - sum(self.value_bb))


@dataclass(frozen=True)
class TrainingRecord:
    """How a strategy was made."""

    num_flops: int  # trained on
    iterations: int  # of preflop
    epochs: int
    seconds: float
    device: str
    table_bytes: int  # the most that the tables took up
    exploitability_mbb: float  # in the game of the flops that taught it last
    value_bb: tuple[float, float]  # of BB and SB, likewise
    stopped: str  # target, iterations, seconds or interrupted
    corrections: int = 0  # how often its flops were weighted anew and trained again
    sampled_flops: int = 0  # that the exploitability was measured on, if not on all
    sampled_mbb: tuple[float, float] | None = None  # its bounds there; they hold on average
    sampled_error_mbb: float = 0.0  # standard error of the upper one


def sampled_fields(found: Estimate) -> dict[str, Any]:
    """What a record says of a strategy that was measured on a sample of its flops."""
    return {
        "sampled_flops": found.num_flops,
        "sampled_mbb": found.bounds_mbb,
        "sampled_error_mbb": found.error_mbb,
    }


@dataclass(frozen=True, eq=False)
class PreflopStrategy:
    """What is played before the flop, hand by hand."""

    solution: PreflopSolution

    def get_root_probs(self, hand: str) -> dict[str, float]:
        """How often a hand (`AKs`, `AKo`, `77`, `AhKh`) begins with each action, on the button."""
        index = parse_hand(hand)[0]
        if index not in self.solution.deal.classes:
            raise InputError(f"hand {hand!r} is not dealt in this game")
        mix = self.solution.strategy(0)[:, self.solution.deal.classes.index(index)]
        return dict(zip(self.solution.tree.actions(0), mix.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class UnifiedSolution:
    """One strategy for a whole game; V nodes before the flop, K lines, C classes.

    After the flop it is "solve this line from these ranges": `spot` says what to solve, and flop
    rows have what a lift found.
    """

    config: UnifiedConfig
    sums: F64  # [V, C] preflop's average strategy, not normalised
    leaf_values: F64  # [2, K, C] bb per deal that BB's and SB's classes win at every line
    record: TrainingRecord
    certificate: Certificate | None = None
    hands: tuple[int, ...] | None = None  # the classes that are dealt; None: all 169
    rows: FlopRows | None = None  # strategies and values on flops, where a lift has kept them
    course: F32 | None = None  # [T + 1, 2, K, C] ranges of all iterations, to lift by, if kept

    def __post_init__(self) -> None:
        shapes = solution_shapes(self.game)
        check_arrays({"sums": self.sums, "leaf_values": self.leaf_values}, shapes)
        if self.course is not None:
            check_arrays({"course": self.course[0]}, {"course": shapes["leaf_values"]})
        if self.rows is not None and self.rows.of != strategy_name(self.game, self.sums):
            raise InputError("these flop rows are of another strategy")

    @cached_property
    def game(self) -> FullGame:
        """The rules, the tree before the flop and the lines that see one."""
        return full_game(full_game_rules(self.config), self.hands)

    @property
    def value_bb(self) -> tuple[float, float]:
        """What BB and SB win per hand; as certified, if it is."""
        return (self.certificate or self.record).value_bb

    @property
    def exploitability_mbb(self) -> float:
        """As certified; else in the game of the flops that it was trained on."""
        return (self.certificate or self.record).exploitability_mbb

    @cached_property
    def preflop(self) -> PreflopSolution:
        """The part before the flop, with what lines that see one are worth."""
        game, record, gap_bb = self.game, self.record, self.exploitability_mbb / 1000
        betting = self.config.preflop_betting
        pot_bb = (sum(betting.blind_chips) + 2 * betting.ante_chips) / CHIPS_PER_BB
        return PreflopSolution(
            config=self.config,
            tree=game.tree,
            deal=game.deal,
            policy_sum=self.sums,
            iterations=record.iterations,
            seconds=record.seconds,
            exploitability_bb=gap_bb,
            exploitability_pct=100 * gap_bb / pot_bb,
            value_bb=self.value_bb,
            curve=(),
            stopped=record.stopped,
            leaf_values=self.leaf_values,
        )

    def preflop_strategy(self) -> PreflopStrategy:
        """What is played before the flop, hand by hand."""
        return PreflopStrategy(self.preflop)

    def find_line(self, line: Line) -> int:
        """The number of a line that sees a flop, as in `SBr2.5 BBc`."""
        history = self.preflop.history(line)
        found = [k for k, one in enumerate(self.game.lines) if one.history == history]
        if not found:
            seen = ", ".join(map(str, self.game.lines))
            raise LineError(f"no flop is seen with chips behind after {line!r}, but after {seen}")
        return found[0]

    def line_at(self, node: int) -> int | None:
        """The number of the line that ends at a node before the flop; None if none does."""
        return self._numbers.get(node)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {node: number for number, node in enumerate(self.game.leaves.tolist())}

    def locate(self, line: str | Sequence[str]) -> FullLine:
        """A line as text, `SBr2.5 BBc | QsJh2h x b33% c 7d`, or as its tokens.

        What is played before the flop is checked, and so is that a flop is seen.
        """
        text, flop, after = cut_line(line)
        before = self.preflop.history(text)
        before = self.game.tree.history(self.game.tree.node_at(before))
        if not flop:
            return FullLine(before)
        self.find_line(before)
        return FullLine(before, cards_to_string(three_cards(flop)), after)

    @cached_property
    def after_flop(self) -> AfterFlop:
        """Any flop, turn or river, looked up or solved when it is asked for."""
        return AfterFlop(self)

    @cached_property
    def ranges(self) -> F64:
        """[2, K, 1326] how often BB and SB come to every line with each hand."""
        reach = leaf_reach(self.game.tree, self.sums, self.game.leaves)
        return self.game.by_combo(reach)

    def range_texts(self, line: Line) -> tuple[str, str]:
        """The ranges of BB and SB at the end of a line that sees a flop."""
        big, small = self.ranges[:, self.find_line(line)]
        return _playable_text(big), _playable_text(small)

    def spot_game(self, line: int, flop: Sequence[int]) -> PostflopGame:
        """What is played on a flop, from the ranges that come there."""
        found = self.game.lines[line]
        big, small = self.ranges[:, line]
        if not (big.any() and small.any()):
            raise InputError(f"nobody comes to {found}: there are no ranges to play with")
        return PostflopGame(tuple(flop), self.ranges[:, line], found.betting)

    def spot(self, line: Line, flop: str) -> Spot:
        """A flop after a line as a spot to solve: both ranges, pot, stack, sizes."""
        number = self.find_line(line)
        fields = {**betting_fields(self.spot_game(number, three_cards(flop))), "bb": CHIPS_PER_BB}
        for name, weights in zip(PLAYERS, self.ranges[:, number], strict=True):
            fields[name] = {"range": _playable_text(weights), **fields[name]}
        return Spot.from_mapping(fields)

    def save(self, path: str | Path) -> None:
        """Write all of it, flop rows too; `load` reads it back bit for bit."""
        header, arrays = self.header(), self.arrays()
        if self.rows is None:
            write_file(path, KIND, header, arrays)
            return
        read, mapped = self.rows.arrays()
        write_file(path, KIND, {**header, **self.rows.header()}, {**arrays, **read}, mapped)

    def header(self) -> dict[str, Any]:
        """What files say about it, flop rows aside."""
        return {
            "config": self.config.to_mapping(),
            "fingerprint": self.config.fingerprint(),
            "hands": list(self.game.deal.classes),
            "lines": [str(line) for line in self.game.lines],
            "certificate": None if self.certificate is None else asdict(self.certificate),
            "record": asdict(self.record),
        }

    def arrays(self) -> Arrays:
        """What files keep of it, flop rows aside."""
        found: Arrays = {"sums": self.sums, "leaf_values": self.leaf_values}
        return found if self.course is None else {**found, "course": self.course}

    @classmethod
    def load(cls, name_or_path: str | Path, *, config: UnifiedConfig | None = None) -> Self:
        """Read what `save` wrote, or a game that comes solved by its name, as in `hu_20`.

        With `config`, one of another game is refused.
        """
        path = solution_path(name_or_path)
        return cls.take(path, *read_file(path, KIND), config)

    @classmethod
    def take(
        cls,
        path: str | Path,
        header: Mapping[str, Any],
        arrays: Arrays,
        config: UnifiedConfig | None = None,
    ) -> Self:
        """Out of a file's header and arrays; those of another game than `config` are refused."""
        with sound_header(path):
            try:
                held = UnifiedConfig.from_mapping(header["config"])
            except ConfigError as error:
                raise FormatError(f"{path}: its config is broken: {error}") from error
            hands = tuple(int(hand) for hand in header["hands"])
            if not hands:
                raise ValueError("a game of no hands")
            record = TrainingRecord(**_with_pairs(header["record"]))
            proof = header["certificate"] and Certificate(**_with_pairs(header["certificate"]))
        if held.fingerprint() != header.get("fingerprint"):
            raise FormatError(f"{path}: its config does not match its fingerprint")
        if config is not None and config.fingerprint() != held.fingerprint():
            raise FormatError(
                f"{path} holds {held.name} ({held.fingerprint()[:16]}), asked for "
                f"{config.name} ({config.fingerprint()[:16]})"
            )
        with in_file(path):
            game = full_game(full_game_rules(held), hands)
            rows = FlopRows.take(path, header, arrays, game) if "rows" in header else None
            course = arrays.pop("course", None)
            check_arrays(arrays, solution_shapes(game))
            sums, leaf_values = arrays["sums"], arrays["leaf_values"]
            return cls(held, sums, leaf_values, record, proof, hands, rows, course)

    def summary(self) -> dict[str, Any]:
        """What `unified --json` and `certify --json` print."""
        record, proof = self.record, self.certificate
        found: dict[str, Any] = {
            "config": self.config.name,
            "stack_bb": self.config.stack_bb,
            "flops": record.num_flops,
            "epochs": record.epochs,
            "corrections": record.corrections,
            "iterations": record.iterations,
            "seconds": round(record.seconds, 3),
            "device": record.device,
            "table_bytes": record.table_bytes,
            "value_bb": _by_seat(self.value_bb),
            "exploitability_mbb": self.exploitability_mbb,
            "certified": None,
        }
        if record.sampled_mbb is not None:
            lower, upper = record.sampled_mbb
            found["sampled"] = {
                "flops": record.sampled_flops,
                "lower_mbb": lower,
                "upper_mbb": upper,
                "error_mbb": record.sampled_error_mbb,
            }
        if proof is not None:
            found["certified"] = {
                "flops": proof.num_flops,
                "seconds": round(proof.seconds, 3),
                "best_response_bb": _by_seat(proof.best_response_bb),
            }
        return found

    def preflop_summary(self, line: Line = "") -> dict[str, Any]:
        """What `hunl --json` prints for a line before the flop."""
        whole, found = self.summary(), self.preflop.summary(line)
        found["exploitability"]["mbb"] = self.exploitability_mbb
        return {**found, "flops": whole["flops"], "certified": whole["certified"]}


def solution_shapes(game: FullGame) -> dict[str, tuple[int, ...]]:
    """Of the arrays that every solution of a game has."""
    return {
        "sums": (game.tree.num_nodes, game.num_classes),
        "leaf_values": (2, len(game.lines), game.num_classes),
    }


def _playable_text(weights: F64) -> str:
    """[1326] as range text that a spot takes, without the hands that hardly ever come."""
    ordered = np.sort(weights)
    below = np.searchsorted(np.cumsum(ordered), LEAST_SHARE * weights.sum(), side="right")
    return format_range(np.where(weights < ordered[below], 0.0, weights))


def _with_pairs(fields: dict[str, Any]) -> dict[str, Any]:
    """Entries of a header, pairs as tuples again."""
    return {name: tuple(v) if isinstance(v, list) else v for name, v in fields.items()}


def _by_seat(amounts: tuple[float, float]) -> dict[str, float]:
    return {POSITIONS[player]: amounts[player] for player in (1, 0)}
