"""`rows:` of a full game: what may be said on each street, and what is said of the rest."""

import pytest

from poker_solver.config.unified_fields import RowRule, RowsConfig
from poker_solver.errors import ConfigError


def test_a_file_and_the_command_line_spell_the_same_rows():
    file = RowsConfig.of({"flop": "exact", "turn": {"emd": 100}, "river": {"quantiles": 16}})
    assert file == RowsConfig.of({"turn": "emd:100", "river": "quantiles:16"})
    assert file.rules == (RowRule("exact"), RowRule("emd", 100), RowRule("quantiles", 16))
    assert [str(rule) for rule in file.rules] == ["exact", "emd:100", "quantiles:16"]
    assert file.model_dump() == {"flop": "exact", "turn": {"emd": 100}, "river": {"quantiles": 16}}
    assert RowsConfig.of(file.model_dump()) == file


def test_left_out_is_exact():
    assert RowsConfig.of({}).rules == (RowRule("exact"),) * 3


def test_only_buckets_are_shared():
    config = RowsConfig.of({"flop": "buckets:50", "turn": "emd:7", "river": "strength"})
    assert [rule.is_shared for rule in config.rules] == [True, False, False]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"flop": "strength"}, "flop: 'strength' makes no rows on the flop; want exact, {emd: n}"),
        ({"turn": {"quantiles": 4}}, "turn: 'quantiles' makes no rows on the turn"),
        ({"river": {"emd": 4}}, "river: 'emd' makes no rows on the river; want exact, strength"),
        ({"river": {"quantiles": 0}}, "quantiles wants a whole number from 1 to 32,767, found 0"),
        ({"river": "quantiles"}, "river: quantiles wants a whole number from 1 to 32,767"),
        ({"river": "quantiles:x"}, "found 'x'"),
        ({"turn": {"emd": 40_000}}, "found 40000"),
        ({"turn": {"emd": True}}, "found True"),
        ({"turn": {"emd": 4, "buckets": 3}}, "is no way to make rows"),
        ({"turn": 100}, "turn: 100 is no way to make rows; want exact, {emd: n} or {buckets: n}"),
        ({"flop": {"exact": 3}}, "exact takes no number, found 3"),
        ({"rivr": "exact"}, "rivr: unknown key, did you mean river?"),
    ],
)
def test_what_is_wrong_is_named(fields, message):
    with pytest.raises(ConfigError) as error:
        RowsConfig.of(fields)
    assert message in str(error.value)


def test_all_problems_come_at_once():
    with pytest.raises(ConfigError, match=r"flop: .*; turn: .*; river: "):
        RowsConfig.of({"flop": 1, "turn": "emd", "river": "best"})
