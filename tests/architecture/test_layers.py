"""Imports only point down: a layer may use those before it, never those after."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "poker_solver"

# Bottom to top. Names on one line do not know each other. A dotted name is a folder, or a file, of
# its own; a folder that is listed without its parts is one layer.
LAYERS = [
    ["errors", "version"],
    ["runtime"],
    ["store", "kernels", "pool"],
    ["kernels.regret", "kernels.line_values"],
    ["kernels.range_cfr", "kernels.sequence_form", "kernels.gadget"],
    ["kernels.postflop"],
    ["kernels.postflop.cpu.simd", "kernels.postflop.torch", "kernels.postflop.cuda"],
    ["kernels.postflop.cpu"],
    ["kernels.row_cfr"],
    ["cards"],
    ["cards.make"],
    ["config"],
    ["games"],
    ["trees"],
    ["cfr"],
    ["terminal"],
    ["cfr.generic", "preflop"],
    ["postflop.game"],
    ["postflop.plan"],
    ["postflop.layout"],
    ["postflop.engines"],
    ["postflop.engines.cuda"],
    ["postflop.solution"],
    ["postflop.solve"],
    ["postflop.many"],
    ["abstraction"],
    ["fullgame"],
    ["fullgame.blueprint"],
    ["subgame"],
    ["solving"],
    ["play"],
    ["protocols"],
    ["query"],
    ["jobs"],
    ["explore"],
    ["web.library"],
    ["web.jobs", "web.opened"],
    ["web.parts"],
    ["web"],
    ["web.routes"],
    ["web.app"],
    ["cli.options", "cli.output"],
    ["cli.pages"],
    ["cli"],
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FRONT = {"__init__", "__main__"}  # what a user imports or runs; they may use everything


def modules():
    return sorted(SOURCE.rglob("*.py"))


def layer(name: str) -> str | None:
    """The longest listed prefix of a dotted name; None if there is none."""
    parts = name.split(".")
    known = (".".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((prefix for prefix in known if prefix in RANK), None)


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def is_empty(path: Path) -> bool:
    """Whether a file has nothing but a docstring, as a folder's `__init__` above its layers."""
    return len(ast.parse(path.read_text()).body) <= 1


def imported_names(path: Path):
    """What a file imports from the package, with the names it takes: they may be modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "poker_solver" and len(parts) > 1:
                yield ".".join(parts[1:])


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_point_down(path):
    if dotted(path) in FRONT or (path.name == "__init__.py" and is_empty(path)):
        return
    own = layer(dotted(path))
    assert own is not None, f"{dotted(path)} has no place among the layers"
    wrong = {
        name
        for name in imported_names(path)
        if layer(name) != own and RANK.get(layer(name) or "", len(LAYERS)) >= RANK[own]
    }
    assert not wrong, f"{own} must not import {sorted(wrong)}"


def test_every_way_to_import_is_seen(tmp_path):
    (tmp_path / "x.py").write_text(
        "import poker_solver.cli\nfrom poker_solver import cfr, Solver\n"
        "from poker_solver.trees.compile import compile_game\n"
    )
    found = sorted(imported_names(tmp_path / "x.py"))
    assert found == ["Solver", "cfr", "cli", "trees.compile.compile_game"]


def test_a_folder_inside_a_layer_is_a_layer_of_its_own():
    assert layer("postflop.engines.cuda.group") == "postflop.engines.cuda"
    assert layer("postflop.engines.cpu.PostflopEngine") == "postflop.engines"
    assert layer("Solver") is None


@pytest.mark.parametrize("folder", sorted({path.parent for path in modules()}), ids=str)
def test_a_folder_is_a_room(folder):
    assert len(list(folder.glob("*.py"))) <= 14, "cut it in two"
