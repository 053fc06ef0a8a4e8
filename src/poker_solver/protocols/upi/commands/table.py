"""Every command by its name, and what it answers."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from poker_solver.errors import InputError
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.commands import (
    files,
    locking,
    preflop,
    reading,
    setting_up,
    solving,
)

Words = Sequence[str]
Work = Callable[[Client, Words], list[str] | None]


class Command(NamedTuple):
    """What to do; it answers `NAME ok!` if the work returns nothing."""

    work: Work
    while_solving: bool = False  # may be done while a solve is under way, beside it


def nothing(client: Client, words: Words) -> None:
    """Accepted, without effect."""


def stop(client: Client, words: Words) -> None:
    """Ask the solve to stop."""
    client.worker.stop()


def wait_for_solver(client: Client, words: Words) -> None:
    """Answer when the solve has stopped."""
    client.worker.wait()


def leave(client: Client, words: Words) -> None:
    """End the program."""
    client.worker.stop()
    client.is_over = True


def set_end_string(client: Client, words: Words) -> None:
    """`set_end_string END`: what follows every answer, this one too."""
    if len(words) != 1:
        raise InputError("want one word")
    client.end_string = words[0]


def reset_end_string(client: Client, words: Words) -> None:
    """Nothing follows answers any more."""
    client.end_string = None


def echo(client: Client, words: Words) -> list[str]:
    """The same words."""
    return [" ".join(words)]


NO_EFFECT = (
    "set_recalc_accuracy",
    "set_always_recalc",
    "set_isomorphism",
    "set_algorithm",
    "set_first_iteration_player",
    "set_adjust_strat",
    "ignore_mem_check",
    "small_strats",
    "round_up_to",
    "load_all_nodes",
    "estimate_rebuild_forgotten_streets",
    "clear_cache",
)
"""How PioSOLVER solves, saves memory or recomputes: there is no need of it here."""

_TREE = (
    setting_up.set_board,
    setting_up.set_pot,
    setting_up.set_eff_stack,
    setting_up.set_rake,
    setting_up.set_range,
    setting_up.add_line,
    setting_up.remove_line,
    setting_up.clear_lines,
    setting_up.build_tree,
    setting_up.free_tree,
    setting_up.set_accuracy,
    setting_up.set_info_freq,
    setting_up.set_threads,
    setting_up.add_info_line,
    setting_up.reset_tree_info,
    setting_up.show_tree_info,
    reading.show_node,
    reading.show_children,
    reading.show_all_lines,
    reading.show_strategy,
    reading.show_range,
    reading.show_effective_stack,
    reading.show_board_no_iso,
    reading.calc_ev,
    reading.calc_ev_pp,
    reading.calc_eq_node,
    reading.calc_eq_pp,
    reading.calc_eq,
    reading.calc_eq_preflop,
    reading.calc_global_freq,
    reading.calc_line_freq,
    reading.calc_matchups_line,
    reading.calc_results,
    reading.is_tree_present,
    locking.set_strategy,
    locking.set_equal_strats,
    locking.lock_node,
    locking.combo_lock_node,
    locking.unlock_node,
    locking.set_mes,
    files.load_tree,
    files.dump_tree,
    files.rebuild_forgotten_streets,
    solving.go,
    solving.solve_partial,
    solving.bench,
)

COMMANDS: dict[str, Command] = {
    **{work.__name__: Command(work) for work in _TREE},
    **{name: Command(nothing, while_solving=True) for name in (*NO_EFFECT, "is_ready")},
    **dict.fromkeys(preflop.NAMES, Command(preflop.refused)),
    "show_hand_order": Command(reading.show_hand_order, while_solving=True),
    "show_version": Command(reading.show_version, while_solving=True),
    "show_build_version": Command(reading.show_build_version, while_solving=True),
    "stop": Command(stop, while_solving=True),
    "wait_for_solver": Command(wait_for_solver, while_solving=True),
    "exit": Command(leave, while_solving=True),
    "echo": Command(echo, while_solving=True),
    "set_end_string": Command(set_end_string, while_solving=True),
    "reset_end_string": Command(reset_end_string, while_solving=True),
}


def answer(client: Client, line: str) -> list[str]:
    """What a command answers; an error says what is wrong with it."""
    name, *words = line.split()
    if name in ("load_script", "load_script_silent"):
        _check_idle(client)
        answers = files.read_script(client, words, lambda inner: answer(client, inner))
        return [*(answers if name == "load_script" else ()), f"{name} ok!"]
    if name not in COMMANDS:
        raise InputError("there is no such command")
    command = COMMANDS[name]
    if command.while_solving:
        found = command.work(client, words)
    else:
        _check_idle(client)
        found = client.worker.run(lambda: command.work(client, words))
    return [f"{name} ok!"] if found is None else found


def _check_idle(client: Client) -> None:
    if client.worker.is_solving:
        raise InputError("the solver is running; stop it, or wait_for_solver")
