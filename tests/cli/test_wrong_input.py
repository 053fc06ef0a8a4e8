"""What no file and no option should be able to do: a traceback, a hang, a full memory, a new title.

A line for each finding; numbers are those of the reliability section they come from.
"""

import os
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from safetensors.numpy import load_file, save_file

from poker_solver.cli import app as app_module
from poker_solver.cli.app import MOST_MESSAGE, run
from poker_solver.config.spot import Spot
from poker_solver.config.yaml_text import parse_mapping
from poker_solver.errors import ConfigError, FormatError
from poker_solver.postflop.solution.solution import Solution
from poker_solver.postflop.solve.solver import PostflopSolver
from poker_solver.preflop.solver import PreflopSolver
from poker_solver.runtime import numba_cache
from poker_solver.store import files
from tests.support.postflop_spots import small_spot

SPOT = "board: Ks7h2d9c4s\npot: 100\nstack: 200\noop: {range: AA, river: {bet: 50%}}\n"
SPOT += "ip: {range: KK, river: {bet: 50%}}\n"

WRONG_VALUES = [
    "!!bool x", "!!int x", "!!float x", "!!timestamp x", "!!map x", "!!seq x", "!!binary é",
    "2001-99-99", "2001-01-01", "9" * 5_000, "9" * 400, "1e400", "-.inf", ".nan", "0x" + "f" * 400,
    "!!python/object:os.system x", "? x", "[1, 2", "{self: 1}", "0b" + "1" * 5_000,
    "190:20:30" * 30,
]  # fmt: skip


def error_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = run(list(arguments))
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    "key", ["pot", "stack", "board", "oop", "max_raises", "rake", "locks", "self"]
)
def test_22_wrong_values_of_a_spot_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    path = tmp_path / "spot.yaml"
    for value in WRONG_VALUES:
        path.write_text(f"{re.sub(f'(?m)^{key}:.*', '', SPOT)}{key}: {value}\n")
        code, told = error_of(capsys, "tree", str(path))
        assert (code, told.count("\n"), told[:7]) == (2, 1, "error: "), (value[:20], told[:300])
        assert "unexpected" not in told


@pytest.mark.parametrize("line", ["stack_depth: 1.0e+308", "self: 1", "rake: {rate: .nan}"])
def test_22_wrong_values_of_a_preflop_config_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(f"name: x\nstack_depth: 10\nraise_sizes: [[2.5]]\n{line}\n")
    code, told = error_of(capsys, "hunl", "--config", str(path), "--json")
    assert (code, told.count("\n")) == (2, 1), told
    assert "unexpected" not in told


@pytest.mark.parametrize(
    "options",
    [
        ("--schedule", "dcfr:1.35,0.25,\x1f4"),
        ("--schedule", "dcfr:1.35,0.25,٤"),
        ("--schedule", "dcfr:1.35,0.25," + "9" * 5_000),
        ("--pot", "9" * 400),
        ("--bet", "9" * 5_000 + "%"),
        ("--bet", "9" * 5_000 + "e"),
    ],
)
def test_22_wrong_options_are_one_line(
    capsys: pytest.CaptureFixture[str], options: tuple[str, str]
) -> None:
    given = ["--board", "Ks7h2d9c4s", "--oop", "AA", "--ip", "KK", "--stack", "100", "--pot", "100"]
    code, told = error_of(capsys, "solve", *given, *options)
    assert (code, told.count("\n")) == (2, 1), told[:300]
    assert "unexpected" not in told


def bomb(levels: int, level: str = "[{}]") -> str:
    lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
    for n in range(1, levels):
        parts = ",".join([f"*a{n - 1}"] * 9)
        lines.append(f"a{n}: &a{n} {level.format(parts)}")
    return "\n".join([*lines, f"pot: *a{levels - 1}"])


MERGED = "a0: &a0 {x: 1}\n" + bomb(10, "{{<<: [{}]}}").partition("\n")[2]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (bomb(10), "more than 20,000 values"),
        (MERGED, "more than 20,000 values"),
        ("pot: &a [*a]", "nested deeper than 20"),
        ("pot: " + "[" * 50_000, "nested too deep"),
        ("pot: " + "[" * 100 + "]" * 100, "nested deeper than 20"),
        ("\n".join(f"k{n}: 1" for n in range(60_000)), "a map of 60,000 keys"),
    ],
)
def test_21_what_a_yaml_file_expands_to_is_bounded(text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        parse_mapping(text, ["pot"])


def test_21_aliases_that_stay_small_are_read() -> None:
    found, _ = parse_mapping("a: &a {x: 1}\nb: {<<: *a, y: 2}\nc: [*a, *a]", ["a"])
    assert found == {"a": {"x": 1}, "b": {"x": 1, "y": 2}, "c": [{"x": 1}] * 2}


def test_21_files_without_an_end_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in (tmp_path / "pipe.yaml", Path("/dev/zero")):
        with pytest.raises(ConfigError, match="not a regular file"):
            Spot.load(path)
    (tmp_path / "large.yaml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(ConfigError, match="more than 1,000,000 bytes"):
        Spot.load(tmp_path / "large.yaml")


def test_22_what_nobody_thought_of_is_one_line_and_a_log(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise KeyError("nobody thought of it")

    monkeypatch.setattr(app_module, "app", broken)
    code, told = error_of(capsys, "kuhn")
    assert (code, told.count("\n")) == (1, 1)
    log = Path(re.search(r"report it with (\S+\.log)", told)[1])  # type: ignore[index]
    assert "nobody thought of it" in log.read_text()
    assert log.stat().st_mode & 0o077 == 0
    log.unlink()


def test_24_messages_are_cut_and_move_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    _, told = error_of(capsys, "equity", "A" * 1_000_000, "KK")
    assert len(told) < MOST_MESSAGE + 100
    app_module.fail("key \x1b]0;PWNED\x07\x9b31m\u202e: unknown", 2)
    told = capsys.readouterr().err
    assert r"\x1b]0;PWNED\x07\x9b31m\u202e" in told
    assert told.rstrip("\n").isprintable()


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("saved")
    solver = PostflopSolver(small_spot("Ks7h2d9c4s", "AA", "KK,QQ", "50%"), device="cpu")
    solver.solve(max_iterations=3).save(folder / "x.pks")
    solver.save(folder / "x.ck")
    return folder / "x.pks", folder / "x.ck"


HEADERS: dict[str, object] = {
    "spot": [3, "text", None, {"pot": {}}],
    "fingerprint": [3, None, [1]],
    "record": [3, {"curve": 3}, [], None],
    "schedule": [3, ["x"] * 4, [1, 2], {"a": 1}],
    "iteration": ["x", None, [1], 1e400],
    "seconds": [[], "x"],
}


def test_22_a_valid_checksum_over_wrong_entries_is_refused_by_name(
    saved: tuple[Path, Path], tmp_path: Path
) -> None:
    """The sum is no signature: whoever can write a file can give it one."""
    for path, kind, load in (
        (saved[0], "postflop solution", Solution.load),
        (saved[1], "checkpoint of a postflop solve", PostflopSolver.load),
    ):
        header, arrays = files.read_file(path, kind)
        for key, values in HEADERS.items():
            for value in values if key in header else ():  # type: ignore[attr-defined]
                files.write_file(tmp_path / "bad", kind, {**header, key: value}, arrays)
                with pytest.raises(FormatError, match="bad"):
                    load(tmp_path / "bad")
        for key in ("spot", "fingerprint"):
            left = {name: entry for name, entry in header.items() if name != key}
            files.write_file(tmp_path / "bad", kind, left, arrays)
            with pytest.raises(FormatError, match="bad"):
                load(tmp_path / "bad")
        for field, value in (("exploitability_chips", "x"), ("ev_chips", [1]), ("threads", None)):
            if "record" in header:
                record = {**header["record"], field: value}
                files.write_file(tmp_path / "bad", kind, {**header, "record": record}, arrays)
                with pytest.raises(FormatError, match="record is broken"):
                    load(tmp_path / "bad")


def test_22_a_valid_checksum_over_wrong_arrays_is_refused_by_name(
    saved: tuple[Path, Path], tmp_path: Path
) -> None:
    header, arrays = files.read_file(saved[0], "postflop solution")
    for dtype in (np.float64, np.int8, bool):
        wrong = {**arrays, "strategy": arrays["strategy"].astype(dtype)}
        files.write_file(tmp_path / "bad", "postflop solution", header, wrong)
        with pytest.raises(FormatError, match=r"strategy is .*, wants uint16"):
            Solution.load(tmp_path / "bad")
    header, arrays = files.read_file(saved[1], "checkpoint of a postflop solve")
    arrays["regret"] = np.full_like(arrays["regret"], np.nan)
    files.write_file(tmp_path / "bad", "checkpoint of a postflop solve", header, arrays)
    with pytest.raises(FormatError, match=r"bad.*regret holds a number that is not finite"):
        PostflopSolver.load(tmp_path / "bad")


def test_22_a_header_nested_too_deep_is_refused(tmp_path: Path) -> None:
    deep = "[" * 100_000 + "]" * 100_000
    save_file({"a": np.zeros(1)}, tmp_path / "deep", metadata={"poker_solver": deep})
    assert load_file(tmp_path / "deep").keys() == {"a"}
    with pytest.raises(FormatError, match="deep has a broken header"):
        files.file_kind(tmp_path / "deep")


def test_22_compiled_code_that_was_cut_short_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, empty, cut = (tmp_path / name for name in ("a.nbi", "b.nbi", "c.nbc"))
    whole.write_bytes(b"\x80\x04N.")
    empty.write_bytes(b"")
    cut.write_bytes(b"\x80\x04")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    numba_cache.prepare_cache(numba_cache.__file__)
    assert list(tmp_path.iterdir()) == [whole]


def test_22_a_preflop_file_is_named_by_its_errors(tmp_path: Path) -> None:
    header = {"config": {"stack_depth": "x"}, "schedule": ["1"] * 4, "iteration": 1}
    files.write_file(tmp_path / "bad", "preflop checkpoint", header, {})
    with pytest.raises(FormatError, match="bad"):
        PreflopSolver.load(tmp_path / "bad")


def test_the_example_here_is_a_spot() -> None:
    assert Spot.from_yaml(SPOT).pot == yaml.safe_load(SPOT)["pot"]
