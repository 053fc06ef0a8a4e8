"""The explorer as text for a terminal of some width: what was typed in, a drawn page out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from poker_solver.cfr.options import SolveOptions
from poker_solver.cli.pages.card_map import render_map, render_runouts
from poker_solver.cli.pages.compare import render_comparison
from poker_solver.cli.pages.exploit import render_exploit
from poker_solver.cli.pages.export import (
    palettes_text,
    write_export,
    write_runouts,
)
from poker_solver.cli.pages.hands import render_combos, render_groups, render_hand, render_picked
from poker_solver.cli.pages.help import render_help
from poker_solver.cli.pages.node import render_page, render_range_page
from poker_solver.cli.pages.text import hanging, paragraph
from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import InputError, PokerSolverError
from poker_solver.explore.postflop import ExploredSpot
from poker_solver.explore.preflop import Solved
from poker_solver.explore.session import Explored, Session
from poker_solver.explore.shown import (
    Say,
    ShowComparison,
    ShowExploit,
    ShowGroups,
    ShowHands,
    ShowHelp,
    Shown,
    ShowNode,
    ShowPicked,
    ShowRange,
    ShowRunouts,
    ShowTexts,
    WriteNode,
)
from poker_solver.postflop.solution.solution import Solution
from poker_solver.preflop.solution import PreflopSolution
from poker_solver.preflop.solver import Strategies, solution_of, solve_preflop
from poker_solver.query.palette import choose_palette, chosen_palette

END_HINT = "b goes back; sb and bb show who gets here with what."


@dataclass(frozen=True)
class Reply:
    """What to show for one input, and whether it was the last."""

    text: Text
    done: bool = False
    is_table: bool = False  # may be longer than a screen, and is then shown in parts


def explored(
    source: Explored | Solution | PreflopSolution | Strategies, config: Config | str | None = None
) -> Explored:
    """What a session walks; other stacks before the flop are solved to the usual target."""
    if isinstance(source, Mapping):
        if config is None:
            raise InputError("a dictionary of strategies wants its config: config='standard'")
        source = solution_of(load_config(config) if isinstance(config, str) else config, source)
    if isinstance(source, PreflopSolution):
        return Solved(source, lambda other: solve_preflop(other, SolveOptions()))
    return ExploredSpot(source) if isinstance(source, Solution) else source


class InteractiveSession(Session):
    """A walk through a solution from the actions and cards of a line, drawn for a terminal."""

    def __init__(
        self,
        source: Explored | Solution | PreflopSolution | Strategies,
        line: Sequence[str] = (),
        *,
        config: Config | str | None = None,
        width: int = 80,
        color: bool = True,
    ) -> None:
        """A plain dictionary of strategies, as `Solver` gives them, is of this config."""
        super().__init__(explored(source, config), line)
        self.width, self.color = width, color
        self.palette = chosen_palette()

    def page(self) -> Text:
        """The node we are at, in full."""
        return self.render(self.here)

    def handle(self, text: str) -> Reply:
        """Do what was typed, or say why not."""
        word, _, rest = text.strip().partition(" ")
        shown = self._choose(rest) if word.lower() == "palette" else self.answer(text)
        if isinstance(shown, WriteNode):
            shown = self._written(shown)
        if shown is None:
            return Reply(Text(), done=True)
        return Reply(self.render(shown), is_table=not isinstance(shown, ShowNode))

    def _choose(self, name: str) -> Say:
        """Take other colours, here and from now on; say which there are if none is named."""
        try:
            if name:
                self.palette = choose_palette(name)
        except PokerSolverError as error:
            return Say(str(error))
        return Say(palettes_text(self.palette))

    def write(self, path: Path, shown: ShowRunouts | None = None) -> None:
        """Write the node we are at, or runouts, as the ending of the name says."""
        if shown is None:
            write_export(path, self.game.solution, self.view.history, self.palette)
        else:
            write_runouts(path, shown)

    def _written(self, wanted: WriteNode) -> Say:
        try:
            self.write(wanted.path, wanted.runouts)
        except PokerSolverError as error:
            return Say(" ".join(str(error).split()))
        return Say(f"wrote {wanted.path}")

    def render(self, shown: Shown) -> Text:
        """As it looks on a screen of this width."""
        width, color, palette = self.width, self.color, self.palette
        match shown:
            case ShowNode(view, look):
                page = render_page(view, look=look, width=width, color=color, palette=palette)
                hint = paragraph(END_HINT, width, "dim")
                return page if view.player or view.board else page.append_text(hint)
            case ShowHands(view, hands, combo):
                if view.board and not combo:
                    return render_combos(view, hands, width=width)
                blocker = "" if view.board else combo
                pages = [
                    render_hand(view, hand, combo=blocker, width=width, palette=palette)
                    for hand in hands
                ]
                return Text("\n").join(pages)
            case ShowRange(view, player, look):
                return render_range_page(view, player, look=look, width=width, color=color)
            case ShowGroups(view, title, groups, player):
                return render_groups(view, groups, title, player=player, width=width)
            case ShowPicked():
                return render_picked(shown, width=width)
            case ShowRunouts(is_map=True):
                return render_map(shown, width=width, color=color)
            case ShowRunouts():
                return render_runouts(shown, width=width, color=color)
            case ShowExploit(view, top):
                more = f"exploit {view.player} {10 * top}"
                return render_exploit(view, top=top, width=width, more=more)
            case ShowComparison(found):
                return render_comparison(found, width=width)
            case ShowTexts(texts):
                return (
                    Text("\n")
                    .join(
                        Text(hanging(f"{name:<5}", text.replace(",", ", ").split() or ["-"], width))
                        for name, text in texts
                    )
                    .append("\n")
                )
            case ShowHelp(game):
                return render_help(game, width)
            case Say(text):
                return paragraph(text, width, "bold")
            case WriteNode(path):
                return paragraph(f"wrote {path}", width, "bold")
