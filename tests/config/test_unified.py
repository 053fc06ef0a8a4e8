"""Full games: two spellings of one format, every problem at once, and what is said of a reading."""

from math import inf
from pathlib import Path
from typing import Any

import pytest

from poker_solver.cards.flops import NUM_FLOPS, SUBSETS, all_flops, flop_subset
from poker_solver.cfr.schedules import parse_schedule
from poker_solver.config.sizes import format_sizes, parse_preflop_sizes
from poker_solver.config.unified import UnifiedConfig, full_game_names
from poker_solver.errors import ConfigError

SHORT = Path(__file__).parent / "data" / "unified_cfr.yaml"

LONG = """
stack: 20
preflop: {raise_sizes: [["2.5bb"], ["3bb"]], raise_cap: 4}
postflop:
  flop: &street {bet: "50%,100%", raise: "100%, 50%"}
  turn: *street
  river: *street
  max_raises: 1
flops: 47
"""

SHARED_ROWS = {"turn": {"buckets": 20}, "river": {"buckets": 10}}


def config(**changes: Any) -> UnifiedConfig:
    """A small game in the long form, changed; None takes a key away."""
    street = {"bet": "75%", "raise": "a"}
    fields = {
        "stack": 20,
        "preflop": {"raise_sizes": [["2.5bb"]]},
        "postflop": dict.fromkeys(("flop", "turn", "river"), street),
        "flops": 5,
        **changes,
    }
    return UnifiedConfig.from_mapping({k: v for k, v in fields.items() if v is not None})


def preflop(**changes: Any) -> dict[str, Any]:
    return {"raise_sizes": [["2.5bb"]], **changes}


def test_the_short_form_loads_as_it_stands() -> None:
    game = UnifiedConfig.load(SHORT)
    before = game.preflop_betting
    assert (game.name, game.stack_bb) == ("Custom", 20)
    assert before.blind_chips == (50, 100)
    assert (before.ante_chips, before.all_in_chips) == (0, 2000)
    assert [format_sizes(sizes) for sizes in before.raise_sizes] == ["2.5bb", "3bb"]
    assert (before.raise_cap, before.all_in, before.limp) == (4, True, True)
    (after,) = game.postflop_bettings
    assert after.max_raises == 1
    for player in after.sizes:
        for street in player[1:]:
            assert format_sizes(street.bets) == format_sizes(street.raises) == "50%,100%"
    assert game.flop_set() == flop_subset(47)
    assert (game.epochs, game.flop_batch_size, game.iterations_per_batch) == (2, 25, 50)
    assert (game.prune_threshold, game.prune_warmup, game.explore_interval) == (-1000, 20, 25)
    assert game.schedule_text == "dcfr:1.5,0.5,2"
    assert game.discounts.warmup == 30


def test_what_is_read_differently_is_said() -> None:
    assert UnifiedConfig.load(SHORT).notes == (
        "preflop: 3-bet 3bb over 2.5bb is the minimum raise, to 4bb",
        "preflop.exploration 0.05 is not used: no action is sampled, each is valued in full",
        "max_canonical_flops 50: the flops are the subset of 47",
    )


def test_both_forms_of_one_game_have_one_fingerprint() -> None:
    short, long = UnifiedConfig.load(SHORT), UnifiedConfig.from_yaml(LONG)
    assert short.fingerprint() == long.fingerprint()
    assert short.preflop_betting == long.preflop_betting
    assert short.postflop_bettings[0] == long.postflop_bettings[0]
    assert len(short.fingerprint()) == 64


def test_training_has_the_defaults_people_know() -> None:
    game = config()
    assert (game.epochs, game.flop_batch_size, game.iterations_per_batch) == (10, 50, 200)
    assert (game.sampled_turns, game.sampled_rivers) == (0, 0)
    assert (game.prune_warmup, game.explore_interval) == (100, 50)
    assert (game.postflop_max_raises_per_street, game.max_canonical_flops) == (1, 0)
    assert game.schedule_text == "dcfr:1.5,0.5,3"
    assert str(parse_schedule(game.schedule_text)) == game.schedule_text
    other = config(dcfr={"alpha": 1.25, "beta": -0.5, "gamma": 4, "warmup": 7})
    assert other.schedule_text == "dcfr:1.25,-0.5,4"
    assert other.discounts.warmup == 7


@pytest.mark.parametrize(
    ("same", "changes"),
    [
        (True, {"name": "x"}),
        (True, {"epochs": 3}),
        (True, {"dcfr": {"gamma": 2}}),
        (True, {"preflop": preflop(iso_sizes=["2.50bb"], raise_cap=None)}),
        (True, {"preflop": {"raise_sizes": ["2.5bb,a", "a", []]}}),
        (True, {"stack": 20.0, "flops": "5"}),
        (False, {"stack": 21}),
        (False, {"blinds": {"small": 0.4}}),
        (False, {"ante": 0.1}),
        (False, {"rake": {"rate": 0.05, "cap": inf}}),
        (False, {"preflop": preflop(limp=False)}),
        (False, {"preflop": preflop(allin=False)}),
        (False, {"preflop": preflop(raise_cap=2)}),
        (False, {"preflop": preflop(iso_sizes=[])}),
        (False, {"preflop": {"raise_sizes": [["2.5bb"], ["3x"]]}}),
        (False, {"flops": 12}),
        (False, {"flops": None}),
        (False, {"postflop": None, "postflop_bet_sizes": [0.75]}),
    ],
)
def test_a_fingerprint_names_the_game_and_nothing_else(same: bool, changes: dict[str, Any]) -> None:
    assert (config(**changes).fingerprint() == config().fingerprint()) == same


def test_every_street_and_pot_is_part_of_the_fingerprint() -> None:
    street = {"bet": "75%", "raise": "a"}
    base = dict.fromkeys(("flop", "turn", "river"), street)
    changed: list[dict[str, Any]] = [
        {**base, "river": {"bet": "75%"}},
        {**base, "turn": {**street, "donk": "30%"}},
        {**base, "oop": {"flop": {}}},
        {**base, "ip": {"turn": {"bet": "a"}}},
        {**base, "max_raises": 1},
        {**base, "thresholds": {"merge": 0.1}},
        *({**base, "pots": {pot: {"flop": {}}}} for pot in ("limped", "raised", "3bet", "4bet")),
    ]
    names = {config(postflop=part).fingerprint() for part in [base, *changed]}
    assert len(names) == 1 + len(changed)
    assert config(postflop={**base, "pots": {"3bet": base}}).fingerprint() == config().fingerprint()


def test_sizes_go_from_all_pots_to_one_and_from_both_players_to_one() -> None:
    game = config(
        postflop={
            "flop": {"bet": "10%"},
            "turn": {"bet": "20%"},
            "river": {"bet": "30%"},
            "oop": {"turn": {"bet": "21%", "donk": "25%"}},
            "pots": {"3bet": {"flop": {"bet": "12%"}, "ip": {"flop": {"bet": "13%"}}}, "4bet": {}},
        }
    )
    bets = [
        [" ".join(format_sizes(street.bets) for street in player[1:]) for player in pot.sizes]
        for pot in game.postflop_bettings
    ]
    plain = ["10% 21% 30%", "10% 20% 30%"]
    assert bets == [plain, plain, ["12% 21% 30%", "13% 20% 30%"], plain]
    oop = game.postflop_bettings[0].sizes[0]
    assert format_sizes(oop[2].donks) == "25%"
    assert all(pot.max_raises is None for pot in game.postflop_bettings)
    assert len(config().postflop_bettings) == 1


def test_blinds_ante_and_rake() -> None:
    game = config(ante=0.25, blinds={"small": 0.4}, rake={"rate": 0.05, "cap": 0.3})
    before = game.preflop_betting
    assert (before.blind_chips, before.ante_chips, before.all_in_chips) == ((40, 100), 25, 1975)
    assert (game.rake.rate, game.rake.cap) == (before.rake.rate, before.rake.cap) == (0.05, 0.3)
    (after,) = game.postflop_bettings
    assert (after.rake.cap, after.pot, after.stack, after.min_bet) == (30, 250, 1875, 100)
    chips = {"blinds": [[1, 5], [0, 2]], "antes": [[0, 1], [1, 1]], "stacks": [100, 120]}
    short = config(stack=None, preflop=preflop(**chips))
    other = short.preflop_betting
    assert (other.blind_chips, other.ante_chips, other.all_in_chips) == ((40, 100), 20, 1980)
    assert short.notes == ("preflop.stacks differ: both play the smaller, 20 bb",)


@pytest.mark.parametrize(
    ("stack", "part", "notes"),
    [
        (20, preflop(), []),
        (100, {"raise_sizes": [["2.5bb"], ["10bb"], ["24bb"]], "iso_sizes": ["4bb"]}, []),
        (20, preflop(iso_sizes=["1.5bb"]), ["raise over a limp 1.5bb over 1bb is the minimum"]),
        (20, {"raise_sizes": [["110%"], ["25bb"]]}, ["3-bet 25bb over 3.2bb is the all-in, to 20"]),
        (4, {"raise_sizes": [["3bb"], ["3.5bb"]]}, ["3-bet 3.5bb over 3bb is the all-in, to 4bb"]),
        (20, {"raise_sizes": [[], ["8bb"]]}, ["3-bet is never played, nobody can raise so often"]),
        (
            50,
            {"raise_sizes": [["2bb"], ["3x"], ["30%"]], "raise_cap": 2},
            ["4-bet is never played, nobody can raise so often"],
        ),
        (10, {"raise_sizes": [], "limp": False}, ["no line sees a flop with chips behind"]),
    ],
)
def test_notes_say_which_raise_and_what_it_comes_to(
    stack: float, part: dict[str, Any], notes: list[str]
) -> None:
    found = config(stack=stack, preflop=part).notes
    assert len(found) == len(notes)
    assert all(f"preflop: {note}" in text for text, note in zip(found, notes, strict=True))


def test_rows_say_that_nobody_is_left_out() -> None:
    found = config(rows={"river": "strength"}, prune_threshold=-200).notes
    assert found == ("prune_threshold -200 is not used: hands that share rows are all walked",)


def test_notes_end_somewhere() -> None:
    part = {"raise_sizes": [["2bb"]], "allin": False}  # every raise is the smallest
    found = config(stack=100_000, preflop=part).notes
    assert len(found) == 13
    assert found[0] == "preflop: 3-bet 2bb over 2bb is the minimum raise, to 3bb"
    assert found[-1].endswith("more raises like these")


def test_flops_by_name_number_limit_and_file(tmp_path: Path) -> None:
    assert config(flops=None).flop_set() == all_flops()
    assert config(flops="all").flop_set() == all_flops()
    for size in SUBSETS:
        assert config(flops=size).flop_set() == config(flops=str(size)).flop_set()
        limited = config(flops=None, max_canonical_flops=size + 1)
        assert limited.flop_set() == flop_subset(size)
        assert limited.notes
    assert config(flops=None, max_canonical_flops=2000).flop_set() == all_flops()
    (tmp_path / "mine.txt").write_text("QdJc2c 3\nAsKs2s 1\n")
    text = LONG.replace("flops: 47", "flops: mine.txt")
    (tmp_path / "game.yaml").write_text(text)
    game = UnifiedConfig.load(tmp_path / "game.yaml")
    assert game.flop_set().flops == ("QsJh2h", "AsKs2s")
    assert game.flop_set().weights == (16575, 5525)
    (tmp_path / "mine.txt").unlink()  # what was read is kept
    again = UnifiedConfig.from_mapping(game.to_mapping())
    assert again.flop_set().weights == game.flop_set().weights
    assert again.fingerprint() == game.fingerprint()


@pytest.mark.parametrize(
    "name", ["hu_10", "hu_20", "hu_20_laptop", "hu_50", "hu_100", "hu_100_laptop", "hu_tiny"]
)
def test_presets_load_and_read_back(name: str) -> None:
    assert name in full_game_names()
    game = UnifiedConfig.load(name)
    assert game.notes == ()
    assert sum(game.flop_set().weights) == NUM_FLOPS
    for other in (
        UnifiedConfig.from_mapping(game.to_mapping()),
        UnifiedConfig.from_yaml(game.to_yaml()),
    ):
        assert other == game
        assert other.fingerprint() == game.fingerprint()


def test_everything_reads_back() -> None:
    rake = {"rate": 0.05, "cap": inf}
    for game in (UnifiedConfig.load(SHORT), UnifiedConfig.from_yaml(LONG), config(rake=rake)):
        assert UnifiedConfig.from_mapping(game.to_mapping()) == game
        assert UnifiedConfig.from_yaml(game.to_yaml()) == game


@pytest.mark.parametrize(
    ("stack", "preset"), [(10, "hu_10"), (20, "hu_20"), (50, "hu_50"), (100, "hu_100")]
)
def test_the_default_game_of_a_depth(stack: float, preset: str) -> None:
    game = UnifiedConfig.default_hu(stack)
    assert game.fingerprint() == UnifiedConfig.load(preset).fingerprint()
    assert game.name == f"HU {stack}BB"
    other = UnifiedConfig.default_hu(stack + 1.5)
    assert other.stack_bb == stack + 1.5
    assert other.preflop_betting.raise_sizes == game.preflop_betting.raise_sizes
    assert UnifiedConfig.default_hu(250).preflop_betting.raise_sizes[1] == parse_preflop_sizes(
        "10bb"
    )


def test_all_problems_are_reported_at_once_with_their_place(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(
        """
stack: 0.9
blind: {small: 1}
rake: {rate: 0.05}
preflop: {raise_sizes: [["2.5"], 7], limp: maybe, raise_cap: -1, alin: true}
postflop:
  flop: {bet: "75%", donk: "30%"}
  turn: {bet: "75"}
  ip: {turn: {donk: "5%"}}
  pots: {5bet: {}}
flops: [1]
epochs: 0
epochs: 2.5
prune_threshold: 3
"""
    )
    with pytest.raises(ConfigError) as caught:
        UnifiedConfig.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    for problem in (
        "epochs: given twice",
        "stack: 0.9 bb must leave more than the big blind and the ante",
        "blind: unknown key, did you mean blinds?",
        "rake.cap: 0 takes nothing",
        "preflop.raise_sizes[0]: size '2.5' is not a size",
        "preflop.raise_sizes[1]: 7 is not a list of sizes",
        "preflop.limp: 'maybe' must be true or false",
        "preflop.raise_cap: -1 must be a whole number from 0 up",
        "preflop.alin: unknown key, did you mean allin?",
        "postflop.flop.donk: only the player out of position donks",
        "postflop.turn.bet: size '75' is not a size",
        "postflop.river: missing",
        "postflop.pots.5bet: unknown key, did you mean 4bet?",
        "flops: [1]: want all, 184, 95, 47, 25, 12, 5, or a file",
        "epochs: 2.5 must be a whole number from 1 up",
        "prune_threshold: 3 must be below 0",
    ):
        assert problem in message, problem


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"stack": None}, "stack: missing: in bb, or as preflop.stacks"),
        ({"stack": 1}, "stack: 1 bb must leave more than the big blind and the ante"),
        ({"stack": 3, "ante": 2}, "stack: 3 bb must leave more than the big blind"),
        ({"stack": "20"}, "stack: '20' must be a number"),
        ({"preflop": None}, "preflop: missing"),
        ({"preflop": 3}, "preflop: 3 must be a mapping"),
        ({"preflop": {}}, "preflop.raise_sizes: missing"),
        ({"preflop": {"raise_sizes": "2.5bb"}}, "must have one list for each raise"),
        ({"preflop": preflop(limp=False, raise_cap=0)}, "preflop.limp: false, and nothing may be"),
        (
            {"preflop": {"raise_sizes": [], "limp": False, "allin": False}},
            "preflop.limp: false, and nothing may be raised: only folding is left",
        ),
        ({"postflop": None}, "postflop: missing: sizes by street, or as postflop_bet_sizes"),
        ({"postflop_bet_sizes": [1]}, "postflop_bet_sizes: postflop says it already"),
        ({"max_canonical_flops": 47}, "max_canonical_flops: flops says it already"),
        ({"flops": None, "max_canonical_flops": 3}, "3 must be 0 for all, or at least 5"),
        ({"flops": 46}, "flops: '46': want all, 184, 95, 47, 25, 12, 5, flops such as"),
        ({"flops": {"QsJh2h": 1, "2hJhQs": 1}}, "flops: 2hJhQs: QsJh2h is there twice"),
        ({"flops": {"QsJh2h": 1, "QdJc2c": 1}}, "QdJc2c and QsJh2h are one flop up to suits"),
        ({"flops": {"QsJh": 1, "AsKs2s": -1}}, "QsJh: 'QsJh' has 2 cards"),
        ({"flops": {}}, "flops: the set has no flop in it"),
        ({"preflop": preflop(stacks=[40, 40])}, "preflop.stacks: stack says it already"),
        ({"stack": None, "preflop": preflop(stacks=[40, 40])}, "preflop.blinds: missing: stacks"),
        ({"stack": None, "preflop": preflop(stacks=[40])}, "must be two stacks in chips"),
        ({"preflop": preflop(blinds=[[0, 1], [2, 2]])}, "must name positions 0 and 1, each once"),
        ({"preflop": preflop(blinds=[[0, 2], [1, 2]])}, "2 and 2 must be positive and differ"),
        ({"preflop": preflop(blinds=[[0, 0], [1, 0]])}, "0 and 0 must be positive and differ"),
        ({"preflop": preflop(blinds=[0, 2])}, "must be a list of [position, chips]"),
        ({"preflop": preflop(blinds=[[0, 1], [1, 3]])}, "1 of 3 must be a whole number of hund"),
        (
            {"preflop": preflop(blinds=[[0, 1], [1, 2]], antes=[[0, 1], [1, 2]])},
            "preflop.antes: both players must post the same",
        ),
        (
            {"stack": None, "preflop": preflop(blinds=[[0, 1], [1, 2]], stacks=[2, 2])},
            "preflop.stacks: 1 bb must leave more than the big blind",
        ),
        ({"preflop": preflop(positions=["SB"])}, "must be two positions: the game is heads-up"),
        ({"preflop": preflop(cfr_variant="mccfr")}, "cfr_variant: 'mccfr' must be 'dcfr'"),
        (
            {"dcfr": {"gamma": 2}, "preflop": preflop(dcfr_gamma=3.0)},
            "preflop.dcfr_gamma: dcfr says it already",
        ),
        ({"dcfr": {"alpha": 0}}, "dcfr.alpha: 0 must be positive"),
        ({"preflop": preflop(exploration=2)}, "exploration: 2 must be from 0 to 1"),
        ({"postflop": None, "postflop_bet_sizes": 0.5}, "must be a list of fractions of the pot"),
        ({"postflop": None, "postflop_bet_sizes": [-1]}, "must be fractions of the pot above 0"),
        ({"flop_batch_size": 0}, "flop_batch_size: 0 must be a whole number from 1 up"),
        ({"epochs": True}, "epochs: True must be a whole number from 1 up"),
        (
            {"sampled_turns": 50, "rows": SHARED_ROWS},
            "sampled_turns: 50 must be at most 49, the cards that can fall",
        ),
        (
            {"sampled_rivers": 49, "rows": SHARED_ROWS},
            "sampled_rivers: 49 must be at most 48, the cards that can fall",
        ),
        ({"sampled_turns": 2.5, "rows": SHARED_ROWS}, "sampled_turns: 2.5 must be a whole number"),
        ({"sampled_turns": 6}, "sampled_turns: wants rows of turn and river that all boards share"),
        (
            {"sampled_turns": 6, "rows": {**SHARED_ROWS, "river": "strength"}},
            "{buckets: n}: tables of single boards are visited flop by flop",
        ),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config(**changes)
    assert message in str(caught.value)


def test_unknown_presets_name_the_presets() -> None:
    with pytest.raises(ConfigError, match="'hu_21' is not a preset; presets: hu_10, hu_100"):
        UnifiedConfig.load("hu_21")


def test_rows_are_training_and_no_part_of_the_game() -> None:
    plain, rows = config(), {"flop": "exact", "turn": {"emd": 100}, "river": "quantiles:16"}
    game = config(rows=rows)
    assert plain.rows is None
    assert game.rows is not None
    assert [str(rule) for rule in game.rows.rules] == ["exact", "emd:100", "quantiles:16"]
    assert game.fingerprint() == plain.fingerprint()
    assert game != plain
    assert UnifiedConfig.from_yaml(game.to_yaml()) == game


def test_all_that_is_wrong_with_rows_is_said_beside_the_rest() -> None:
    with pytest.raises(ConfigError) as caught:
        config(epochs=0, rows={"turn": "strength", "river": {"quantiles": 0}, "flopp": "exact"})
    for part in ("epochs: ", "rows.turn: 'strength'", "rows.river: quantiles", "rows.flopp: unkno"):
        assert part in str(caught.value)
