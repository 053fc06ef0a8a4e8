"""Lines and boards whose answers are found before anybody asks for them."""

from collections.abc import Iterator, Sequence

from poker_solver.cards import card_to_string, cards_from_string, cards_to_string
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards
from poker_solver.config.lines.text import EVERY_CARD, is_card
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.lines import FullLine
from poker_solver.games.betting import DEAL, DECISION, PREFLOP, BettingRules
from poker_solver.games.notation import parse_action_sequence


def boards_of(text: str) -> list[tuple[int, ...]]:
    """`QsJh2h7d`, or `QsJh2h*` for every turn and `QsJh2h7d*` for every river, one of each kind.

    Boards that are the same up to the names of suits come once.
    """
    cards = cards_from_string(text.rstrip(EVERY_CARD))
    boards, more = [cards], len(text) - len(text.rstrip(EVERY_CARD))
    if not 3 <= len(cards) <= len(cards) + more <= 5:
        raise InputError(f"board {text!r}: want 3 to 5 cards, as in QsJh2h7d or QsJh2h*")
    for _ in range(more):
        boards = [(*board, card) for board in boards for card in range(52) if card not in board]
    kinds: dict[tuple[int, ...], tuple[int, ...]] = {}
    for board in boards:
        kinds.setdefault(_kind(board), board)
    return list(kinds.values())


def _kind(board: tuple[int, ...]) -> tuple[int, ...]:
    """The same for boards that differ in the names of suits and the order of the flop."""
    renamed = (permute_cards(board, way) for way in SUIT_PERMUTATIONS)
    return max((*sorted(cards[:3], reverse=True), *cards[3:]) for cards in renamed)


def lines_on(rules: BettingRules, line: str, boards: Sequence[tuple[int, ...]]) -> Iterator[str]:
    """A line without cards, `SBr2.5 BBc | x b375 c`, on every board: cards where they fall."""
    before, _, after = line.partition("|")
    actions = after.split()
    if cards := [token for token in actions if is_card(token) or len(token) == 6]:
        raise LineError(f"line {line!r}: {cards[0]} has no place there, boards are given apart")
    history = parse_action_sequence(before).to_history_tuple()
    for board in boards:
        yield str(
            FullLine(history, cards_to_string(board[:3]), _played(rules, history, actions, board))
        )


def _played(
    rules: BettingRules, history: Sequence[str], actions: Sequence[str], board: tuple[int, ...]
) -> tuple[str, ...]:
    """The tokens after the flop: actions, and cards of the board where they fall."""
    here, tokens, left = rules.first, list[str](), list(board[3:])
    for action in history:
        here = rules.any_step(here, action).after
    for action in (*actions, ""):
        while here.kind == DEAL and (here.street == PREFLOP or left):
            if here.street > PREFLOP:
                tokens.append(card_to_string(left.pop(0)))
            here = rules.steps(here)[0].after
        if action:
            if here.kind == DEAL:
                what = f"{action!r} is played after one more card than {cards_to_string(board)} has"
                raise LineError(what)
            tokens.append(action)
            here = rules.any_step(here, action).after
    if left or here.kind != DECISION:
        played = " ".join(actions) or "the flop"
        raise LineError(f"on {cards_to_string(board)} nobody acts after {played}")
    return tuple(tokens)
