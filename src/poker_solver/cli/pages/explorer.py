"""The explorer as text for a terminal of some width: what was typed in, a drawn page out."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from poker_solver.cli.pages.hands import render_combos, render_groups, render_hand, render_runouts
from poker_solver.cli.pages.help import render_help
from poker_solver.cli.pages.node import render_page, render_range_page
from poker_solver.cli.pages.text import hanging, paragraph
from poker_solver.explore.postflop import ExploredSpot
from poker_solver.explore.session import (
    Explored,
    Say,
    Session,
    ShowGroups,
    ShowHands,
    ShowHelp,
    Shown,
    ShowNode,
    ShowRange,
    ShowRunouts,
    ShowTexts,
)
from poker_solver.postflop.solution.solution import Solution

END_HINT = "b goes back; sb and bb show who gets here with what."


@dataclass(frozen=True)
class Reply:
    """What to show for one input, and whether it was the last."""

    text: Text
    done: bool = False


class InteractiveSession(Session):
    """A walk through a solution from the actions and cards of a line, drawn for a terminal."""

    def __init__(
        self,
        source: Explored | Solution,
        line: Sequence[str] = (),
        *,
        width: int = 80,
        color: bool = True,
    ) -> None:
        super().__init__(ExploredSpot(source) if isinstance(source, Solution) else source, line)
        self.width, self.color = width, color

    def page(self) -> Text:
        """The node we are at, in full."""
        return self.render(self.here)

    def handle(self, text: str) -> Reply:
        """Do what was typed, or say why not."""
        shown = self.answer(text)
        return Reply(Text(), done=True) if shown is None else Reply(self.render(shown))

    def render(self, shown: Shown) -> Text:
        """As it looks on a screen of this width."""
        width, color = self.width, self.color
        match shown:
            case ShowNode(view, look):
                page = render_page(view, look=look, width=width, color=color)
                hint = paragraph(END_HINT, width, "dim")
                return page if view.player or view.board else page.append_text(hint)
            case ShowHands(view, hands, combo):
                if view.board and not combo:
                    return render_combos(view, hands, width=width)
                blocker = "" if view.board else combo
                pages = [render_hand(view, hand, combo=blocker, width=width) for hand in hands]
                return Text("\n").join(pages)
            case ShowRange(view, player):
                return render_range_page(view, player, width=width, color=color)
            case ShowGroups(view, title, groups):
                return render_groups(view, groups, title, width=width)
            case ShowRunouts(view, rows):
                return render_runouts(view, rows, width=width)
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
