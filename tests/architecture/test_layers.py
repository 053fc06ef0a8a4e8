"""Imports only point down: a layer may use those before it, never those after."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "poker_solver"

# Bottom to top. Names on one line do not know each other.
LAYERS = [
    ["errors", "numba_cache", "version"],
    ["devices", "interrupts"],
    ["kernels", "store"],
    ["cards"],
    ["config"],
    ["games"],
    ["trees"],
    ["cfr"],
    ["holdem"],
    ["query"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FRONT = {"__init__", "__main__"}  # what a user imports or runs; they may use everything


def modules():
    return sorted(SOURCE.rglob("*.py"))


def layer(path: Path) -> str:
    relative = path.relative_to(SOURCE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.stem


def imported_layers(path: Path):
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [node.module or ""]
            if node.module == "poker_solver":
                names = [f"poker_solver.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "poker_solver" and len(parts) > 1:
                yield parts[1]


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_down(path):
    own = layer(path)
    if own in FRONT:
        return
    assert own in RANK, f"{own} has no place among the layers"
    wrong = {
        name
        for name in imported_layers(path)
        if name != own and RANK.get(name, len(LAYERS)) >= RANK[own]
    }
    assert not wrong, f"{own} must not import {sorted(wrong)}"


def test_every_way_to_import_is_seen(tmp_path):
    (tmp_path / "x.py").write_text(
        "import poker_solver.cli\nfrom poker_solver import cfr, Solver\n"
        "from poker_solver.trees.compile import compile_game\n"
    )
    assert sorted(imported_layers(tmp_path / "x.py")) == ["Solver", "cfr", "cli", "trees"]
