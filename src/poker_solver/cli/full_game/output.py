"""What commands about full games print: notes, the plan, the summary with its certificate."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from poker_solver.cli.output import STOPS, device_text, mix_text, number_table, print_json

if TYPE_CHECKING:  # imported where they are used: numba takes half a second that --help has not
    from poker_solver.cards.flops import FlopSet
    from poker_solver.config.unified import UnifiedConfig
    from poker_solver.fullgame.plan import FullPlan
    from poker_solver.fullgame.solution import Certificate, UnifiedSolution


def note(text: str) -> None:
    """Say something on standard error that is no mistake."""
    typer.echo(f"note: {text}", err=True)


def print_plan(config: "UnifiedConfig", plan: "FullPlan") -> None:
    """What the training takes, before anything is allocated."""
    from poker_solver.abstraction.maps import rules_text
    from poker_solver.config.unified_fields import RowsConfig
    from poker_solver.fullgame.training.row_plan import RowPlan
    from poker_solver.runtime.memory import gib
    from poker_solver.terminal import duration

    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
    console.print(f"{config.name}: {config.stack_bb:g} bb, {flops_text(config, plan)}")
    table = number_table("line", "elements", "memory")
    for line in plan.lines:
        table.add_row(str(line.line), f"{line.num_elements:,}", gib(line.num_bytes))
    table.add_row("all", f"{plan.num_elements:,}", gib(plan.num_bytes))
    console.print(table)
    free = "" if plan.free_bytes is None else f", {gib(plan.free_bytes)} free"
    took = duration(plan.iteration_seconds)
    console.print(f"on {device_text(plan.device, plan.threads)}{free}; about {took} per iteration")
    if isinstance(plan, RowPlan):
        size = f"{plan.batch_size:,} flops an iteration{plan.drawn.text}"
        console.print(f"rows {rules_text(config.rows or RowsConfig())}; {size}")


def flops_text(config: "UnifiedConfig", plan: "FullPlan") -> str:
    """How many flops there are, and how many are in memory together."""
    total = len(config.flop_set())
    if total == plan.num_flops:
        return f"{total:,} flops"
    return f"{total:,} flops, {plan.num_flops:,} at a time"


def show(solution: "UnifiedSolution", flops: "FlopSet | None" = None, *, as_json: bool) -> None:
    """Print the summary, or the object that --json prints."""
    if as_json:
        print_json(solution.summary())
        return
    from poker_solver.runtime.memory import gib
    from poker_solver.terminal import duration

    console = Console(highlight=False, markup=False, soft_wrap=True)
    record, proof, game = solution.record, solution.certificate, solution.game
    value = (record if proof is None else proof).value_bb[1]
    actions, share = game.tree.actions(0), game.deal.combos / game.deal.combos.sum()
    console.print(f"{solution.config.name}: {solution.config.stack_bb:g} bb")
    console.print()
    console.print(f"SB wins         {1000 * value:+.1f} mbb per hand")
    console.print(f"SB acts first   {mix_text(actions, solution.preflop.strategy(0) @ share)}")
    console.print(f"exploitability  {training_text(solution)}")
    if proof is None:
        console.print("certified       no")
    else:
        print_certificate(console, solution, proof, flops)
    certified = "" if proof is None else f", certified in {duration(proof.seconds)}"
    console.print(
        f"iterations      {record.iterations:,} on {record.device} in {duration(record.seconds)} "
        f"({STOPS[record.stopped]}){certified}"
    )
    console.print(f"memory          {gib(record.table_bytes)}")


def training_text(solution: "UnifiedSolution") -> str:
    """How exploitable the strategy is that was trained, and on which flops that was seen."""
    record, at_once = solution.record, solution.config.flop_batch_size
    if record.sampled_mbb is not None:
        bounds = bounds_text(record.sampled_mbb, record.sampled_error_mbb, record.sampled_flops)
        return f"{bounds}, hands sharing rows"
    gap = f"{record.exploitability_mbb:.3g} mbb on the"
    if record.num_flops > at_once:
        return f"{gap} last {at_once:,} of {record.num_flops:,} flops"
    return f"{gap} {record.num_flops:,} flops it was trained on"


def bounds_text(bounds: Sequence[float], error: float, num_flops: int) -> str:
    """Between what the exploitability lies, by a sample of flops; nothing is below 0."""
    lower, upper = (f"{max(0.0, bound):.3g}" for bound in bounds)
    if bounds[0] == bounds[1]:
        return f"{upper} mbb on all {num_flops:,} flops"
    return f"{lower} to {upper} mbb, +- {error:.2g}, by {num_flops:,} sampled flops"


def print_certificate(
    console: Console, solution: "UnifiedSolution", proof: "Certificate", flops: "FlopSet | None"
) -> None:
    """The exact exploitability, over which flops, and what best responses win."""
    over = f"{proof.num_flops:,} flops" if flops is None else over_text(solution, flops)
    console.print(
        f"certified       {proof.exploitability_mbb:.3g} mbb over {over}, "
        f"{proof.gap_mbb:.3g} of it after the flop"
    )
    big, small = (1000 * best for best in proof.best_response_bb)
    console.print(f"best responses  SB {small:+.1f} mbb, BB {big:+.1f} mbb")


def over_text(solution: "UnifiedSolution", flops: "FlopSet") -> str:
    """Which flops a certificate is over."""
    from poker_solver.cards.flops import all_flops

    own = solution.config.flop_set()
    weights = [dict(zip(of.flops, of.weights, strict=True)) for of in (flops, own)]
    if len(flops) == len(all_flops()):
        return "all 1,755 flops"
    if weights[0] == weights[1]:
        return f"the {len(flops):,} flops it was trained on"
    return f"{len(flops):,} flops"
