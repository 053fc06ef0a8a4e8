"""Boards up to the names of the suits, by trying all of them."""

from collections.abc import Iterable, Sequence

from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards

Streets = tuple[tuple[int, ...], ...]


def canonical_streets(streets: Sequence[Iterable[int]]) -> Streets:
    """One name for cards dealt street by street, unordered within each, whatever the suits."""
    return max(
        tuple(tuple(sorted(permute_cards(street, p), reverse=True)) for street in streets)
        for p in SUIT_PERMUTATIONS
    )
