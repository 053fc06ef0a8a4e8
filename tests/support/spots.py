"""The named spots of the benchmarks, and random small ones."""

from typing import Any

from hypothesis import strategies as st

from poker_solver.config.named_spots import FOLDER, LARGE, SMALL, named_spot

__all__ = ["FOLDER", "NAMED", "mappings", "named_spot", "river"]

NAMED = (*SMALL, *LARGE)


def river(bet: str = "", raise_: str = "", **more: Any) -> dict[str, Any]:
    """A river spot's mapping in which both players have the same sizes."""
    sizes = {"bet": bet, "raise": raise_}
    both = {"range": "AA,KQs,76s", "river": sizes}
    return {"board": "Ks7h2d9c4s", "pot": 100, "stack": 200, "oop": both, "ip": both, **more}


BET_SIZES = ("20%", "33%", "50%", "75%", "100%", "130%", "200%", "17c", "a", "e", "2e", "3e80%")
RAISE_SIZES = (*BET_SIZES, "2x", "2.5x", "3.2x")


@st.composite
def mappings(draw: st.DrawFn, num_cards: int | None = None) -> dict[str, Any]:
    """A small spot of any street with random chips, sizes and thresholds."""
    count = num_cards or draw(st.sampled_from([3, 4, 5]))
    bets = st.lists(st.sampled_from(BET_SIZES), max_size=2).map(",".join)
    raises = st.lists(st.sampled_from(RAISE_SIZES), max_size=2).map(",".join)
    thresholds = st.sampled_from([0, 0, 0.1, 0.5, 1.5])

    def player(range_text: str, donks: bool) -> dict[str, Any]:
        streets: dict[str, Any] = {}
        for name in ("flop", "turn", "river")[count - 3 :]:
            streets[name] = {"bet": draw(bets), "raise": draw(raises)}
            if donks and name != "flop" and draw(st.booleans()):
                streets[name]["donk"] = draw(bets)
        return {"range": range_text, **streets}

    return {
        "board": "Ks7h2d9c4s"[: 2 * count],
        "pot": 2 * draw(st.integers(1, 150)),
        "stack": draw(st.integers(1, 400)),
        "oop": player("AA,KQs,76s", True),
        "ip": player("QQ+,A5s-A4s:0.5", False),
        "thresholds": {name: draw(thresholds) for name in ("add_allin", "force_allin", "merge")},
        "max_raises": draw(st.sampled_from([0, 1, 2])),
    }
