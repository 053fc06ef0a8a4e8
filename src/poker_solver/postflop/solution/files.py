"""A game as files keep it: the spot as it was written, and as arrays what no text has.

A game that nobody wrote has the same entries without ranges, and its weights as an array. Locks
whose hands were worked out, or that nobody wrote, are arrays too.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from poker_solver.cfr.solve import BROKEN
from poker_solver.config.sizes import format_sizes
from poker_solver.config.spot import STREETS, PlayerSizes, Spot
from poker_solver.config.spot_fields import line_text
from poker_solver.errors import ConfigError, FormatError, InputError
from poker_solver.games.betting import FLOP, PLAYERS
from poker_solver.postflop.game import PostflopGame
from poker_solver.store.files import Arrays
from poker_solver.trees.locks import LockedNode


def game_entries(game: PostflopGame, written: Spot | None) -> tuple[dict[str, Any], Arrays]:
    """What a header says of a game, and the arrays beside it."""
    header: dict[str, Any]
    arrays: Arrays = {}
    if written is None:
        arrays["weights"] = game.weights
        header = {"spot": betting_fields(game), "fingerprint": game.fingerprint()}
    else:
        header = {"spot": written.to_mapping(), "fingerprint": written.fingerprint()}
    if game.locks and (written is None or any(lock.wanted for lock in game.locks)):
        header["locks"] = [_lock_fields(lock) for lock in game.locks]
        arrays["lock_hands"] = np.stack([lock.hands for lock in game.locks])
        arrays["lock_policy"] = np.concatenate([lock.policy for lock in game.locks])
    return header, arrays


def read_game(
    path: str | Path, header: dict[str, Any], arrays: Arrays
) -> tuple[PostflopGame, Spot | None]:
    """The game a file is about, checked against its fingerprint, and its text if it has one."""
    written: Spot | None
    try:
        fields, fingerprint = header["spot"], header["fingerprint"]
        if "weights" in arrays:
            anybody = {name: {**fields[name], "range": "random"} for name in PLAYERS}
            spot, written = Spot.from_mapping({**fields, **anybody}), None
            game = PostflopGame(spot.cards, arrays.pop("weights"), spot.betting)
        else:
            spot = written = Spot.from_mapping(fields)
            game = PostflopGame.of(spot)
        if "locks" in header:
            game = replace(game, locks=_locks(game, header["locks"], arrays))
    except (*BROKEN, InputError, ConfigError) as error:
        raise FormatError(f"{path}: its spot is broken: {error}") from error
    if fingerprint != (written or game).fingerprint():
        name = str(fingerprint)[:16]
        raise FormatError(f"{path}: its spot does not match its fingerprint {name}")
    return game, written


def betting_fields(game: PostflopGame) -> dict[str, Any]:
    """The keys and values of a spot, ranges left out."""
    betting = game.betting
    players = {
        name: {
            word: _sizes_fields(streets[street], is_oop=name == "oop" and street > FLOP)
            for street, word in enumerate(STREETS, FLOP)
        }
        for name, streets in zip(PLAYERS, betting.sizes, strict=True)
    }
    if betting.lines:
        players = {name: {} for name in PLAYERS}
    return {
        "board": game.board,
        "pot": betting.pot,
        "stack": betting.stack,
        **players,
        "rake": betting.rake.model_dump(),
        "thresholds": betting.thresholds.model_dump(),
        "max_raises": betting.max_raises,
        **({"min_bet": betting.min_bet} if betting.min_bet > 1 else {}),
        **({"lines": [line_text(line) for line in betting.lines]} if betting.lines else {}),
        **({"bb": betting.big_blind} if betting.big_blind else {}),
        "overrides": [one.fields() for one in betting.overrides],
    }


def _sizes_fields(sizes: PlayerSizes, *, is_oop: bool) -> dict[str, str]:
    """What may be bet on a street; only OOP donks, after the flop."""
    fields = {"bet": format_sizes(sizes.bets), "raise": format_sizes(sizes.raises)}
    return {**fields, "donk": format_sizes(sizes.donks)} if is_oop else fields


def _lock_fields(lock: LockedNode) -> dict[str, Any]:
    wanted = None if lock.wanted is None else sorted(lock.wanted.items())
    return {
        "line": lock.line,
        "node": lock.node,
        "dealt": list(lock.dealt),
        "wanted": wanted,
        "is_open": lock.is_open,
    }


def _locks(
    game: PostflopGame, fields: list[dict[str, Any]], arrays: Arrays
) -> tuple[LockedNode, ...]:
    """Locks from the header's entries and the arrays, which are taken out."""
    hands, policies = arrays.pop("lock_hands"), arrays.pop("lock_policy")
    locks, begin = [], 0
    for entry, own in zip(fields, hands, strict=True):
        node = int(entry["node"])
        end = begin + int(game.tree.num_children[node])
        wanted = None if entry["wanted"] is None else {int(a): p for a, p in entry["wanted"]}
        locks.append(
            LockedNode(
                line=entry["line"],
                node=node,
                dealt=tuple(entry["dealt"]),
                hands=own,
                policy=policies[begin:end],
                wanted=wanted,
                is_open=bool(entry["is_open"]),
            )
        )
        begin = end
    if begin != len(policies):
        raise InputError(f"lock_policy has {len(policies)} rows, its locks want {begin}")
    return tuple(locks)
