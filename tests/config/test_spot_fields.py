"""Spots: every problem at once with its place, defaults, text that comes back, the name."""

import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from poker_solver.cards import NUM_COMBOS, combo_from_string, parse_range
from poker_solver.config.sizes import format_sizes, parse_sizes
from poker_solver.config.spot import PlayerSizes, Spot, StreetSizes
from poker_solver.errors import ConfigError, InputError
from tests.support.spots import FOLDER, NAMED, mappings, named_spot, river


def problems(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        Spot.from_yaml(text)
    return str(caught.value).split("; ")


def refused(**change: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        Spot.from_mapping({**river("50%"), **change})
    return str(caught.value)


def test_a_named_spot_is_read_entirely() -> None:
    spot = named_spot("turn_example")
    assert (spot.board, spot.pot, spot.stack) == ("Td9d6hQc", 200, 900)
    assert spot.oop.turn is not None
    assert spot.oop.river is not None
    assert (spot.oop.turn.bet, spot.oop.turn.raise_, spot.oop.turn.donk) == (
        "60%,e,a",
        "2.5x",
        None,
    )
    assert spot.oop.river.donk == "50%"
    assert (spot.rake.rate, spot.rake.cap) == (0, 0)
    assert spot.thresholds.model_dump() == {"add_allin": 1.5, "force_allin": 0.15, "merge": 0.1}
    assert spot.max_raises is None
    assert [int((weights > 0).sum()) for weights in spot.weights] == [167, 250]


def test_what_may_be_left_out() -> None:
    fields = river()
    for player in ("oop", "ip"):
        fields[player] = {"range": "AA", "river": {}}
    spot = Spot.from_mapping(fields)
    assert spot.betting.sizes[0][-1] == PlayerSizes()
    assert spot.rake.rate == spot.thresholds.merge == 0
    assert spot.max_raises is None
    # The sizes of streets before the spot do no harm: only the board changes from spot to spot.
    fields["oop"] = {"range": "AA", "river": {}, "flop": {"bet": "50%"}}
    assert Spot.from_mapping(fields).oop.flop == StreetSizes(bet="50%")


def test_all_problems_are_reported_at_once_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "spot.yaml"
    path.write_text("""
board: QsQsJh
pot: 0
stack: 1.5
stack: 1.5
oop: {range: 22, flop: {bet: 50, rase: 2x}}
ip: {range: AZ, river: {bet: '2x,a,7'}}
rake: {rate: 2, cap: -1}
thresholds: {merge: -1, add_allin: .inf}
max_raises: -1
locks: [{line: x, strategy: {x: 0.5}}, {lines: x}]
colour: red
""")
    with pytest.raises(ConfigError) as caught:
        Spot.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    sizes = "sizes are written 33%, 2.5x (raises only), 120c, a, e, 2e or 3e200%"
    ranges = (
        "ranges are written QQ+, 99-22, AKs, AKo, AK (both), A5s-A2s:0.5, [50]AQs[/50], AhKh, "
        "15% (the best hands) or random"
    )
    assert message.removeprefix(f"{path}: ").split("; ") == [
        "stack: given twice",
        "board: cards 'QsQsJh': Qs is there twice",
        "pot: 0 must be positive",
        "stack: 1.5 must be whole chips (5.5bb is in big blinds)",
        "oop.range: 22 must be text: put it in quotes",
        "oop.flop.bet: 50 is not a size",
        sizes,
        "oop.flop.rase: unknown key, did you mean raise?",
        "ip.range: range token 'AZ': 'Z' is not a rank",
        ranges,
        "ip.river.bet: size '2x' is for raises only: there is no bet to multiply",
        "size '7' is not a size",
        sizes,
        "rake.rate: 2 must be a fraction from 0 to 1 (0.05 is 5 %)",
        "rake.cap: -1 must not be negative",
        "thresholds.add_allin: inf must be a finite number",
        "thresholds.merge: -1 must not be negative (0 turns it off)",
        "max_raises: -1 must be a whole number from 0 up, or null for no limit",
        "locks[0].strategy: the probabilities sum to 0.5, must be 1",
        "locks[1].line: missing",
        "locks[1].lines: unknown key, did you mean line?",
        "colour: unknown key",
        "known: board, pot, stack, oop, ip, rake, thresholds, max_raises, min_bet, lines, "
        "overrides, bb, locks",
    ]


def test_fields_that_disagree_are_reported_beside_broken_ones() -> None:
    text = """
board: QsJh2h
pot: 0
stack: 5
oop: {range: QsQh, flop: {bet: zzz, donk: 50%}, river: {}}
ip: {range: AA, flop: {}, turn: {donk: a}, river:}
rake: {rate: 0.05}
"""
    assert problems(text) == [
        "pot: 0 must be positive",
        "oop.flop.bet: size 'zzz' is not a size",
        "sizes are written 33%, 2.5x (raises only), 120c, a, e, 2e or 3e200%",
        "oop.flop.donk: only the player out of position donks, on the turn or the river",
        "oop.turn: missing, and this spot plays the turn ({} allows no bets)",
        "ip.turn.donk: only the player out of position donks, on the turn or the river",
        "ip.river: missing, and this spot plays the river ({} allows no bets)",
        "rake.cap: 0 takes nothing",
        "give it in chips, or .inf for none",
        "oop.range: is empty: the board QsJh2h blocks every hand",
    ]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "holds nothing, wants keys: board, pot, stack"),
        ("- 1", "holds a list, wants keys"),
        ("board: [", "line 1: not YAML"),
        ("{}", "board: missing; pot: missing; stack: missing; oop: missing; ip: missing"),
        ("1: 2", "1: keys are text"),
        ("oop: 3", "oop: 3 must be a mapping"),
        ("oop: {range: AA, flop: 33%}", "oop.flop: '33%' must be a mapping"),
        ("rake: 5", "rake: 5 must be a mapping"),
        ("oop: {rnage: AA}", "oop.rnage: unknown key, did you mean range?"),
        ("thresholds: {allin: 1}", "thresholds.allin: unknown key, did you mean add_allin?"),
    ],
)
def test_bad_files_say_why(text: str, why: str) -> None:
    assert why in "; ".join(problems(text))


def test_long_values_are_cut_short() -> None:
    oop = {"range": [0.5] * 1326, "river": {}}
    shown = str([0.5] * 1326)[:60]
    wanted = "must be text, or an array of 1326 weights"
    assert refused(oop=oop) == f"oop.range: {shown}... {wanted}"


def test_a_street_that_is_wrong_is_not_called_missing_too() -> None:
    oop = {"range": "AA", "river": "33%"}
    assert refused(oop=oop) == "oop.river: '33%' must be a mapping"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"board": ""}, "board: is empty, want 3, 4 or 5 cards"),
        ({"board": "QsJh"}, "board: 'QsJh' has 2 cards, want 3, 4 or 5"),
        ({"board": 5}, "board: 5 must be text, as in QsJh2h"),
        ({"pot": -5}, "pot: -5 must be positive"),
        ({"pot": True}, "pot: True must be a number of chips"),
        ({"pot": "180"}, "pot: '180' must be a number of chips"),
        ({"pot": inf}, "pot: inf must be whole chips"),
        ({"stack": 0}, "stack: 0 must be positive"),
        ({"stack": 2_000_000_000}, "stack: 2000000000 must be at most 1,000,000,000 chips"),
        ({"max_raises": 1.5}, "max_raises: 1.5 must be a whole number from 0 up"),
        ({"max_raises": "x"}, "max_raises: 'x' must be a whole number, or null for no limit"),
        ({"rake": {"rate": -0.1, "cap": 1}}, "rake.rate: -0.1 must be a fraction from 0 to 1"),
        (
            {"rake": {"rate": 0.1, "cap": None}},
            "rake.cap: None must be a number, or .inf for no cap",
        ),
    ],
)
def test_wrong_values_say_what_is_wanted(change: dict[str, Any], why: str) -> None:
    assert why in refused(**change)


@pytest.mark.parametrize(
    ("oop", "ip", "why"),
    [
        ("KhKd,Ks7s", "AA", None),
        ("KsQs", "AA", "oop.range: is empty: the board Ks7h2d9c4s blocks every hand"),
        ("AA", "4s4h,7h6h", "ip.range: is empty"),
        ("AA:0", "AA", "oop.range: has no hand with a weight above 0"),
        ("AhAd", "AhKh,AdKd,AhAd", "ip.range: every hand shares a card with every hand of oop"),
        ("AhAd", "AhKh,AdKd,AsAc", None),
    ],
)
def test_ranges_must_leave_a_deal(oop: str, ip: str, why: str | None) -> None:
    fields = river()
    fields["oop"] = {"range": oop, "river": {}}
    fields["ip"] = {"range": ip, "river": {}}
    if why is None:
        Spot.from_mapping(fields)
    else:
        assert why in refused(**fields)


def test_weights_are_zero_where_the_board_blocks() -> None:
    spot = Spot.from_mapping({**river(), "oop": {"range": "KK,QQ:0.5", "river": {}}})
    weights = spot.weights[0]
    assert weights[combo_from_string("KsKh")] == 0
    assert weights[combo_from_string("KdKh")] == 1
    assert weights.sum() == 3 + 6 * 0.5
    assert not weights.flags.writeable


def test_a_range_may_be_an_array() -> None:
    weights = np.random.default_rng(3).random(NUM_COMBOS)
    spot = Spot.from_mapping({**river(), "ip": {"range": weights, "river": {}}})
    assert (parse_range(spot.ip.range) == weights).all()
    wrong = {"range": np.ones(5), "river": {}}
    assert "ip.range: range weights have shape (5,), want [1326]" in refused(ip=wrong)
    nothing = {"range": np.zeros(NUM_COMBOS), "river": {}}
    assert "ip.range: has no hand with a weight above 0" in refused(ip=nothing)


def test_whole_floats_and_lists_of_sizes_are_understood() -> None:
    fields = {**river(), "pot": 180.0}
    fields["oop"] = {"range": "AA", "river": {"bet": ["33%", "a"], "raise": None}}
    spot = Spot.from_mapping(fields)
    assert spot.pot == 180
    assert isinstance(spot.pot, int)
    assert spot.oop.river == StreetSizes(bet="33%,a", raise_="")


def test_rake_is_a_share_up_to_a_cap() -> None:
    spot = Spot.from_mapping({**river(), "rake": {"rate": 0.05, "cap": 7.5}})
    assert spot.rake.taken(100) == 5
    assert spot.rake.taken(400) == 7.5
    free = Spot.from_mapping({**river(), "rake": {"rate": 0.0, "cap": 3.0}})
    assert free.rake.taken(400) == 0
    assert Spot.from_mapping({**river(), "rake": {"rate": 0.5, "cap": inf}}).rake.cap == inf


def test_thresholds_are_exact() -> None:
    spot = named_spot("k72r_srp")
    assert [str(value) for value in spot.thresholds.exact] == ["0", "3/20", "0"]


@pytest.mark.parametrize(
    ("text", "tidy"),
    [
        ("33%", "33%"),
        (" 33 % , 2.50X,.5% ", "33%,2.5x,0.5%"),
        ("120c,a,A", "120c,a"),
        ("e,2e,3e200%,e50%", "e,2e,3e200%,e50%"),
        ("12.125%,1000.0%", "12.125%,1000%"),
        ("", ""),
        ("  ", ""),
    ],
)
def test_size_text_comes_back_tidy(text: str, tidy: str) -> None:
    sizes = parse_sizes(text, raising=True)
    assert format_sizes(sizes) == tidy
    assert parse_sizes(tidy, raising=True) == sizes


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("33", "size '33' is not a size"),
        ("pot", "size 'pot' is not a size"),
        ("33%,,a", "size '' is empty"),
        ("0%", "size '0%' must be positive"),
        ("-5c", "size '-5c' is not a size"),
        ("1.5c", "size '1.5c' must be whole chips"),
        ("1x", "size '1x' must be more than once the bet"),
        ("0e", "size '0e' must count 1 to 100 streets"),
        ("999e", "size '999e' must count 1 to 100 streets"),
        ("2e0%", "size '2e0%' must have a positive cap"),
        ("nan%", "size 'nan%' is not a size"),
        ("²%", "size '²%' is not a size"),
    ],
)
def test_sizes_that_make_no_sense(text: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_sizes(text, raising=True)
    assert why in str(caught.value)


@pytest.mark.parametrize("name", NAMED)
def test_yaml_comes_back(name: str, tmp_path: Path) -> None:
    spot = named_spot(name)
    path = tmp_path / "again.yaml"
    path.write_text(spot.to_yaml())
    again = Spot.load(path)
    assert again == spot
    assert again.fingerprint() == spot.fingerprint()
    assert Spot.from_mapping(spot.to_mapping()) == spot


@given(mappings())
@settings(max_examples=50, deadline=None)
def test_random_spots_come_back(fields: dict[str, Any]) -> None:
    spot = Spot.from_mapping(fields)
    again = Spot.from_yaml(spot.to_yaml())
    assert again == spot
    assert again.fingerprint() == spot.fingerprint()


def test_fingerprint_of_a_named_spot_is_fixed() -> None:
    """A change orphans every stored solution: it must never happen by accident."""
    want = "5953f0d1237ab74868a73fcfb788a97c7590c3153fe70f05f2f23c7cd7bf4866"
    assert named_spot("3betpot_fast").fingerprint() == want


def changes() -> list[dict[str, Any]]:
    base = river("50%", "2x")
    player = base["oop"]
    streets = [
        {"bet": "51%", "raise": "2x"},
        {"bet": "50%", "raise": "3x"},
        {"bet": "50%", "raise": "2x", "donk": "50%"},
    ]
    return [
        {"board": "Ks7h2d9c5s"},
        {"pot": 101},
        {"stack": 201},
        {"max_raises": 3},
        {"rake": {"rate": 0.05, "cap": 1.0}},
        {"rake": {"rate": 0.0, "cap": 1.0}},
        *({"thresholds": {name: 0.1}} for name in ("add_allin", "force_allin", "merge")),
        {"oop": {**player, "range": "AA"}},
        {"ip": {**player, "range": "AA:0.5,KQs,76s"}},
        *({"oop": {**player, "river": street}} for street in streets),
        *({"ip": {**player, "river": street}} for street in streets[:2]),
        {"oop": {**player, "turn": {}}},
    ]


@pytest.mark.parametrize("change", changes(), ids=str)
def test_fingerprint_covers_every_field(change: dict[str, Any]) -> None:
    base = river("50%", "2x")
    assert Spot.from_mapping({**base, **change}).fingerprint() != (
        Spot.from_mapping(base).fingerprint()
    )


def test_fingerprint_does_not_depend_on_spelling() -> None:
    base = river("50%,a", "2x")
    same = river("a, 50.0 %", "2.0x", board="4s9cKs7h2d", pot=100.0, max_raises=None)
    same["ip"] = {**same["ip"], "range": "KQs AA 7h6h,7s6s,7d6d,7c6c"}
    assert Spot.from_mapping(base).fingerprint() == Spot.from_mapping(same).fingerprint()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot read: No such file"):
        Spot.load(tmp_path / "none.yaml")


def test_a_spot_cannot_be_changed() -> None:
    spot = named_spot("river_full")
    with pytest.raises(ValueError, match="frozen"):
        spot.pot = 5


def test_the_named_spots_are_all_there() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} >= set(NAMED)


def test_a_spot_needs_no_compiler() -> None:
    code = (
        "import sys, poker_solver.config.spot, poker_solver.postflop.plan; "
        "print({'numba', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_spots_are_equal_by_their_fields_whatever_was_read_from_them() -> None:
    first, second = named_spot("turn_example"), named_spot("turn_example")
    assert first.weights[0].sum() > 0
    assert first == second
    assert hash(first) == hash(second)
    assert first != named_spot("river_example")
    assert first != "turn_example"


def test_the_least_bet_of_a_spot_is_part_of_its_betting_and_of_its_name() -> None:
    plain = Spot.from_mapping(river("50%"))
    assert plain.betting.min_bet == 1
    assert "min_bet" not in plain.to_mapping()
    higher = Spot.from_mapping({**river("50%"), "min_bet": 100})
    assert higher.betting.min_bet == 100
    assert Spot.from_yaml(higher.to_yaml()) == higher != plain
    assert higher.fingerprint() != plain.fingerprint()
    assert refused(min_bet=0) == "min_bet: 0 must be positive"
