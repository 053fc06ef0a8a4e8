"""Practice: who is dealt what, what is graded how, which mistakes come again."""

from collections import Counter
from dataclasses import replace

import pytest

import poker_solver as ps
from poker_solver.cards import cards_from_string
from poker_solver.errors import FormatError
from poker_solver.explore.full_game import ExploredGame
from poker_solver.explore.postflop import ExploredSpot
from poker_solver.explore.training.grades import grade, score, scores
from poker_solver.explore.training.memory import Memory, Mistake
from poker_solver.explore.training.trainer import Trainer, TrainingQuestion
from poker_solver.query.node import ActionDistribution, HandView
from tests.support.solved import solved
from tests.support.views import InventedSource

POLAR = {
    "board": "KsQs7h4d2c",
    "pot": 100,
    "stack": 100,
    "oop": {"range": "KhKd,6c5c", "river": {"bet": "100%"}},
    "ip": {"range": "AhAd", "river": {}},
}
"""Betting the best hand is worth 150, checking it 100; without it both are worth 0. The bet is
called every second time."""


@pytest.fixture(scope="module")
def polar():
    return ExploredSpot(ps.solve(ps.Spot.from_mapping(POLAR), target_pct=0.005))


def spot():
    return ExploredSpot(solved("turn_example"))


def test_what_a_decision_loses_worked_by_hand(polar):
    view = polar.view(())
    best, nothing = (next(h for h in view.combos if h.name == n) for n in ("KhKd", "6c5c"))
    found = grade(view, best, "x", combo="KhKd", repeat=False)
    assert found.lost_chips == pytest.approx(50, abs=1)
    assert found.lost_pct == pytest.approx(50, abs=1)
    assert (found.best, found.verdict, found.lost_bb) == ("a", "blunder", None)
    assert (found.street, found.line) == ("river", "")
    for action in ("x", "a"):
        assert grade(view, nothing, action, combo="6c5c", repeat=False).verdict == "right"
    with pytest.raises(ps.InputError, match="'b50' is not legal here; x, a are"):
        grade(view, best, "b50", combo="KhKd", repeat=False)


def test_verdicts_from_numbers_on_paper():
    """A pot of 150: 1 % is 1.5 chips, 5 % are 7.5."""
    actions = ("f", "c", "r2.5", "a")
    invented = InventedSource().view(())
    even = tuple(replace(h, mix=ActionDistribution.even(actions)) for h in invented.hands)
    acting = replace(invented.players[1], hands=even)
    players = invented.players[0], acting
    view = replace(invented, pot_chips=150, actions=actions, players=players)
    assert not view.rough_actions
    mix = ActionDistribution(actions, (0.1, 0.9, 0.0, 0.0))
    hand = HandView("AKs", 4, 1.0, 0.01, 9.0, 0.5, mix, (0.0, 10.0, 9.0, 4.0))
    fold, call, raised, jam = (
        grade(view, hand, action, combo="AhKh", repeat=False) for action in actions
    )
    # the mix earns 0.1 x 0 + 0.9 x 10 = 9
    assert fold.lost_chips == pytest.approx(9)
    assert fold.lost_bb == pytest.approx(0.09)
    assert fold.lost_pct == pytest.approx(6)
    assert fold.verdict == "blunder"
    assert (call.lost_chips, call.verdict, call.best) == (0, "right", "c")
    assert (raised.lost_chips, raised.verdict) == (0, "right")
    assert jam.lost_pct == pytest.approx(100 * 5 / 150)
    assert jam.verdict == "mistake"
    total = score([fold, call, raised, jam])
    assert (total.num_decisions, total.num_known, total.num_right) == (4, 4, 2)
    assert total.accuracy == 0.5
    assert total.lost_bb == pytest.approx((0.09 + 0.05) / 4)


def test_evs_that_nobody_has_learned_are_not_said():
    view = spot().view(())
    assert "a" in view.rough_actions
    hand = view.combos[0]
    found = grade(view, hand, "a", combo=hand.name, repeat=False)
    assert (found.lost_chips, found.lost_pct) == (None, None)
    assert found.verdict == ("off" if found.frequency < 0.05 else "unknown")
    assert "hardly any hand plays a here" in found.why
    assert "a" not in found.ev_chips


def test_hands_are_dealt_by_the_ranges_that_get_there(polar):
    trainer = Trainer(polar, seat=0, one_decision=True, seed=1)
    seen: Counter[str] = Counter()
    for _ in range(400):
        seen[trainer.deal().combo] += 1
        trainer.answer("a")
        assert trainer.go_on() is None
    assert set(seen) == {"KhKd", "6c5c"}
    assert 150 < seen["KhKd"] < 250  # 200, with a standard deviation of 10


def test_the_opponent_plays_the_strategy_and_what_is_forced_is_not_asked(polar):
    """Two bets in three are the best hand; behind a check there is nothing but to check."""
    trainer = Trainer(polar, seat=1, seed=2)
    held: Counter[str] = Counter()
    for _ in range(300):
        question = trainer.deal()
        assert (question.combo, question.moves[-1].token) == ("AhAd", "a")
        trainer.answer("f")
        assert trainer.go_on() is None
        assert trainer.ended is not None
        held[trainer.ended.opponent] += 1
    assert set(held) == {"KhKd", "6c5c"}
    assert 170 < held["KhKd"] < 230  # 200, with a standard deviation of 8


@pytest.mark.parametrize("seed", range(8))
def test_whole_hands_of_a_turn_spot(seed):
    trainer = Trainer(spot(), seed=seed)
    seats = []
    for _ in range(4):
        question: TrainingQuestion | None = trainer.deal()
        assert question is not None
        seats.append(question.seat)
        while question is not None:
            view = question.view
            assert view.actor == question.seat
            known = cards_from_string(question.combo + view.board)
            assert len({*known}) == len(known)
            trainer.answer(view.actions[trainer.num_hands % len(view.actions)])
            last, question = question, trainer.go_on()
            if question is not None:
                assert question.view.history[: len(last.view.history)] == last.view.history
                assert question.combo == last.combo
        ended = trainer.ended
        assert ended is not None
        assert not {*cards_from_string(ended.opponent)} & {
            *cards_from_string(last.combo + ended.view.board)
        }
        assert trainer.go_on() is None
    assert seats[:4] == [0, 1, 0, 1] or trainer.memory.mistakes()


def test_a_full_game_ends_at_the_flop():
    trainer = Trainer(ExploredGame(ps.UnifiedSolution.load("hu_10")), seat=1, seed=4)
    ends: Counter[tuple[str, bool]] = Counter()
    for _ in range(30):
        question: TrainingQuestion | None = trainer.deal()
        while question is not None:
            assert not question.view.board
            call = "c" if "c" in question.view.actions else "x"
            found = trainer.answer(call)
            assert found.lost_bb is not None or found.why
            question = trainer.go_on()
        assert trainer.ended is not None
        ends[trainer.ended.view.kind, trainer.ended.is_cut] += 1
    assert ends["flop", True] > 0
    assert ("flop", False) not in ends
    assert not any(cut for kind, cut in ends if kind != "flop")


def test_a_mistake_comes_again_until_it_was_put_right_twice(polar):
    trainer = Trainer(polar, seat=0, solution="polar", one_decision=True, seed=3)
    while trainer.deal().combo != "KhKd":
        trainer.answer("a")
    trainer.answer("x")
    (mistake,) = trainer.memory.mistakes("polar")
    assert (mistake.combo, mistake.played, mistake.best) == ("KhKd", "x", "a")
    repeats = []
    for number in range(1, 16):
        if trainer.deal().is_repeat:
            repeats.append(number)
        trainer.answer("a")
    assert repeats == [3, 11]  # three hands later, and eight after that
    assert trainer.memory.mistakes() == ()
    assert any(one.is_repeat for one in trainer.grades)


def test_a_mistake_can_be_asked_for(polar):
    trainer = Trainer(polar, seat=1, solution="polar", one_decision=True, seed=3)
    trainer.memory.add(Mistake("polar", (), "", 0, "KhKd", "x", "a", None, 50.0))
    question = trainer.repeat(trainer.memory.mistakes()[0])
    assert (question.combo, question.seat, question.is_repeat) == ("KhKd", 0, True)
    gone = Mistake("polar", ("x", "b77"), "x b77", 0, "KhKd", "x", "a", None, 50.0)
    assert trainer.repeat(gone).view.history != ("x", "b77")


def test_the_order_of_things_is_kept(polar):
    trainer = Trainer(polar, seed=1)
    with pytest.raises(ps.InputError, match="no hand was dealt"):
        trainer.answer("x")
    trainer.deal()
    with pytest.raises(ps.InputError, match="not answered yet"):
        trainer.go_on()
    trainer.answer("x")
    with pytest.raises(ps.InputError, match="was answered"):
        trainer.answer("x")
    with pytest.raises(ps.InputError, match="nothing to train"):
        Trainer(polar, ("x", "x"))
    with pytest.raises(ps.InputError, match="seat 2"):
        Trainer(polar, seat=2)


def test_the_call_of_a_rare_all_in_is_worth_its_equity():
    view = spot().view(("a",))
    assert view.rare is not None
    call = view.opponent.behind_chips == 0 and view.acting.behind_chips
    for hand in view.combos:
        if hand.share > 0:
            found = grade(view, hand, "c", combo=hand.name, repeat=False)
            won = hand.equity * (view.pot_chips + call) - call
            assert found.ev_chips == pytest.approx({"f": 0.0, "c": won}, abs=0.02)
            assert found.lost_chips is not None


def test_statistics_survive_in_a_file(polar, tmp_path):
    path, grades = tmp_path / "training.json", []
    for seed in (1, 2):  # two practices, each with what the file has of the one before
        trainer = Trainer(polar, seat=0, solution="a", seed=seed, memory=Memory(path))
        for action in ("x", "a", "x"):
            trainer.deal()
            trainer.answer(action)
        grades += trainer.grades
    assert len(grades) == 6
    kept = Memory(path)
    assert kept.scores("a") == scores(grades)
    assert kept.scores("b") == {}
    kept.forget("a")
    assert Memory(path).scores("a") == {}


def test_a_mistake_whose_price_is_not_known_is_kept(polar):
    rough = next(h for h in spot().view(()).combos if h.mix.frequency[-1] < 0.01)
    trainer = Trainer(spot(), seat=0, seed=1)
    while trainer.deal().combo != rough.name:
        pass
    assert trainer.answer("a").verdict == "off"
    (kept,) = trainer.memory.mistakes()
    assert (kept.combo, kept.played, kept.lost_pct) == (rough.name, "a", None)


def test_mistakes_survive_in_a_file(tmp_path):
    path = tmp_path / "training.json"
    memory = Memory(path)
    cheap = Mistake("a", ("x",), "x", 0, "KhKd", "x", "a", None, 2.0)
    dear = Mistake("b", (), "", 1, "AhAd", "f", "c", 1.5, 60.0)
    for one in (cheap, dear, cheap):
        memory.add(one)
    assert Memory(path).mistakes() == (dear, cheap)
    assert Memory(path).mistakes("a") == (cheap,)
    memory.forget("b")
    assert Memory(path).mistakes() == (cheap,)
    for text in ("{", '{"format": 2, "mistakes": []}', '{"format": 1, "mistakes": [{}]}', "[]"):
        path.write_text(text)
        with pytest.raises(FormatError):
            Memory(path)
