"""Configs: every problem at once with its place, and raises that are legal poker."""

import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import pytest

from poker_solver.config.preflop import Config, get_preset_path, load_config, preset_names
from poker_solver.errors import ConfigError

LADDER = [2.5, 3, 6, 8, 10, 15, 20, 25, 50, 100]


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "my.yaml"
    path.write_text(text)
    return path


def problems(tmp_path: Path, text: str) -> str:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


def test_standard_is_as_announced() -> None:
    config = load_config("standard")
    assert config.name == "Standard 100BB"
    assert config.stack_depth == 100
    assert list(config.raise_sizes) == LADDER
    assert (config.blinds.small, config.blinds.big, config.ante) == (0.5, 1, 0)
    assert (config.min_raise, config.limp) == ("legal", True)
    assert (config.rake.rate, config.rake.cap) == (0, 0)
    assert config.starting_pot_chips == 150


def test_presets_are_the_five_and_all_load() -> None:
    assert preset_names() == ["aggressive", "deep_200", "push_fold_10", "short_20", "standard"]
    depths = {name: load_config(name).stack_depth for name in preset_names()}
    assert depths == {
        "aggressive": 100,
        "deep_200": 200,
        "push_fold_10": 10,
        "short_20": 20,
        "standard": 100,
    }
    assert load_config("aggressive").raise_sizes == (3, 4, 10, 12, 25, 30, 60, 100)
    assert load_config("push_fold_10").raise_sizes == ()
    assert not load_config("push_fold_10").limp


def test_a_path_loads_like_a_name(tmp_path: Path) -> None:
    path = written(tmp_path, get_preset_path("standard").read_text())
    assert load_config(path) == load_config(str(path)) == load_config("standard")


def test_name_defaults_to_custom(tmp_path: Path) -> None:
    path = written(tmp_path, "stack_depth: 40\nraise_sizes: [2.5, 9]\n")
    assert load_config(path).name == "Custom"


def test_unknown_preset_names_the_presets() -> None:
    with pytest.raises(ConfigError, match="'standrad' is not a preset; presets: aggressive, deep"):
        load_config("standrad")


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot read: No such file"):
        load_config(tmp_path / "none.yaml")


def test_all_problems_are_reported_at_once_with_their_place(tmp_path: Path) -> None:
    text = """
stack_depth: 100
raise_sizes: [2, 3, -3, x, 2.555]
blind: {small: 1}
limp: maybe
min_raise: some
rake: {rat: 0.05, rate: 5}
ante: -0.1
ante: -0.1
"""
    assert problems(tmp_path, text).split("; ") == [
        "ante: given twice",
        "raise_sizes[2]: -3 must be positive",
        "raise_sizes[3]: 'x' must be a number",
        "raise_sizes[4]: 2.555 must be a whole number of hundredths of a bb",
        "ante: -0.1 must not be negative",
        "min_raise: 'some' must be 'legal' or 'any'",
        "limp: 'maybe' must be true or false",
        "rake.rate: 5 must be a fraction from 0 to 1 (0.05 is 5 %)",
        "rake.rat: unknown key, did you mean rate?",
        "blind: unknown key, did you mean blinds?",
    ]


def test_fields_that_disagree_are_reported_beside_broken_ones(tmp_path: Path) -> None:
    text = "stack_depth: 1.2\nante: 0.5\nraise_sizes: [-1]\nblinds: {small: 2}\nrake: {rate: 0.05}"
    assert problems(tmp_path, text).split("; ") == [
        "raise_sizes[0]: -1 must be positive",
        "blinds.small: 2 must be below the big blind",
        "rake.cap: 0 takes nothing",
        "give it in bb, or .inf for none",
        "stack_depth: 1.2 must leave more than the big blind and the ante",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds nothing, wants keys: name, stack_depth"),
        ("- 1", "holds a list, wants keys"),
        ("stack_depth: [", "line 1: not YAML"),
        ("{}", "stack_depth: missing; raise_sizes: missing"),
        ("1: 2", "1: keys are text"),
        ("stack_depth: .inf\nraise_sizes: []", "stack_depth: inf must be a finite number"),
        ("stack_depth: true\nraise_sizes: []", "stack_depth: True must be a number"),
        ("stack_depth: 1.0e+9\nraise_sizes: []", "stack_depth: 1e+09 must be at most 100,000"),
        ('name: "a\\e[31mb"\nstack_depth: 9\nraise_sizes: []', "must be one line of printable"),
        ("name: ' '\nstack_depth: 9\nraise_sizes: []", "name: ' ' must be one line of printable"),
        (
            "stack_depth: 9\nraise_sizes: []\nrake: {rate: 0.1, cap: .nan}",
            "rake.cap: nan must be a number, or .inf for no cap",
        ),
        ("stack_depth: " + 3000 * "[", "nested too deep"),
        ("stack_depth: 9\nraise_sizes: 3", "raise_sizes: 3 must be a list of sizes in bb"),
        ("stack_depth: 9\nraise_sizes: []\nrake: 1", "rake: 1 must be a mapping"),
        ("stack_depth: 9\nraise_sizes: []\nblinds: {big: 2}", "blinds.big: 2 must be 1"),
        (
            "stack_depth: 1.5\nraise_sizes: [1.2]\nlimp: false\nallin: false",
            "limp: false, and no size is",
        ),
    ],
)
def test_bad_files_say_why(tmp_path: Path, text: str, message: str) -> None:
    assert message in problems(tmp_path, text)


def test_first_raise_is_to_at_least_two_big_blinds() -> None:
    config = Config(stack_depth=100, raise_sizes=[1.5, 1.99, 2, 3, 100])
    assert config.get_legal_raise_sizes(1) == [2, 3, 100]


def test_reraise_is_at_least_the_bet_plus_the_last_increment() -> None:
    config = Config(stack_depth=100, raise_sizes=LADDER)
    assert config.get_legal_raise_sizes(2.5) == [6, 8, 10, 15, 20, 25, 50, 100]  # from 4
    assert config.get_legal_raise_sizes(6, last_raise=4) == [10, 15, 20, 25, 50, 100]
    assert config.get_legal_raise_sizes(15, last_raise=9) == [25, 50, 100]  # 24 at least


def test_a_bet_whose_raise_is_not_told_was_raised_in_one_go() -> None:
    assert load_config("standard").get_legal_raise_sizes(8) == [15, 20, 25, 50, 100]
    assert load_config("standard").get_legal_raise_sizes(8, 2) == [10, 15, 20, 25, 50, 100]


def test_sizes_at_or_above_the_stack_are_one_all_in() -> None:
    config = Config(stack_depth=20, raise_sizes=LADDER)
    assert config.get_legal_raise_sizes(10, last_raise=4) == [15, 20]
    assert config.with_stack(22).get_legal_raise_sizes(10, last_raise=4) == [15, 20, 22]


def test_all_in_for_less_than_the_minimum_is_allowed() -> None:
    config = Config(stack_depth=20, raise_sizes=LADDER)
    assert config.get_legal_raise_sizes(15, last_raise=9) == [20]


def test_the_ante_is_not_part_of_the_bet() -> None:
    config = Config(stack_depth=20, raise_sizes=[3, 20], ante=0.25)
    assert config.get_legal_raise_sizes(3, last_raise=2) == [19.75]
    assert config.starting_pot_chips == 200


def test_any_turns_the_increment_rule_off() -> None:
    config = Config(stack_depth=10, raise_sizes=[1.5, 2.5, 3, 6], min_raise="any", allin=False)
    assert config.get_legal_raise_sizes(1) == [1.5, 2.5, 3, 6]
    assert config.get_legal_raise_sizes(2.5) == [3, 6]


def test_no_sizes_means_all_in_only() -> None:
    config = Config(stack_depth=10, raise_sizes=[])
    assert config.get_legal_raise_sizes(1) == [10]
    assert config.get_legal_raise_sizes(10) == []


def test_twice_the_bet_stands_in_where_no_size_is_legal() -> None:
    config = Config(stack_depth=50, raise_sizes=[3, 8], allin=False)
    assert config.get_legal_raise_sizes(8, last_raise=5) == [16]
    assert config.get_legal_raise_sizes(16, last_raise=8) == [32]
    assert config.get_legal_raise_sizes(32, last_raise=16) == []  # 64 is not below the stack
    assert config.get_legal_raise_sizes(25, last_raise=9) == []


def test_the_all_in_is_offered_wherever_there_are_chips() -> None:
    config = Config(stack_depth=50, raise_sizes=[3, 8])
    assert config.get_legal_raise_sizes(1) == [3, 8, 50]
    assert config.get_legal_raise_sizes(8, last_raise=5) == [16, 50]
    assert config.get_legal_raise_sizes(32, last_raise=16) == [50]
    assert config.get_legal_raise_sizes(50, last_raise=18) == []


def test_a_size_equal_to_the_stack_is_the_all_in_once() -> None:
    named, plain = Config(stack_depth=8, raise_sizes=[3, 8]), Config(stack_depth=8, raise_sizes=[3])
    assert named.get_legal_raise_sizes(1) == plain.get_legal_raise_sizes(1) == [3, 8]
    off = named.model_copy(update={"allin": False})
    assert named.fingerprint() == off.fingerprint() != plain.fingerprint()
    assert plain.fingerprint() != Config(**{**plain.model_dump(), "allin": False}).fingerprint()


def test_with_stack_checks_again_and_keeps_the_rest() -> None:
    config = load_config("standard")
    assert config.with_stack(50) == Config(**{**config.model_dump(), "stack_depth": 50})
    with pytest.raises(ConfigError, match="stack_depth: -5 must be positive"):
        config.with_stack(-5)


def test_fingerprint_of_standard_is_fixed() -> None:
    """A change orphans every stored solution: it must never happen by accident."""
    assert load_config("standard").fingerprint() == "d6c09ebd83e52215"


@pytest.mark.parametrize(
    "change",
    [
        {"name": "x"},
        {"stack_depth": 99},
        {"raise_sizes": [2.5]},
        {"blinds": {"small": 0.4}},
        {"ante": 0.1},
        {"min_raise": "any"},
        {"limp": False},
        {"rake": {"rate": 0.05, "cap": inf}},
    ],
)
def test_fingerprint_covers_every_field(change: dict[str, Any]) -> None:
    base = {"stack_depth": 100, "raise_sizes": [2, 100]}
    assert set(change) <= set(Config.model_fields)
    assert Config(**{**base, **change}).fingerprint() != Config(**base).fingerprint()


def test_config_needs_no_compiler() -> None:
    code = "import sys, poker_solver.config.preflop; print({'numba', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
