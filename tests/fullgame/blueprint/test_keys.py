"""Keys: one for one thing, and text that comes back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.cards import card_to_string, cards_from_string, cards_to_string
from poker_solver.cards.isomorphism import SUIT_PERMUTATIONS, permute_cards
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.blueprint.keys import BlueprintKey
from poker_solver.games.betting import Street

AFTER = ("", "x", "b94", "b94 r250", "x a")
STREET = (*AFTER, "x x", "b94 c", "a c", "b94 r250 c", "x b33 c")
"""What can be played on a street, and what ends it."""


@st.composite
def keys(draw: st.DrawFn) -> BlueprintKey:
    """Any decision of any street."""
    before = draw(st.sampled_from(["SBr2.5 BBc", "SBc BBx", "SBc BBr4 SBc"]))
    street = draw(st.sampled_from(Street))
    if street == Street.PREFLOP:
        line = draw(st.sampled_from(["", "SBc", "SBr2.5", "SBr2.5 BBr8.25", "SBa"]))
        return BlueprintKey.at(line, draw(st.sampled_from(["AA", "AKs", "72o", "#5"])))
    cards = draw(st.permutations(range(52)))
    hand = draw(st.sampled_from([cards_to_string(cards[:2]), "#12"]))
    ends = st.sampled_from(STREET[len(AFTER) :])
    parts = [cards_to_string(cards[2:5])]
    for card in cards[5 : 5 + street - Street.FLOP]:
        parts += [draw(ends), card_to_string(card)]
    parts.append(draw(st.sampled_from(AFTER)))
    return BlueprintKey.at(f"{before} | {' '.join(filter(None, parts))}", hand)


@given(keys())
def test_the_text_comes_back(key: BlueprintKey) -> None:
    assert BlueprintKey.parse(str(key)) == key
    assert BlueprintKey.at(key.line, key.hand) == key


@given(keys(), st.sampled_from(SUIT_PERMUTATIONS))
def test_renamed_suits_have_one_key(key: BlueprintKey, renaming: tuple[int, int, int, int]) -> None:
    if key.street == Street.PREFLOP:
        assert key.renamed() == key
        return

    def moved(text: str) -> str:
        return cards_to_string(permute_cards(cards_from_string(text), renaming))

    before, after = key.line.split(" | ")
    tokens = [t if t[0] in "xbrcfa" else moved(t) for t in after.split()]
    hand = key.hand if key.row is not None else moved(key.hand)
    other = BlueprintKey.at(f"{before} | {' '.join(tokens)}", hand)
    assert other.renamed() == key.renamed()
    assert (other.player, other.street, other.row) == (key.player, key.street, key.row)


def test_what_is_written_differently_is_the_same_key() -> None:
    key = BlueprintKey.at("sbr2.50 bbCall | 2h Qs Jh X b94 C 7D", "KhAh")
    assert str(key) == "BB:turn:QsJh2h7d:AhKh:SBr2.5 BBc | QsJh2h x b94 c 7d"
    assert (key.player, key.street, key.board) == (0, Street.TURN, "QsJh2h7d")
    assert BlueprintKey.at("SBr2.5", "AhKh") == BlueprintKey.at("SBr2.5", "AKs")
    assert BlueprintKey.at("SBr2.5 BBr8", "AA").player == 1
    assert BlueprintKey.at("SBr2.5 BBc | QsJh2h", "#3").row == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("SBr2.5 BBc", "nobody acts after 'SBr2.5 BBc'"),
        ("SBf", "nobody acts"),
        ("SBr2.5 | QsJh2h", "does not lead to it"),
        ("SBr2.5 BBc | QsJh2h x x", "nobody acts"),
        ("SBr2.5 BBc | QsJh2h x b94 f", "nobody acts"),
        ("SBr2.5 BBc | QsJh2h x 7d", "'7d' in .* cannot be played there"),
        ("SBr2.5 BBc | QsJh2h x b33%", "'b33%' in .* cannot be played there"),
        ("SBr2.5 BBc | QsJh2h c", "'c' in .* cannot be played there"),
        ("SBr2.5 BBc | QsJh2h b9 b9", "'b9' in .* cannot be played there"),
        ("50bb SBr2.5", "a stack has no place in a key"),
    ],
)
def test_a_line_that_cannot_be_is_refused(line: str, message: str) -> None:
    with pytest.raises(LineError, match=message):
        BlueprintKey.at(line, "AhKh" if "|" in line else "AKs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SB:AhKh", "want player, street, board, hand and line"),
        ("XX:preflop::AA:", "want player, street"),
        ("BB:preflop::AA:", "contradicts itself, want 'SB:preflop::AA:'"),
        ("SB:flop::AA:", "contradicts itself"),
        ("SB:flop:QsJh2h:AhKh:SBr2.5 BBc | QsJh2h", "want 'BB:flop:QsJh2h:AhKh:SBr2.5"),
        ("BB:flop:QsJh2h:KhAh:SBr2.5 BBc | QsJh2h", "contradicts itself"),
        ("BB:flop:QsJh2h:AhQs:SBr2.5 BBc | QsJh2h", "hand AhQs has a card of the board QsJh2h"),
        ("BB:flop:QsJh2h:AA:SBr2.5 BBc | QsJh2h", "AA"),
    ],
)
def test_a_key_that_contradicts_itself_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        BlueprintKey.parse(text)
