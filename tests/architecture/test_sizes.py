"""Files stay under 600 lines and functions under 50."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted(
    p for d in ("src", "tests", "benchmarks", "examples") for p in (ROOT / d).rglob("*.py")
)


CUDA = sorted(p for end in ("cu", "h") for p in (ROOT / "src").rglob(f"*.{end}"))


@pytest.mark.parametrize("path", CUDA, ids=lambda p: p.name)
def test_kernels_are_files_of_the_same_size(path):
    assert len(path.read_text().splitlines()) <= 600


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_sizes(path):
    text = path.read_text()
    assert len(text.splitlines()) <= 600
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            lines = (node.end_lineno or 0) - node.lineno + 1
            assert lines <= 50, f"{node.name} has {lines} lines"
