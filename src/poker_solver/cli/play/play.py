"""`play`: heads-up against a strategy in the terminal, with a coach if one is wanted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from poker_solver.cli.play.options import WHO, Budget, SearchDevice
from poker_solver.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from poker_solver.play.session import GuestSession, Moved


def play(
    strategy: Annotated[str, typer.Argument(help=WHO)] = "search",
    stack: Annotated[float, typer.Option(help="Of both, in bb.", min=2, max=1000)] = 100,
    hands: Annotated[int | None, typer.Option(help="Stop after so many.", min=1)] = None,
    coach: Annotated[bool, typer.Option("--coach", help="Show the mix and the EV lost.")] = False,
    seed: Annotated[int | None, typer.Option(help="Of deals and draws; any if not given.")] = None,
    budget_ms: Budget = 200,
    device: SearchDevice = "cpu",
) -> None:
    """Play heads-up in the terminal; ? helps, q leaves with the score."""
    from rich.console import Console

    from poker_solver.cli.play.drawn import score_line
    from poker_solver.play.find import find_strategy, warm_up
    from poker_solver.play.session import GuestSession
    from poker_solver.terminal import getting_ready

    policy = find_strategy(strategy, budget_ms, device)
    with getting_ready():
        warm_up(policy)
    session = GuestSession(policy, stack, seed)
    table = Table(session, Console(highlight=False, markup=False), coach)
    try:
        while hands is None or session.num_hands < hands:
            table.play_hand()
    except (EOFError, KeyboardInterrupt):
        table.show("\n")
    table.show(score_line(session.num_hands, session.total_chips))


class Table:
    """Reads what a person types and draws what happens; no rules."""

    def __init__(self, session: "GuestSession", console: "Console", coach: bool) -> None:
        self.session, self.console, self.coach = session, console, coach

    def show(self, text: "Text | str") -> None:
        """Print as laid out."""
        self.console.print(text, end="", highlight=False, soft_wrap=True)

    def play_hand(self) -> None:
        """One hand from the deal to its end."""
        from poker_solver.cli.play.drawn import end_line, first_line

        session = self.session
        moved = session.new_hand()
        self.show(first_line(session.num_hands + 1, session.guest, session.hand))
        self._tell(moved)
        while session.is_under_way:
            self._act()
        self.show(end_line(session.hand, session.guest, session.won_chips, session.bot_holding))
        self.show("\n")

    def _act(self) -> None:
        from poker_solver.cli.play.drawn import HELP, coach_line, decision_line, score_line

        session = self.session
        self.show(decision_line(session.hand))
        while True:
            typed = input("> ").strip().lower()
            if typed in ("q", "quit"):
                raise EOFError
            if typed == "?":
                self.show(HELP)
            elif typed == "s":
                self.show(score_line(session.num_hands, session.total_chips))
            elif typed:
                token = "x" if typed == "k" else typed.removesuffix("bb")
                try:
                    judged = session.advise(token) if self.coach else None
                    moved = session.act(token)
                except InputError as error:
                    self.show(f"{error}\n")
                    continue
                if judged is not None:
                    self.show(coach_line(judged))
                self._tell(moved)
                return

    def _tell(self, moved: "Sequence[Moved]") -> None:
        from poker_solver.cli.play.drawn import action_text

        for move in moved:
            self.show(f"{self.session.policy.name} {action_text(move.hand, move.answer.action)}\n")
