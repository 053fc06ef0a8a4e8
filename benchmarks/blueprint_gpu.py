"""Rows over all 1,755 flops on a CUDA GPU: seconds a sweep, and mbb against time.

The table comes in pieces. One call does as many as end within nine minutes and records them; the
next one, on the same commit, goes on with those that are left. Maps of turns are made once and kept
in the user's cache. Exploitability is estimated on a sample of flops, the same for all rows.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import torch

from benchmarks.__main__ import RESULTS, commit
from benchmarks.rows import Row, once
from poker_solver.abstraction.maps import find_row_maps
from poker_solver.cards.flops import FlopSet, all_flops, flop_subset
from poker_solver.config.unified import UnifiedConfig
from poker_solver.config.unified_fields import RowsConfig
from poker_solver.fullgame.game import full_game
from poker_solver.fullgame.solution import TrainingRecord, UnifiedSolution
from poker_solver.fullgame.solver import UnifiedSolver
from poker_solver.fullgame.training.engines import LineEngines, Machine
from poker_solver.fullgame.training.row_plan import (
    RowPlan,
    open_rows,
    plan_rows,
    sampled_schedule,
)
from poker_solver.fullgame.training.sampled import SampledTrunk
from poker_solver.fullgame.training.trunk import Preflop
from poker_solver.games.full_game import full_game_rules

CALL_SECONDS = 500.0
"""That a call may take, so that it ends within nine minutes."""

SAMPLE = 96
"""Flops that exploitability is estimated on."""

CERTIFIED = 95
Rows = Iterator[Row]


@dataclass(frozen=True)
class Piece:
    """A part of the table: rows whose cases begin with its name, in so many seconds at most."""

    name: str
    seconds: float
    measure: Callable[[str], Rows]


def run() -> Rows:
    """The pieces that are left and that there is time for; nothing without a GPU."""
    if not torch.cuda.is_available():
        return
    began, done = perf_counter(), recorded()
    for piece in pieces():
        left = CALL_SECONDS - (perf_counter() - began)
        if any(case.startswith(f"{piece.name}: ") for case in done) or piece.seconds > left:
            continue
        yield from piece.measure(piece.name)


def recorded() -> set[str]:
    """The cases that earlier calls measured on this commit, results written since or not."""
    if not RESULTS.exists():
        return set()
    with RESULTS.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["benchmark"] == "blueprint_gpu"]
    now = commit().rstrip("+")
    return {row["case"] for row in rows if row["commit"].rstrip("+") == now}


def pieces() -> list[Piece]:
    """Most wanted first."""
    sixteen = {"turn": {"emd": 100}, "river": {"quantiles": 16}}
    found = [Piece("hu_20 small", 60, partial(small, "hu_20", sixteen))]
    for game in ("hu_20", "hu_100"):
        found.append(Piece(f"{game} sweep", 150, partial(sweep, game, sixteen)))
    for game in ("hu_20", "hu_100"):
        when = (60, 180)
        found.append(Piece(f"{game} trained", 400, partial(curve, game, sixteen, 96, when, True)))
    others: list[tuple[str, dict[str, Any], int]] = [
        ("strength", {"turn": {"emd": 100}, "river": "strength"}, 96),
        ("quantiles 40", {"turn": {"emd": 100}, "river": {"quantiles": 40}}, 96),
        ("quantiles 8", {"turn": {"emd": 100}, "river": {"quantiles": 8}}, 96),
        ("emd 50", {"turn": {"emd": 50}, "river": {"quantiles": 16}}, 96),
        ("batches of 32", sixteen, 32),
        ("batches of 352", sixteen, 352),
    ]
    for name, rows, batch in others:
        measure = partial(curve, "hu_20", rows, batch, (60, 180), False)
        found.append(Piece(f"hu_20 {name}", 330, measure))
    return found


def opened(
    game: str, rows: dict[str, Any], batch: int, flops: FlopSet
) -> tuple[SampledTrunk, RowPlan, UnifiedConfig]:
    """A trunk over some flops with these rows, in 16 bits."""
    config, wanted = UnifiedConfig.load(game), RowsConfig.of(rows)
    played, schedule = full_game(full_game_rules(config)), sampled_schedule(config)
    plan = plan_rows(played, flops.flops, wanted, batch, device="cuda", precision="int16")
    plan.check()
    maps = find_row_maps(wanted, flops.flops)
    lines = LineEngines(played, schedule, Machine("cpu"))
    engines = open_rows(lines, flops, maps, plan)
    trunk = SampledTrunk(Preflop(played, schedule), flops, engines, schedule, batch)
    return trunk, plan, config


def small(game: str, rows: dict[str, Any], name: str) -> Rows:
    """A few flops: whether it runs at all, compiled and checked before the long pieces."""
    trunk, _, _ = opened(game, rows, 12, flop_subset(12))
    yield Row(f"{name}: first iteration of 12 flops, compiling", once(lambda: trunk.train(1)), "s")
    yield Row(f"{name}: another one", 1e3 * once(lambda: trunk.train(1)), "ms")
    trunk.train(40)
    yield Row(f"{name}: exploitability after 42", trunk.estimate(12).upper_mbb, "mbb")


def sweep(game: str, rows: dict[str, Any], name: str) -> Rows:
    """Seconds a sweep over all flops, from 96 of them; the ranking of hands is part of it."""
    began = perf_counter()
    trunk, plan, _ = opened(game, rows, 96, all_flops())
    yield Row(f"{name}: open all flops", perf_counter() - began, "s")
    yield Row(f"{name}: state", plan.state_bytes / 1e9, "GB", "25" if game == "hu_20" else "90")
    trunk.train(1)
    seconds = min(once(lambda: trunk.train(1)) for _ in range(3))
    share = 96 / len(trunk.flops)
    yield Row(f"{name}: all flops", seconds / share, "s")
    yield Row(f"{name}: elements of hands", plan.walked * share / seconds / 1e9, "G/s")
    engine, weights = trunk.row_engines[0], np.ones(3, np.float32)
    again = min(once(lambda: engine.run_some(trunk.batch(1), 0, 1, weights)) for _ in range(2))
    yield Row(f"{name}: one line, best responses of one player, 96 flops", 1e3 * again, "ms")
    yield Row(f"{name}: memory", trunk.used_bytes / 1e9, "GB")


def curve(
    game: str, rows: dict[str, Any], batch: int, when: tuple[int, ...], is_lifted: bool, name: str
) -> Rows:  # fmt: skip
    """Bounds of exploitability after so many seconds of training, and lifted if that is asked."""
    found, solution = trained(opened(game, rows, batch, all_flops()), when, name)
    yield from found
    if is_lifted:
        proof = UnifiedSolver.of(solution, device="cuda").certify(flop_subset(CERTIFIED))
        yield Row(f"{name}: lifted over {CERTIFIED} flops", proof.exploitability_mbb, "mbb")
        yield Row(f"{name}: lift and certificate", proof.seconds, "s")


def trained(
    given: tuple[SampledTrunk, RowPlan, UnifiedConfig], when: tuple[int, ...], name: str
) -> tuple[list[Row], UnifiedSolution]:
    """What is measured on the way, and what is played before the flop at the end."""
    (trunk, _, config), seconds, rows = given, 0.0, list[Row]()
    for until in when:
        while seconds < until:
            seconds += once(lambda: trunk.train(1))
        found = trunk.estimate(SAMPLE)
        case = f"{name}: after {until} s and {trunk.iteration} iterations"
        rows.append(Row(f"{case}, lower bound", found.lower_mbb, "mbb"))
        rows.append(Row(f"{case}, upper bound", found.upper_mbb, "mbb"))
        rows.append(Row(f"{case}, button's value", 1e3 * found.worth.mean[1], "mbb"))
    record = TrainingRecord(
        num_flops=len(trunk.flops), iterations=trunk.iteration, epochs=0, seconds=seconds,
        device="cuda", table_bytes=trunk.used_bytes, exploitability_mbb=found.upper_mbb,
        value_bb=found.worth.mean, stopped="seconds",
    )  # fmt: skip
    sums = trunk.preflop.state.policy_sum.copy()
    return rows, UnifiedSolution(config, sums, found.leaf_values, record)
