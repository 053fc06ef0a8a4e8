"""What a session answers, as plain values; how it looks is somebody else's business."""

from dataclasses import dataclass
from pathlib import Path

from poker_solver.query.compare import Comparison
from poker_solver.query.exploit import ExploitView
from poker_solver.query.node import HandView, NodeView, PlayerView
from poker_solver.query.runouts import CardReport


@dataclass(frozen=True)
class ShowNode:
    """The node we are at, in full."""

    view: NodeView
    look: str  # one of LOOKS


@dataclass(frozen=True)
class ShowHands:
    """Classes before the flop, combos after it; one combo where that was asked for."""

    view: NodeView
    hands: tuple[HandView, ...]
    combo: str = ""


@dataclass(frozen=True)
class ShowRange:
    """What a player holds: how much of each class, or what it is worth."""

    view: NodeView
    player: PlayerView
    look: str = "strategy"


@dataclass(frozen=True)
class ShowGroups:
    """Hands of a player by what they have or draw to."""

    view: NodeView
    title: str
    groups: tuple[HandView, ...]
    player: str  # SB, BB, OOP or IP


@dataclass(frozen=True)
class ShowPicked:
    """Hands of a player that a filter picks, and all of them together."""

    view: NodeView
    player: PlayerView
    wanted: str  # the filter in words
    hands: tuple[HandView, ...]
    together: HandView


@dataclass(frozen=True)
class ShowRunouts:
    """Every card that can fall; `what` stands on the map."""

    view: NodeView
    found: CardReport
    what: str  # an action, bet, ev or equity
    player: str  # whose EV or equity; empty for who acts
    is_map: bool = False  # the map alone


@dataclass(frozen=True)
class ShowTexts:
    """What can be pasted elsewhere, by name."""

    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ShowExploit:
    """What a best response to the solution gains."""

    view: ExploitView
    top: int


@dataclass(frozen=True)
class ShowComparison:
    """The node we are at beside the same one of another solution."""

    found: Comparison


@dataclass(frozen=True)
class ShowHelp:
    """What can be typed."""

    game: str  # preflop, postflop or full game


@dataclass(frozen=True)
class Say:
    """Why something was not done, or that it was."""

    text: str


@dataclass(frozen=True)
class WriteNode:
    """The node, or the runouts shown last, are wanted in a file."""

    path: Path
    runouts: ShowRunouts | None = None


Shown = (
    ShowNode
    | ShowHands
    | ShowRange
    | ShowGroups
    | ShowPicked
    | ShowRunouts
    | ShowTexts
    | ShowExploit
    | ShowComparison
    | ShowHelp
    | Say
    | WriteNode
)
