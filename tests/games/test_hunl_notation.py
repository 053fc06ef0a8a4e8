"""Lines as people write them: what they mean, and what is said about wrong ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_solver.config.preflop import Config, load_config
from poker_solver.errors import LineError
from poker_solver.games.betting import BettingRules
from poker_solver.games.notation import (
    ParsedAction,
    ParsedSequence,
    at_stack_of,
    format_history,
    parse_action_sequence,
    play_line,
)


def test_a_line_with_a_stack() -> None:
    parsed = parse_action_sequence("50bb SBr2.5 BBr8 SBc")
    assert parsed == ParsedSequence(
        stack=50,
        actions=(
            ParsedAction("SB", "raise", 2.5),
            ParsedAction("BB", "raise", 8),
            ParsedAction("SB", "call", None),
        ),
    )
    assert parsed.to_history_tuple() == ("r2.5", "r8", "c")
    assert str(parsed) == "SBr2.5 BBr8 SBc"


@pytest.mark.parametrize(
    ("text", "history"),
    [
        ("", ()),
        ("50bb", ()),
        ("SBc BBx", ("c", "x")),
        ("sbR2.50 bbALLIN sbFold", ("r2.5", "a", "f")),
        ("SBraise3 BBcall", ("r3", "c")),
        ("SBall-in,BBf", ("a", "f")),
        ("SBr3bb", ("r3",)),
        ("SBr100", ("r100",)),
        ("r2.5 r8 c", ("r2.5", "r8", "c")),
        ("50 bb SBr2.5", ("r2.5",)),
        ("BTN r2.5, BB call", ("r2.5", "c")),
        ("IPr2.5 OOPr8", ("r2.5", "r8")),
        ("btn:raise to 2.5bb bb:jam", ("r2.5", "a")),
    ],
)
def test_spellings(text: str, history: tuple[str, ...]) -> None:
    assert parse_action_sequence(text).to_history_tuple() == history


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("UTGr2.5", "token 1 'UTGr2.5': 'UTGr2.5' is no action"),
        ("SB", "token 1 'SB': nothing is no action; want f, c, x, a, or b or r and an amount"),
        ("SBz", "token 1 'SBz': 'z' is no action"),
        (
            "SBr2.5 BBr8x",
            "token 2 'BBr8x': before the flop a raise is to so many bb, as in 'BBr2.5'",
        ),
        ("SBr", "token 1 'SBr': raise to how much? as in 'r2.5'"),
        ("SBc2", "token 1 'SBc2': only a bet or raise takes an amount"),
        ("SBr2.555", "token 1 'SBr2.555': 2.555 is finer than a hundredth of a bb"),
        ("BBr3", "token 1 'BBr3': it is SB's turn"),
        ("50bb SBr2.5 SBc", "token 3 'SBc': it is BB's turn"),
        ("SBf BBc", "token 2 'BBc': the betting is over, nothing may follow"),
        ("SBr3 BBc SBr9", "token 3 'SBr9': the betting is over"),
        ("SBx", "token 1 'SBx': there is a bet to call"),
        ("SBc BBc", "token 2 'BBc': there is nothing to call; x checks"),
        ("SBc BBf", "token 2 'BBf': there is nothing to fold; x checks"),
        ("SBa BBr20", "token 2 'BBr20': the other player is all-in; f folds, c calls"),
        ("SBr8 BBr3", "token 2 'BBr3': a raise must be to more than 8"),
        ("SBr8 BBr8", "token 2 'BBr8': a raise must be to more than 8"),
        ("SBr0.5", "token 1 'SBr0.5': a raise must be to more than 1"),
        ("SBr3 50bb", "token 2 '50bb': a stack may only lead the line"),
        ("0bb SBf", "token 1 '0bb': the stack must be positive"),
        ("SBr999999", "nobody has more than 100,000 bb"),
        ("SBr" + 400 * "9", "is more than anybody has"),
    ],
)
def test_errors_name_the_token_and_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(LineError) as caught:
        parse_action_sequence(text)
    assert message in str(caught.value)


def test_with_an_ante_a_raise_to_what_is_left_is_all_in() -> None:
    config = Config(stack_depth=10.5, raise_sizes=(2.0, 10.5), ante=0.5)
    assert play_line(parse_action_sequence("SBr10"), config.betting).history == ("a",)


def test_the_stack_of_a_line_is_checked_like_that_of_a_config() -> None:
    config = load_config("short_20")
    assert at_stack_of(parse_action_sequence("SBc"), config) == config
    assert at_stack_of(parse_action_sequence("50bb SBc"), config).stack_depth == 50
    with pytest.raises(LineError, match=r"token 1 '1bb': stack_depth: 1 must leave more"):
        at_stack_of(parse_action_sequence("1bb SBc"), config)


def test_resolving_checks_sizes_and_turns_a_full_stack_into_all_in() -> None:
    config = load_config("standard")
    assert play_line(parse_action_sequence("SBr2.5 BBr100"), config.betting).history == (
        "r2.5",
        "a",
    )
    assert play_line(parse_action_sequence("SBr2.5 BBr500 SBc"), config.betting).history == (
        "r2.5",
        "a",
        "c",
    )
    shallow = parse_action_sequence("50bb SBr2.5 BBr50")
    assert play_line(shallow, config.with_stack(50).betting).history == ("r2.5", "a")
    with pytest.raises(LineError) as caught:
        play_line(parse_action_sequence("60bb SBr2.5 BBr7"), config.betting)
    assert str(caught.value) == (
        "token 3 'BBr7': not legal here; BB may play f, c, r6, r8, r10, r15, r20, r25, r50, a"
    )
    with pytest.raises(LineError, match="token 1 'SBc': not legal here; SB may play f, a"):
        play_line(parse_action_sequence("SBc"), load_config("push_fold_10").betting)


@given(choices=st.lists(st.integers(0, 11), max_size=12))
def test_every_legal_history_reads_back(choices: list[int]) -> None:
    config = load_config("standard")
    rules = BettingRules(config.betting)
    state, history = rules.first, list[str]()
    for choice in choices:
        legal = rules.legal_actions(state)
        if not legal:
            break
        history.append(legal[choice % len(legal)])
        state = rules.play(history).state
    parsed = parse_action_sequence(format_history(tuple(history)))
    assert play_line(parsed, config.betting).history == tuple(history)
