"""The stored strategy of a full game: what any hand does on any board after any line, looked up.

It has decisions that were inserted one by one, or the tables of a training, or both: then what was
inserted is answered first. Amounts that the tree does not have are translated into its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import numpy as np

from poker_solver.cfr.solve import in_file, sound_header
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.errors import ConfigError, FormatError, InputError, NotFoundError, StrategyError
from poker_solver.fullgame.blueprint.keys import BlueprintKey
from poker_solver.fullgame.blueprint.points import BlueprintPoint, Mix, find_point
from poker_solver.fullgame.blueprint.tables import BlueprintTables, TableShape
from poker_solver.fullgame.rows import strategy_name
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.store.files import Arrays, read_file, write_file
from poker_solver.version import VERSION

KIND = "blueprint"

_KEPT_POINTS = 512
"""Lines whose decisions are kept for the next hand."""

_EVEN = 1e-6
"""Probabilities that are as near as this to a sum of 1 are taken."""


class BlueprintStrategy:
    """One strategy for a whole game, by key.

    Args:
        config: the game, if it is of one.
        solution: what is played before the flop.
        tables: what is played after it.
    """

    def __init__(
        self,
        config: UnifiedConfig | None = None,
        *,
        solution: UnifiedSolution | None = None,
        tables: BlueprintTables | None = None,
    ) -> None:
        self.config = config if solution is None else solution.config
        self.solution, self.tables = solution, tables
        self.version = VERSION  # of the program that wrote it
        self._entries: dict[BlueprintKey, Mix] = {}
        self._iterations = 0 if solution is None else solution.record.iterations
        self._point = lru_cache(maxsize=_KEPT_POINTS)(self._find_point)

    @classmethod
    def from_strategies(
        cls,
        strategies: Mapping[BlueprintKey | str, Mapping[str, float]],
        iterations: int = 0,
        config: UnifiedConfig | None = None,
    ) -> Self:
        """What some keys do, found in so many iterations."""
        found = cls(config)
        for key, mix in strategies.items():
            found.insert(key, mix)
        found.set_iterations(iterations)
        return found

    @property
    def iterations_trained(self) -> int:
        """How many iterations found it."""
        return self._iterations

    def set_iterations(self, iterations: int) -> None:
        """Say how many iterations found it."""
        if iterations < 0:
            raise InputError(f"iterations are {iterations}, must not be negative")
        self._iterations = int(iterations)

    def __len__(self) -> int:
        """Decisions of hands, classes or rows that are there."""
        before = 0
        if self.solution is not None:
            game = self.solution.game
            before = int(game.tree.is_decision.sum()) * game.num_classes
        return len(self._entries) + before + (0 if self.tables is None else self.tables.num_rows)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look up."""
        return len(self) == 0

    @property
    def fingerprint(self) -> str | None:
        """Of the game, if it is of one."""
        return None if self.config is None else self.config.fingerprint()

    def insert(self, key: BlueprintKey | str, mix: Mapping[str, float]) -> None:
        """Have a key, and all that renaming suits makes of it, played like this from now on."""
        found = {str(action): float(p) for action, p in mix.items()}
        total = sum(found.values())
        if not found or min(found.values()) < 0 or not abs(total - 1) <= _EVEN:
            raise StrategyError(f"{key}: probabilities {found} must not be negative and sum to 1")
        self._entries[_as_key(key).renamed()] = found

    def lookup(self, key: BlueprintKey | str) -> Mix:
        """How often a key plays each action; `NotFoundError` where that is not known."""
        wanted = _as_key(key)
        if self._entries and (entry := self._entries.get(wanted.renamed())) is not None:
            return dict(entry)
        if self.solution is None:
            raise NotFoundError(f"the blueprint does not have {wanted}")
        return self.at(wanted.line).mix_of(wanted.hand)

    def at(
        self,
        line: str | Sequence[str],
        rng: np.random.Generator | None = None,
        *,
        stack_chips: int | None = None,
    ) -> BlueprintPoint:
        """The decision after a line with any amounts: `SBr2.5 BBc | QsJh2h x b94`, or its tokens.

        Amounts that the tree does not have go to the likelier of its own, or, with `rng`, to one
        that is drawn. So do all amounts of a game that is played with stacks of `stack_chips`.
        """
        asked = line if isinstance(line, str) else tuple(line)
        if rng is None:
            return self._point(asked, stack_chips=stack_chips)
        return self._find_point(asked, rng, stack_chips)

    def _find_point(
        self,
        line: str | tuple[str, ...],
        rng: np.random.Generator | None = None,
        stack_chips: int | None = None,
    ) -> BlueprintPoint:
        if self.solution is None:
            raise NotFoundError("the blueprint has no tables, only keys that were inserted")
        return find_point(self.solution, self.tables, line, rng, stack_chips)

    def save(self, path: str | Path) -> None:
        """Write all of it; `load` reads it back bit for bit."""
        header: dict[str, Any] = {
            "config": None if self.config is None else self.config.to_mapping(),
            "fingerprint": self.fingerprint,
        }
        arrays, mapped = _entry_arrays(self._entries), dict[str, Any]()
        if self.solution is not None:
            header |= self.solution.header()
            arrays |= self.solution.arrays()
            if self.tables is not None:
                shape = self.tables.shape
                header["book"] = shape.header(strategy_name(shape.game, self.solution.sums))
                arrays |= shape.arrays()
                mapped = self.tables.mapped
        write_file(path, KIND, {**header, "iterations": self._iterations}, arrays, mapped)

    @classmethod
    def load(cls, path: str | Path, *, config: UnifiedConfig | None = None) -> Self:
        """Read what `save` or a `BlueprintWriter` wrote; with `config`, only of that game."""
        header, arrays = read_file(path, KIND)
        with sound_header(path):
            entries = dict(_entries(arrays))
            if header["config"] is None and config is not None:
                raise FormatError(f"{path} does not say of which game it is, asked for one")
            if "record" in header:
                found = cls._with_tables(path, header, arrays, config)
            else:
                found = cls(_config_of(path, header, config))
            found._entries, found.version = entries, str(header["version"])
            found._iterations = int(header.get("iterations", found._iterations))
        return found

    @classmethod
    def _with_tables(
        cls,
        path: str | Path,
        header: Mapping[str, Any],
        arrays: Arrays,
        config: UnifiedConfig | None,
    ) -> Self:
        own = {name: arrays.pop(name) for name in list(arrays) if name.startswith("book ")}
        solution = UnifiedSolution.take(path, header, arrays, config)
        if "book" not in header:
            return cls(solution=solution)
        book = header["book"]
        with in_file(path):
            shape = TableShape(
                solution.game,
                RowsConfig.of(book["rows"]),
                tuple(map(str, book["flops"])),
                own.pop("book boards"),
                own.pop("book rows"),
            )
        if strategy_name(solution.game, solution.sums) != book["of"]:
            raise FormatError(f"{path}: its tables are of another strategy")
        if book["actions"] != shape.action_names():
            raise FormatError(f"{path} was made for other actions than the game now has")
        want = {name: (a.shape, a.dtype) for name, a in shape.room().items()}
        if {name: (a.shape, a.dtype) for name, a in own.items()} != want:
            raise FormatError(f"{path}: its tables do not have the shape of its game")
        tables = BlueprintTables(shape, own)
        tables.expect_rivers(int(book["rivers"]))
        return cls(solution=solution, tables=tables)

    def summary(self) -> dict[str, Any]:
        """What `blueprint info --json` prints."""
        solution, tables = self.solution, self.tables
        found: dict[str, Any] = {
            "config": None if self.config is None else self.config.name,
            "stack_bb": None if self.config is None else self.config.stack_bb,
            "fingerprint": self.fingerprint,
            "version": self.version,
            "iterations": self.iterations_trained,
            "keys": len(self),
            "inserted": len(self._entries),
        }
        if solution is not None:
            whole = solution.summary()
            names = ("exploitability_mbb", "certified", "sampled")
            found |= {name: whole[name] for name in names if name in whole}
            found["lines"] = [str(line) for line in solution.game.lines]
        if tables is not None:
            shape = tables.shape
            found["flops"] = {"there": tables.num_done, "of": len(shape.flops)}
            found["rows"] = shape.rows.model_dump()
            found["decisions"] = shape.num_decisions
            found["table_bytes"] = tables.num_bytes
        return found

    def __repr__(self) -> str:
        name = "no game" if self.config is None else self.config.name
        return f"<BlueprintStrategy of {name}, {len(self):,} keys>"


def _as_key(key: BlueprintKey | str) -> BlueprintKey:
    return BlueprintKey.parse(key) if isinstance(key, str) else key


def _config_of(
    path: str | Path, header: Mapping[str, Any], wanted: UnifiedConfig | None
) -> UnifiedConfig | None:
    """The game of a file that has only keys."""
    if header["config"] is None:
        return None
    try:
        held = UnifiedConfig.from_mapping(header["config"])
    except ConfigError as error:
        raise FormatError(f"{path}: its config is broken: {error}") from error
    if held.fingerprint() != header["fingerprint"]:
        raise FormatError(f"{path}: its config does not match its fingerprint")
    if wanted is not None and wanted.fingerprint() != held.fingerprint():
        raise FormatError(f"{path} holds {held.name}, asked for {wanted.name}")
    return held


def _entry_arrays(entries: Mapping[BlueprintKey, Mix]) -> Arrays:
    """Keys and their actions as text, a line each, and the probabilities one after the other."""
    lines = [f"{key}\t{' '.join(mix)}" for key, mix in entries.items()]
    text = "\n".join(lines).encode()
    return {
        "entry text": np.frombuffer(text, np.uint8),
        "entry probabilities": np.array([p for mix in entries.values() for p in mix.values()]),
    }


def _entries(arrays: Arrays) -> Iterator[tuple[BlueprintKey, Mix]]:
    """What `_entry_arrays` made; a file that was being filled has none."""
    text = arrays.pop("entry text", np.zeros(0, np.uint8)).tobytes().decode()
    probabilities = iter(arrays.pop("entry probabilities", np.zeros(0)).tolist())
    for line in text.splitlines():
        key, _, actions = line.partition("\t")
        yield BlueprintKey.parse(key), {one: next(probabilities) for one in actions.split()}
