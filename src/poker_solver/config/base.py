"""What configs before and after the flop share: big blinds and chips."""

CHIPS_PER_BB = 100
MOST_STACK_BB = 100_000
"""The deeper, the slower a solve converges; this deep it takes a hundred thousand iterations."""


def to_chips(amount_bb: float) -> int:
    """Whole chips. With `to_bb`, the only place the two units meet."""
    return round(amount_bb * CHIPS_PER_BB)


def to_bb(chips: float) -> float:
    """Big blinds."""
    return chips / CHIPS_PER_BB


def bb_text(chips: int) -> str:
    """Big blinds as a player writes them: 250 -> `2.5`, 10000 -> `100`."""
    return f"{chips / CHIPS_PER_BB:.2f}".rstrip("0").rstrip(".")
