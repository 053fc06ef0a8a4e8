"""Big blinds and shares of the pot: one grammar for lines wherever one is written."""

from pathlib import Path

import pytest

import poker_solver as ps
from poker_solver.config.lines.text import read_line, read_player, tokens_of
from poker_solver.errors import InputError, LineError
from poker_solver.fullgame.lines import cut_line
from poker_solver.query.outline import outline
from poker_solver.trees.betting import BettingTree, build_betting_tree
from tests.support.commands import run

STREETS = {"turn": {"bet": "33%,75%", "raise": "3x"}, "river": {"bet": "75%", "raise": "3x,a"}}
FIELDS = {
    "board": "QsJh2h7d",
    "pot": "5.5bb",
    "stack": "97.5 bb",
    "oop": {"range": "22+,A2s+", **STREETS},
    "ip": {"range": "22+,ATo+", **STREETS},
}


@pytest.fixture(scope="module")
def tree() -> BettingTree:
    return build_betting_tree(ps.Spot.from_mapping(FIELDS).betting)


@pytest.mark.parametrize(
    "written",
    [
        "x b182 c",
        "x,b33%,c",
        "X B182 C",
        "x bet 33% call",
        "check, bets 33 %, calls",
        "x b1.82bb c",
        "oop x ip b33% oop c",
        "OOPx IPb182 OOPc",
        "BB: check; BTN: bet 182; BB: call",
    ],
)
def test_one_line_in_many_spellings(tree: BettingTree, written: str) -> None:
    node = tree.node_at(written)
    assert tree.line_of(node) == "x b182 c"
    later = tree.node_at(written + " 10c x b75% raise 3x")
    assert tree.line_of(later) == "x b182 c x b686 r2058"
    assert tree.walk(written + " 10♣", ps.Spot.from_mapping(FIELDS).cards)[1] == [32]


def test_every_label_reads_back(tree: BettingTree) -> None:
    for node in range(0, tree.num_nodes, 7):
        if not tree.is_decision[node]:
            continue
        for child, label in zip(tree.children(node), tree.labels(node), strict=True):
            token, _, share = label.partition(" (")
            assert tree.step(node, token) == child
            if share and token != "a":
                assert tree.step(node, f"{token[0]}{share.rstrip(')').replace(' ', '')}") == child
    assert tree.labels(0) == ("x", "b182 (33 %)", "b413 (75 %)")


def test_a_wrong_size_is_answered_with_shares_of_the_pot(tree: BettingTree) -> None:
    with pytest.raises(LineError, match=r"token 2 'b50%': .* x, b182 \(33 %\), b413 \(75 %\)"):
        tree.node_at("x b50%")
    with pytest.raises(LineError, match="token 1 'x': it is OOP's turn"):
        tree.node_at("IP x")


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("", ()),
        ("*", ("*",)),
        ("all in, c", ("a", "c")),
        ("raise to 2.5x", ("r2.5x",)),
        ("r3 x", ("r3", "x")),
        ("10c TD t♥", ("Tc", "Td", "Th")),
    ],
)
def test_tokens(line: str, tokens: tuple[str, ...]) -> None:
    assert tokens_of(line) == tokens


def test_who_acts_is_read_in_all_names() -> None:
    seats = [read_player(name) for name in ("OOP", "bb", "IP", "SB", "btn", " BU ")]
    assert seats == [0, 0, 1, 1, 1, 1]
    assert [one.seat for one in read_line("BTNr2.5 BB c x")] == [1, 0, None]
    with pytest.raises(InputError, match="want oop or ip; bb is oop, and sb and btn are ip"):
        read_player("utg")


@pytest.mark.parametrize(
    "line",
    ["SBr2.5 BBc | QsJh2h x b33%", "SBr2.5 BBc Qs Jh 2h x bet 33%", "r2.5,c|qs,jh,2h x b33%"],
)
def test_a_line_over_all_streets(line: str) -> None:
    before, flop, after = cut_line(line)
    assert isinstance(before, str)
    assert ps.parse_action_sequence(before).to_history_tuple() == ("r2.5", "c")
    assert (flop, after) == ("QsJh2h", ("x", "b33%"))


def test_a_spot_in_big_blinds_is_the_same_game() -> None:
    spot = ps.Spot.from_mapping(FIELDS)
    assert (spot.pot, spot.stack, spot.bb) == (550, 9750, 100)
    chips = ps.Spot.from_mapping({**FIELDS, "pot": 550, "stack": 9750})
    assert chips.bb is None
    assert chips.fingerprint() == spot.fingerprint()
    assert ps.Spot.from_yaml(spot.to_yaml()) == spot
    small = ps.Spot.from_mapping({**FIELDS, "bb": 2, "rake": {"rate": 0.05, "cap": "1.5bb"}})
    assert (small.pot, small.stack, small.rake.cap) == (11, 195, 3)


def test_amounts_that_are_no_chips_say_so() -> None:
    with pytest.raises(ps.ConfigError, match=r"pot: 5\.5 must be whole chips \(5\.5bb is in big"):
        ps.Spot.from_mapping({**FIELDS, "pot": 5.5})
    with pytest.raises(ps.ConfigError, match=r"pot: 5\.5 must be whole chips"):
        ps.Spot.from_mapping({**FIELDS, "bb": 1})
    with pytest.raises(ps.ConfigError, match="bb: 'x' must be a number of chips"):
        ps.Spot.from_mapping({**FIELDS, "bb": "x"})


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (
            {"stack": 100},
            "stack: 100 beside pot: 5.5bb could be 100 chips or 100bb: write stack: 10",
        ),
        ({"stack": 9750.0}, "stack: 9750 beside pot: 5.5bb could be 9750 chips or 9750bb"),
        (
            {"rake": {"rate": 0.05, "cap": 3}},
            "rake.cap: 3 beside pot: 5.5bb could be 3 chips or 3bb",
        ),
        (
            {"pot": 550, "min_bet": 100},
            "pot: 550 beside stack: 97.5 bb could .*; min_bet: 100 beside",
        ),
    ],
)
def test_chips_or_big_blinds_is_asked_where_both_could_be(
    other: dict[str, object], told: str
) -> None:
    with pytest.raises(ps.ConfigError, match=told):
        ps.Spot.from_mapping({**FIELDS, **other})
    ps.Spot.from_mapping({**FIELDS, **other, "bb": 100})  # says that they are chips
    free = {"rake": {"rate": 0.05, "cap": float("inf")}}
    assert ps.Spot.from_mapping({**FIELDS, **free}).stack == 9750


def test_what_a_spot_in_big_blinds_wins_is_told_in_them(
    tree: BettingTree, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    told = {row.line: row.what for row in outline(tree, 0, 3)}
    assert told["x b182 f"] == "IP wins 5.5 bb"
    path = tmp_path / "s.yaml"
    path.write_text(ps.Spot.from_mapping({**FIELDS, "board": "QsJh2h7d3c"}).to_yaml())
    code, out, _ = run(capsys, "solve", str(path), "--max-iterations", "5", "--quiet")
    assert code == 0
    gap = next(line for line in out.splitlines() if line.startswith("exploitability"))
    assert gap.endswith(" bb")
    assert "chips" not in out
