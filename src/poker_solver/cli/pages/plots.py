"""Pictures from plain values."""

import io
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from poker_solver.store.files import write_bytes

Curve = Sequence[tuple[int, float]]  # (iteration, exploitability)


def plot_convergence(path: Path, curve: Curve, title: str) -> None:
    """Draw exploitability over iterations into a file."""
    out = io.BytesIO()
    convergence_figure(curve, title).savefig(out, format="png")
    write_bytes(path, out.getvalue())


def convergence_figure(curve: Curve, title: str) -> Figure:
    """Exploitability over iterations, both logarithmic."""
    figure = Figure(figsize=(8, 5), dpi=120, layout="constrained")
    axes = figure.add_subplot(title=title, xlabel="iterations", ylabel="exploitability")
    axes.loglog([t for t, _ in curve], [max(e, 1e-17) for _, e in curve])
    axes.grid(True, which="major", alpha=0.3)
    return figure
