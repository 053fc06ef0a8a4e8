import ast
import subprocess
import sys
from pathlib import Path

import pytest

import poker_solver
import poker_solver.errors


def test_all_is_sorted_and_complete():
    assert poker_solver.__all__ == sorted(poker_solver.__all__)
    assert [*poker_solver._NAMES] == sorted(poker_solver._NAMES)


def test_type_checkers_are_told_the_same_names():
    path = Path(poker_solver.__file__)
    block = next(node for node in ast.parse(path.read_text()).body if isinstance(node, ast.If))
    told = {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname == alias.name
    }
    assert told == {name: f"poker_solver.{home}" for name, home in poker_solver._HOME.items()}


def test_every_error_is_public():
    errors = {name for name in vars(poker_solver.errors) if name.endswith("Error")}
    assert errors <= set(poker_solver.__all__)


@pytest.mark.parametrize("name", poker_solver.__all__)
def test_public_name_resolves(name):
    assert getattr(poker_solver, name) is not None


def test_dir_lists_what_is_not_yet_imported():
    code = "import poker_solver as ps; print(set(ps.__all__) <= set(dir(ps)))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "True"


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = poker_solver.nonsense


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import sys, poker_solver; "
        "print([m for m in ('torch', 'numba', 'matplotlib', 'pyarrow') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_commands_are_known_before_anything_heavy_is_imported():
    code = (
        "import sys, poker_solver.cli.app; "
        "print([m for m in ('torch', 'numba', 'numpy', 'pydantic') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
