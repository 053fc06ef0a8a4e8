"""Budgets that only fall: long parameter lists, `Any`, public names defined twice."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "poker_solver"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts): ast.parse(path.read_text())
    for path in sorted(SOURCE.rglob("*.py"))
}

MOST_PARAMETERS = 8
MORE_PARAMETERS = (
    "cli.", "kernels.postflop.cpu.simd.", "kernels.row_cfr.orders.",
    "kernels.row_cfr.walks.",
    "postflop.many.scheduler.solve_many",
)  # fmt: skip
"""Commands, whose options are parameters; LLVM intrinsics; options that are a promise."""

MOST_ANY = 0.05
"""Of all annotations that hold `Any`."""


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def parameters(function: ast.FunctionDef) -> list[ast.arg]:
    found = function.args
    every = [*found.posonlyargs, *found.args, *found.kwonlyargs]
    return [one for one in every if one.arg not in ("self", "cls")]


@pytest.mark.parametrize("module", MODULES)
def test_parameters(module):
    for function in functions(MODULES[module]):
        name = f"{module}.{function.name}"
        if not name.startswith(MORE_PARAMETERS):
            assert len(parameters(function)) <= MOST_PARAMETERS, name


def test_any():
    every = [
        annotation
        for tree in MODULES.values()
        for node in ast.walk(tree)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if annotation is not None
    ]
    vague = [one for one in every if "Any" in ast.unparse(one)]
    assert len(vague) <= MOST_ANY * len(every), f"{len(vague)} of {len(every)}"


def test_a_public_name_is_defined_once():
    """But for kernels, where backends of one operation are named alike, for commands and routes."""
    homes = defaultdict(set)
    for module, tree in MODULES.items():
        if not module.startswith(("kernels.", "cli.", "web.routes.")):
            for node in tree.body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_":
                    homes[node.name].add(module)
    twice = {name: sorted(found) for name, found in homes.items() if len(found) > 1}
    assert set(twice) <= {"main"}, twice
