"""What commands about full games print: notes, the plan, the summary with its certificate."""

import json
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from poker_solver.cli.output import STOPS, device_text, mix_text, number_table

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


def flops_text(config: "UnifiedConfig", plan: "FullPlan") -> str:
    """How many flops there are, and how many are in memory together."""
    total = len(config.flop_set())
    if total == plan.num_flops:
        return f"{total:,} flops"
    return f"{total:,} flops, {plan.num_flops:,} at a time"


def show(solution: "UnifiedSolution", flops: "FlopSet | None" = None, *, as_json: bool) -> None:
    """Print the summary, or the object that --json prints."""
    if as_json:
        typer.echo(json.dumps(solution.summary()))
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
    console.print(f"SB begins       {mix_text(actions, solution.preflop.strategy(0) @ share)}")
    gap, at_once = record.exploitability_mbb, solution.config.flop_batch_size
    where = f"the {record.num_flops:,} flops it was trained on"
    if record.num_flops > at_once:
        where = f"the last {at_once:,} of {record.num_flops:,} flops"
    console.print(f"exploitability  {gap:.3g} mbb on {where}")
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
