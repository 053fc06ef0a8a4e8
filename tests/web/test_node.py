"""What a page gets of a node is what the terminal shows: the same `NodeView`, packed."""

import csv
import io
import random
import socket
from math import isnan
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from poker_solver.cards import HAND_NAMES, cards_from_string
from poker_solver.cli.web import listen
from poker_solver.fullgame.solution import UnifiedSolution
from poker_solver.postflop.solution.solution import Solution
from poker_solver.query.filters import filtered, parse_filter
from poker_solver.query.groups import by_kind, together
from poker_solver.query.made_hands import draw, kinds_of, made_hand
from poker_solver.query.node import HandView, NodeView
from poker_solver.query.ranges import range_text
from poker_solver.query.runouts import runouts
from poker_solver.query.view import node_view
from poker_solver.web.study.node import node_arrays
from poker_solver.web.study.packed import unpack

ROUNDING = float(np.finfo(np.float32).eps)


def asked(client: httpx.Client, id: str, line: str, filter: str = ""):
    answer = client.get(f"/api/solutions/{id}/node", params={"line": line, "filter": filter})
    assert answer.status_code == 200, answer.text
    return unpack(answer.content)


def refused(client: httpx.Client, path: str, **params: str) -> str:
    answer = client.get(path, params=params)
    assert answer.status_code in (400, 404), answer.text
    return str(answer.json()["error"])


def cards_here(view: NodeView) -> list[str]:
    deck = [rank + suit for rank in "AKQJT98765432" for suit in "shdc"]
    return [card for card in deck if card not in view.board]


def random_views(solution: Solution, count: int, rng: random.Random) -> list[NodeView]:
    found: dict[tuple[str, ...], NodeView] = {}
    while len(found) < count:
        view = node_view(solution, "")
        while True:
            found[view.history] = view
            steps = view.actions or (cards_here(view) if view.kind == "deal" else ())
            if not steps:
                break
            view = node_view(solution, (*view.history, rng.choice(steps)))
    return list(found.values())[:count]


def expected(view: NodeView, hand: HandView) -> list[float]:
    """Combos dealt, reach, share, EV in the unit, equity, EQR, worked out here."""
    bb = view.facts.chips_per_bb or 1
    whole = hand.equity * view.pot_chips
    eqr = hand.ev_chips / whole if hand.equity and not isnan(hand.equity) else float("nan")
    return [hand.num_dealt, hand.reach, hand.share, hand.ev_chips / bb, hand.equity, eqr]


def same(got: np.ndarray, want: list[Any]) -> None:
    wanted = np.array(want, float).reshape(got.shape)
    np.testing.assert_allclose(got, wanted, rtol=ROUNDING, atol=1e-30)


@pytest.mark.parametrize(("name", "count"), [("turn", 200), ("flop", 40)])
def test_numbers_of_random_nodes_are_the_terminals(
    client, library_folder: Path, name: str, count: int
) -> None:
    solution = Solution.load(library_folder / f"{name}.pks")
    bb = solution.game.betting.big_blind or 1
    for view in random_views(solution, count, random.Random(7)):
        head, arrays = asked(client, name, " ".join(view.history))
        assert (head["line"], head["board"], head["kind"]) == (view.line, view.board, view.kind)
        assert head["history"] == list(view.history)
        assert head["actor"] == view.actor
        assert head["pot"] == view.pot_chips / bb
        assert head["reached"] == pytest.approx(view.reached, rel=1e-12)
        for seat, player in enumerate(view.players):
            same(arrays[f"{seat}.classes"], [expected(view, hand) for hand in player.hands])
            same(arrays[f"{seat}.combos"], [expected(view, hand) for hand in player.combos])
            same(arrays[f"{seat}.part"], [hand.part for hand in player.hands])
            told = head["players"][seat]
            assert told["hands"] == [hand.name for hand in player.combos]
            assert told["combos"] == pytest.approx(player.num_combos)
            for key, number in (("ev", player.ev_chips / bb), ("equity", player.equity)):
                assert (told[key] is None) == isnan(number)
                assert told[key] is None or told[key] == pytest.approx(number, rel=1e-12)
        if view.actor is not None:
            same(arrays["mix"], [hand.mix.frequency for hand in view.hands])
            same(arrays["combo_mix"], [hand.mix.frequency for hand in view.combos])
            same(arrays["combo_evs"], [[e / bb for e in h.ev_actions_chips] for h in view.combos])
            shares = [one["share"] for one in head["actions"]]
            wanted = [None if isnan(total.share) else total.share for total in view.totals]
            assert shares == pytest.approx(wanted)


def test_steps_say_what_else_could_have_been_played(client) -> None:
    head, _ = asked(client, "turn", "x b50% c 7d")
    assert head["history"] == ["x", "b100", "c", "7d"]
    assert [step["token"] for step in head["steps"]] == head["history"]
    assert [step["player"] for step in head["steps"]] == ["OOP", "IP", "OOP", ""]
    siblings = head["steps"][1]["siblings"]
    assert [one["action"] for one in siblings] == ["x", "b100"]
    assert sum(one["share"] for one in siblings) == pytest.approx(1)
    assert siblings[1]["words"] == "bet 100 (50 %)"
    assert head["steps"][3]["siblings"] == []


def test_an_action_is_worth_what_the_hands_that_take_it_win(client, library_folder: Path) -> None:
    view = node_view(Solution.load(library_folder / "turn.pks"), "x b100")
    head, _ = asked(client, "turn", "x b100")
    for index, told in enumerate(head["actions"]):
        taken = [hand.share * hand.mix.frequency[index] for hand in view.combos if hand.share]
        evs = [hand.ev_actions_chips[index] for hand in view.combos if hand.share]
        won = sum(t * ev for t, ev in zip(taken, evs, strict=True) if t) / sum(taken)
        assert told["ev"] == pytest.approx(won, abs=1e-9)
        assert told["ev_pct"] == pytest.approx(100 * won / view.pot_chips, abs=1e-9)
    mean = sum(one["share"] * one["ev"] for one in head["actions"])
    assert mean == pytest.approx(view.acting.ev_chips, rel=1e-5)


@pytest.mark.parametrize(
    "text", ["has Q", "made set, top pair", "made flush-draw has hearts", "eq 40-60", "eq 99-100"]
)
def test_a_filter_acts_on_everything(client, library_folder: Path, text: str) -> None:
    view = node_view(Solution.load(library_folder / "turn.pks"), "x")
    head, arrays = asked(client, "turn", "x", text)
    wanted = parse_filter(text)
    assert head["filter"] == str(wanted)
    for seat, told in enumerate(head["players"]):
        hands = filtered(view, seat, wanted)
        assert told["hands"] == [hand.name for hand in hands]
        assert told["combos"] == pytest.approx(sum(hand.num_combos for hand in hands))
        assert told["shown"] == pytest.approx(sum(hand.share for hand in hands))
        assert arrays[f"{seat}.classes"][:, 2].sum() == pytest.approx(told["shown"], rel=1e-5)
        one = together("", hands, view.actions if seat == view.actor else ())
        assert told["equity"] is None if not hands else told["equity"] == pytest.approx(one.equity)
        if seat == view.actor and hands:
            shares = [action["share"] for action in head["actions"]]
            assert shares == pytest.approx(one.mix.frequency)


def test_a_filter_hides_no_kind_and_makes_nothing_rough(client) -> None:
    whole, _ = asked(client, "turn", "x")
    picked, _ = asked(client, "turn", "x", "made set")
    assert picked["kinds"] == whole["kinds"]
    assert [a["is_rough"] for a in picked["actions"]] == [a["is_rough"] for a in whole["actions"]]
    assert [group["name"] for group in picked["groups"]["made"][1]] == ["set"]


def test_groups_are_the_terminals(client, library_folder: Path) -> None:
    view = node_view(Solution.load(library_folder / "turn.pks"), "x")
    head, _ = asked(client, "turn", "x")
    for name, title in (("made", "made hand"), ("draws", "draw")):
        for seat, groups in enumerate(head["groups"][name]):
            wanted = by_kind(view, title, seat)
            assert [group["name"] for group in groups] == [group.name for group in wanted]
            assert [g["combos"] for g in groups] == pytest.approx([g.num_combos for g in wanted])


def test_names_of_made_hands_are_kept_by_board() -> None:
    for board in ("Td9d6hQc", "Td9d6hQcTs"):
        for combo in ("QhJh", "9h9c", "KdJd"):
            held, shown = cards_from_string(combo), cards_from_string(board)
            assert kinds_of(combo, board) == (made_hand(held, shown), draw(held, shown))


@pytest.mark.parametrize(
    ("line", "star"),
    [
        ("x b50% c *", "x b100 c *"), ("x b100 c", "x b100 c *"),
        ("x x 7d x", "x x * x"), ("x", "x x *"), ("x b100", "x b100 c *"), ("", "x x *"),
    ],
)  # fmt: skip
def test_runouts_are_the_terminals(client, library_folder: Path, line: str, star: str) -> None:
    found = runouts(Solution.load(library_folder / "turn.pks"), star)
    told = client.get("/api/solutions/turn/runouts", params={"line": line}).json()
    assert told["line"] == star
    assert told["player"] == found.player
    assert [row["card"] for row in told["cards"]] == [row.card for row in found.rows]
    for row, wanted in zip(told["cards"], found.rows, strict=True):
        assert row["ev"] == pytest.approx(wanted.ev_chips, nan_ok=True)
        assert row["mix"] == pytest.approx(wanted.frequency, nan_ok=True)
    assert [row["card"] for row in told["kinds"]] == [row.card for row in found.by_kind()]
    assert [action["action"] for action in told["actions"]] == list(found.actions)


def test_curve_ranges_and_files(client, library_folder: Path) -> None:
    solution = Solution.load(library_folder / "turn.pks")
    view = node_view(solution, "x")
    curve = client.get("/api/solutions/turn/curve").json()
    assert curve["points"] == [list(point) for point in solution.record.curve]
    ranges = client.get("/api/solutions/turn/ranges", params={"line": "x"}).json()
    assert ranges == {player.name: range_text(player) for player in view.players}
    answer = client.get("/api/solutions/turn/export", params={"line": "x", "format": "csv"})
    assert 'filename="turn-x.csv"' in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["hand"] for row in rows] == [hand.name for hand in view.combos]
    assert float(rows[0]["freq_x"]) == pytest.approx(view.combos[0].mix.frequency[0], abs=1e-6)
    told = client.get("/api/solutions/turn/export", params={"line": "x", "format": "json"}).json()
    assert told["actions"] == list(view.actions)


def test_what_cannot_be_shown_is_said_in_a_line(client) -> None:
    assert "no solve 'other'" in refused(client, "/api/solutions/other/node")
    assert "b33" in refused(client, "/api/solutions/turn/node", line="x b33")
    assert "'Zs'" in refused(client, "/api/solutions/turn/node", filter="has Zs")
    assert "no card falls" in refused(client, "/api/solutions/turn/runouts", line="b100 f")
    assert "one star" in refused(client, "/api/solutions/turn/runouts", line="x x * x x *")
    assert "nobody acts" in refused(
        client, "/api/solutions/turn/export", line="b100 f", format="csv"
    )


def test_a_chart_of_a_game_is_the_terminals(client) -> None:
    game = UnifiedSolution.load("hu_20")
    for line in ("", "r2.5", "r2.5 a", "c", "c x"):
        view = node_view(game, tuple(line.split()))
        head, arrays = asked(client, "game:hu_20", line)
        assert (head["unit"], head["board"]) == ("bb", "")
        for name, array in node_arrays(view).items():
            np.testing.assert_array_equal(arrays[name], array.astype(np.float32))
    assert len(arrays["0.classes"]) == len(HAND_NAMES)


def test_a_spot_is_taken_from_a_line_of_a_game(client) -> None:
    head, _ = asked(client, "game:hu_20", "r2.5 c")
    assert (head["kind"], head["flops"], head["can_build"]) == ("flop", 0, True)
    bare = client.get("/api/solutions/game:hu_20/spot", params={"line": "r2.5 c"}).text
    assert "board:" not in bare.splitlines()[1]
    whole = client.get("/api/solutions/game:hu_20/spot", params={"line": "r2.5 c QsJh2h"}).text
    assert whole.startswith("board: QsJh2h\npot: 500\nstack: 1750\n")


def test_words_are_in_the_unit_of_the_page(client) -> None:
    first, _ = asked(client, "example:3bet-pot", "")
    assert first["unit"] == "bb"
    assert first["actions"][1]["words"] == "bet 7.43 bb (33 %)"
    then, _ = asked(client, "example:3bet-pot", "b33%")
    assert then["actions"][-1]["words"] == "all-in 89 bb (218 %)"
    told = client.get("/api/solutions/example:3bet-pot/runouts", params={"line": "x"}).json()
    assert told["unit"] == "bb"
    assert all(" bb (" in one["words"] for one in told["actions"] if one["is_bet"])


def test_answers_are_sent_at_once() -> None:
    """asyncio turns Nagle's algorithm, 40 ms an answer, off where the protocol is named."""
    with listen("127.0.0.1", 0) as found:
        assert found.proto == socket.IPPROTO_TCP
