"""Pictures from plain values."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from poker_solver.errors import FormatError


def plot_convergence(path: Path, curve: Sequence[tuple[int, float]], title: str) -> None:
    """Draw exploitability over iterations, both logarithmic."""
    figure = Figure(figsize=(8, 5), dpi=120, layout="constrained")
    axes = figure.add_subplot(title=title, xlabel="iterations", ylabel="exploitability")
    iterations, exploitability = zip(*curve, strict=True)
    axes.loglog(iterations, [max(e, 1e-17) for e in exploitability])
    axes.grid(True, which="major", alpha=0.3)
    try:
        figure.savefig(path)
    except OSError as error:
        raise FormatError(f"cannot write {path}: {error.strerror or error}") from error
