"""Small spots: written in one line, or random with everything a spot can have, from a seed."""

from random import Random
from typing import Any

from poker_solver.cards import card_to_string, cards_to_string
from poker_solver.config.spot import Spot
from poker_solver.errors import ConfigError
from poker_solver.trees.betting import build_betting_tree
from tests.support.spots import BET_SIZES, RAISE_SIZES

STREETS = ("flop", "turn", "river")
MOST_NODES = {3: 250, 4: 500, 5: 3000}
NUM_HELD = {3: (7, 8), 4: (8, 12), 5: (8, 16)}  # cards that the hands of wide ranges are made of
CLASSES = ("AA", "77", "22", "AKs", "KQs", "76s", "A2s", "T9s", "54s", "AQo", "K7o")


def small_spot(board: str, oop: str, ip: str, bet: str = "", raise_: str = "", **more: Any) -> Spot:
    """Pot 100, stack 200 and the same sizes for both on every street, unless said otherwise.

    `ip_bet` and `oop_bet` replace the bets of one player.
    """
    players = {}
    for name, text in (("oop", oop), ("ip", ip)):
        sizes = {"bet": more.pop(f"{name}_bet", bet), "raise": raise_}
        players[name] = {"range": text, **dict.fromkeys(STREETS[len(board) // 2 - 3 :], sizes)}
    return Spot.from_mapping({"board": board, "pot": 100, "stack": 200, **players, **more})


def random_spot(seed: int, num_cards: int) -> Spot:
    """A spot on a board of so many cards, its tree small enough to walk by hand."""
    rng = Random(f"spot {seed} {num_cards}")
    while True:
        try:
            spot = Spot(**_fields(rng, num_cards))
        except ConfigError:  # the ranges block each other, or the board blocks one
            continue
        if build_betting_tree(spot.betting).num_nodes <= MOST_NODES[num_cards]:
            return spot


def _fields(rng: Random, num_cards: int) -> dict[str, Any]:
    deck = list(range(52))
    rng.shuffle(deck)
    style = rng.random()
    if style < 0.4:
        board = _suited_board(rng, num_cards)
        texts = [_class_range(rng, num_cards) for _ in range(2)]
    else:
        board = deck[:num_cards]
        narrow = style < 0.7  # few cards, so that most hands block each other; or many
        held = rng.randint(4, 9) if narrow else rng.randint(*NUM_HELD[num_cards])
        most = 6 if narrow else 100
        texts = [_combo_range(rng, deck[num_cards : num_cards + held], most) for _ in range(2)]
    return {
        "board": cards_to_string(board),
        "pot": rng.randint(1, 200),
        "stack": rng.randint(1, 600),
        "oop": _player(rng, texts[0], num_cards, is_oop=True),
        "ip": _player(rng, texts[1], num_cards, is_oop=False),
        "rake": _rake(rng),
        "thresholds": {
            name: rng.choice([0, 0, 0, 0.1, 0.5, 1.5])
            for name in ("add_allin", "force_allin", "merge")
        },
        "max_raises": rng.choice([0, 1, 2, 3] if num_cards == 5 else [0, 1]),
    }


def _suited_board(rng: Random, num_cards: int) -> list[int]:
    """Few suits, so that renaming the others changes nothing."""
    suits = rng.sample(range(4), rng.choice([1, 2, 2, 3]))
    found: list[int] = []
    while len(found) < num_cards:
        card = 4 * rng.randrange(13) + rng.choice(suits)
        if card not in found:
            found.append(card)
    return found


def _class_range(rng: Random, num_cards: int) -> str:
    classes = rng.sample(CLASSES, rng.randint(1, 2 if num_cards == 3 else 4))
    return ",".join(f"{name}:{rng.choice([1, 1, 0.5, 0.3])}" for name in classes)


def _combo_range(rng: Random, cards: list[int], most: int) -> str:
    combos = [(a, b) for a in cards for b in cards if a > b]
    chosen = rng.sample(combos, rng.randint(1, min(most, len(combos))))
    return ",".join(
        f"{card_to_string(a)}{card_to_string(b)}:{rng.choice([1, 1, 0.75, 0.1])}" for a, b in chosen
    )


def _player(rng: Random, range_text: str, num_cards: int, *, is_oop: bool) -> dict[str, Any]:
    most = num_cards - 2  # sizes in one list

    def sizes(known: tuple[str, ...]) -> str:
        return ",".join(rng.sample(known, rng.randint(0 if rng.random() < 0.3 else 1, most)))

    player: dict[str, Any] = {"range": range_text}
    for name in STREETS[num_cards - 3 :]:
        player[name] = {"bet": sizes(BET_SIZES), "raise": sizes(RAISE_SIZES)}
        if is_oop and name != "flop" and rng.random() < 0.5:
            player[name]["donk"] = sizes(BET_SIZES)
    return player


def _rake(rng: Random) -> dict[str, float]:
    if rng.random() < 0.5:
        return {"rate": 0.0, "cap": 0.0}
    cap = rng.choice([0.5, 3.0, 20.0, float("inf")])
    return {"rate": rng.choice([0.01, 0.05, 0.2]), "cap": cap}
