import subprocess
import sys

import pytest

import poker_solver


def test_all_is_sorted_and_complete():
    assert poker_solver.__all__ == sorted(poker_solver.__all__, key=_ruff_order)
    assert set(poker_solver.__all__) == set(poker_solver._HOME)


def _ruff_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


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
