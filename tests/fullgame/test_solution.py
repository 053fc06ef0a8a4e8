"""A full game's solution: files, preflop with real values, ranges and spots of every line."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import poker_solver as ps
from poker_solver.cards.classes import COMBO_CLASS
from poker_solver.cards.combos import disjoint_sum
from poker_solver.config.unified import UnifiedConfig
from poker_solver.errors import FormatError, InputError, LineError
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.fullgame.training.trunk import NEVER
from poker_solver.preflop.ranges import leaf_reach
from poker_solver.query.export import export_bytes
from poker_solver.query.view import node_view
from poker_solver.store.files import read_file, write_file
from poker_solver.trees.betting import build_betting_tree
from tests.support.full_games import CLASSES, small, small_config, small_solver, solution_file

LINES = ("SBc BBx", "SBr2 BBc", "SBc BBr2 SBc")


def test_a_solution_reads_back_bit_for_bit(tmp_path: Path) -> None:
    path = tmp_path / "again.pks"
    small().save(path)
    read = UnifiedSolution.load(path, config=small_config())
    assert np.array_equal(read.sums, small().sums)
    assert np.array_equal(read.leaf_values, small().leaf_values)
    assert (read.config, read.record, read.certificate, read.hands) == (
        small().config, small().record, small().certificate, CLASSES,
    )  # fmt: skip
    assert read.summary() == small_solver().solution().summary()
    assert read.rows is not None
    assert read.rows.num_done == 2
    plain = replace(read, rows=None)
    plain.save(path)  # over the very file that rows are read from
    assert UnifiedSolution.load(path).rows is None
    assert path.stat().st_size < 30_000


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"holds Small \(\w+\), asked for HU tiny"):
        UnifiedSolution.load(solution_file(), config=UnifiedConfig.load("hu_tiny"))
    path, (header, arrays) = tmp_path / "x", read_file(solution_file(), "unified solution")
    header = {key: header[key] for key in header if key not in ("rows", "apart", "kind", "version")}
    arrays = {name: arrays[name] for name in ("sums", "leaf_values")}
    other = {**header["config"], "stack": 7}

    def refused(match: str, changed: dict[str, object], kind: str = "unified solution") -> None:
        write_file(path, kind, {**header, **changed}, arrays)
        with pytest.raises(FormatError, match=match):
            UnifiedSolution.load(path)

    refused("config does not match its fingerprint", {"config": other})
    refused("its config is broken: stack", {"config": {**other, "stack": "x"}})
    refused("format 99; this program reads 1", {"format": 99})
    refused("leaf_values has shape", {"hands": list(CLASSES[1:])})
    refused("broken header", {"record": {}})
    refused("holds a postflop solution, asked for a unified", {}, "postflop solution")
    path.write_bytes(solution_file().read_bytes()[:-1])
    with pytest.raises(FormatError, match="truncated"):
        UnifiedSolution.load(path)


def test_evs_sum_to_the_pot_and_the_root_has_the_value_of_the_game() -> None:
    preflop = small().preflop
    assert not preflop.is_model
    root = preflop.node()
    won, lines = np.array(root.mean_ev_bb) - (1, 0.5), small().leaf_values
    assert won == pytest.approx(small_solver().preflop.worth(lines, lines).mean, abs=1e-12)
    assert (won >= np.array(small().value_bb) - 1e-12).all()  # who never comes plays better there
    for line in ("", "SBr2", "SBc", "SBc BBr2", *LINES):
        node = preflop.node(line)
        assert sum(node.mean_ev_bb) == pytest.approx(node.pot_bb, abs=1e-5)  # float32 after flops
        if node.actions:
            mixed = (node.strategy * node.ev_actions_bb).sum(axis=0)
            np.testing.assert_allclose(node.ev_bb[node.player], mixed, atol=1e-9)
    certificate = small().certificate
    assert certificate is not None
    assert certificate.value_bb == small().value_bb
    assert preflop.exploitability_bb == pytest.approx(certificate.exploitability_mbb / 1000)


def test_a_line_is_worth_what_its_rows_say_over_all_flops() -> None:
    solution, line = small(), small().find_line("SBr2 BBc")
    flops, total = solution.config.flop_set(), np.zeros((2, 169))
    assert solution.rows is not None
    for flop, chip in zip(flops.flops, solution.game.measure(flops), strict=True):
        game = solution.spot_game(line, ps.parse_board(flop))
        row = solution.rows.read(game.cards, line)
        assert row is not None
        for player in (0, 1):
            won = row.values[player] - game.pot / 2
            cfv = np.nan_to_num(won) * disjoint_sum(game.weights[1 - player])
            total[player] += chip * np.bincount(COMBO_CLASS, cfv, 169)
    want, found = solution.leaf_values[:, line], total[:, list(CLASSES)]
    full = solution.game
    comes = leaf_reach(full.tree, solution.sums, full.leaves)[:, line] >= NEVER
    np.testing.assert_allclose(found[comes], want[comes], atol=1e-6 * np.abs(want).max())
    assert (want[~comes] > found[~comes]).all()  # a best response of those who do not come


def test_views_exports_and_json_of_preflop_work_for_a_full_game(tmp_path: Path) -> None:
    view = node_view(small().preflop, "SBr2")
    assert (view.player, view.facts.name, view.facts.is_model) == ("BB", "Small", False)
    assert view.facts.stack_chips == 600
    told = json.loads(export_bytes(small().preflop, "SBr2", ".json"))
    assert (told["config"], told["stack_bb"], told["actions"]) == ("Small", 6, ["f", "c"])
    with pytest.raises(InputError, match="saved as a whole"):
        small().preflop.save(tmp_path / "x")


def test_the_first_decision_by_hand() -> None:
    found = small().preflop_strategy().get_root_probs("KQs")
    assert list(found) == ["f", "c", "r2"]
    assert sum(found.values()) == pytest.approx(1)
    column = CLASSES.index(ps.parse_hand("KQs")[0])
    assert list(found.values()) == small().preflop.strategy(0)[:, column].tolist()
    with pytest.raises(InputError, match="72o"):
        small().preflop_strategy().get_root_probs("72o")


@pytest.mark.parametrize("line", LINES)
def test_a_spot_has_the_ranges_the_pot_and_the_betting_of_its_line(
    line: str, tmp_path: Path
) -> None:
    solution, path = small(), tmp_path / "flop.yaml"
    path.write_text(solution.spot(line, "QsJh2h").to_yaml())
    spot = ps.Spot.load(path)
    reach = solution.preflop.reach(solution.preflop.history(line))
    held = {index: row for row, index in enumerate(CLASSES)}
    for player, weights in enumerate(spot.weights):
        live = np.flatnonzero(weights)
        want = [reach[player, held[int(COMBO_CLASS[combo])]] for combo in live]
        assert weights[live].tolist() == want
    game = solution.game.lines[solution.find_line(line)]
    assert (spot.pot, spot.stack) == ((200, 500) if line == "SBc BBx" else (400, 400))
    mine, theirs = build_betting_tree(spot.betting), game.tree
    assert (mine.label, mine.num_nodes) == (theirs.label, theirs.num_nodes)
    assert np.array_equal(mine.committed, theirs.committed)
    texts = solution.range_texts(line)
    assert [ps.format_range(ps.parse_range(text)) for text in texts] == list(texts)


def test_lines_that_see_no_flop_are_refused() -> None:
    with pytest.raises(LineError, match=r"'SBr2', but after SBc BBx, SBr2 BBc, SBc BBr2 SBc"):
        small().find_line("SBr2")
    with pytest.raises(LineError, match="not legal here"):
        small().spot("SBr3 BBc", "QsJh2h")
    with pytest.raises(InputError, match="want three cards"):
        small().spot("SBr2 BBc", "QsJh")
