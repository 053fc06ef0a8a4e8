"""`poker-solver compare` from the outside, at every width."""

import json

import pytest

import poker_solver as ps
from tests.support import commands


@pytest.fixture(scope="module")
def saves(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saves")
    spot = ps.named_spot("turn_example").to_mapping()
    other = {**spot, "ip": {**spot["ip"], "turn": {"bet": "75%"}}}
    for name, fields in {"a": spot, "b": other}.items():
        solution = ps.solve(ps.Spot.from_mapping(fields), target_pct=None, max_iterations=10)
        solution.save(folder / f"{name}.pks", rivers=False)
    return str(folder / "a.pks"), str(folder / "b.pks")


def run(capsys, *arguments):
    return commands.run(capsys, "compare", *arguments)


@pytest.mark.parametrize("columns", [40, 80, 120, 200])
def test_every_action_of_both_is_there_at_every_width(capsys, saves, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    code, out, err = run(capsys, *saves, "--line", "x", "--top", "3")
    assert (code, err) == (0, "")
    assert "ip.turn.bet: 60%,e,a -> 75%" in out
    for action in ("x", "b120", "b216", "a", "b150"):
        for which in "AB":
            assert f" {action} {which}" in out
    assert "of the range is played" in " ".join(out.split())
    assert max(map(len, out.splitlines()[2:])) <= columns


def test_hands_of_the_other_player(capsys, saves):
    code, out, _ = run(capsys, *saves, "--line", "x", "--player", "OOP", "--by", "hand")
    assert code == 0
    hands = out[out.index("combos") :]
    assert "b120" not in hands  # he does not act here
    assert "Ad" in hands
    assert "more: poker-solver compare --top 1" in out


def test_json(capsys, saves):
    code, out, err = run(capsys, *saves, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["a"], found["b"]) == saves
    assert found["differs"]["ip.turn.bet"] == ["60%,e,a", "75%"]
    first, second = (ps.Solution.load(path).node("") for path in saves)
    assert found["players"]["oop"]["ev"] == pytest.approx(
        [first.players[0].mean_ev, second.players[0].mean_ev], abs=1e-6
    )
    hand = found["players"]["oop"]["hands"]["AdAc"]
    assert hand["gain"] == pytest.approx(hand["ev"][1] - hand["ev"][0], abs=2e-6)


WRONG = {
    "line": (("--line", "x b120"), "the second solution: token 2 'b120': the actions here are"),
    "player": (("--player", "sb"), "player is 'sb', must be oop or ip"),
    "by": (("--by", "suit"), "by is 'suit', must be class or hand"),
    "order": (("--sort", "size"), "order 'size': want one of gain, loss, ev, strategy"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_one_line(capsys, saves, name):
    more, text = WRONG[name]
    code, out, err = run(capsys, *saves, *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert text in err


def test_a_file_that_is_not_there(capsys, saves):
    code, _, err = run(capsys, saves[0], "nothing.pks")
    assert (code, err.count("\n")) == (1, 1)


def test_from_the_prompt(saves):
    session = ps.InteractiveSession(ps.Solution.load(saves[0]), ["x"], color=False)
    page = session.handle(f"compare {saves[1]}").text.plain
    assert "ip.turn.bet: 60%,e,a -> 75%" in page
    assert "after x, IP to act" in page
    assert "compare wants another solution" in session.handle("compare").text.plain
    assert "cannot read nothing.pks" in session.handle("compare nothing.pks").text.plain
    assert session.view.line == "x"
