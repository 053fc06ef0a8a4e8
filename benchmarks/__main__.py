"""`python -m benchmarks [NAME ...]`: print each table and append its rows to results.csv."""

import csv
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from benchmarks.rows import Row
from poker_solver.version import VERSION

NAMES = (
    "generic", "generic_gpu", "cards", "preflop", "postflop", "threads", "postflop_gpu",
    "full_game", "full_game_gpu", "blueprint", "blueprint_gpu", "subgame_gpu", "web",
    "cluster",
)  # fmt: skip
RESULTS = Path(__file__).with_name("results.csv")
COLUMNS = ("benchmark", "case", "value", "unit", "wanted", "machine", "commit", "version", "date")


def main() -> None:
    """Run the benchmarks asked for, all by default."""
    names = sys.argv[1:] or NAMES
    if unknown := set(names) - set(NAMES):
        sys.exit(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    for name in names:
        print(f"\n{name}", flush=True)
        record(name, shown(import_module(f"benchmarks.{name}").run()))


def shown(rows: Iterable[Row]) -> list[Row]:
    """Print each row when it comes."""
    kept = []
    for row in rows:
        wanted = f"   ({row.wanted})" if row.wanted else ""
        print(f"  {row.case:<64}{row.value:>14,.4g} {row.unit}{wanted}", flush=True)
        kept.append(row)
    return kept


def record(name: str, rows: Iterable[Row]) -> None:
    """Append the rows, each with the machine and the commit it was measured on."""
    is_new = not RESULTS.exists()
    with RESULTS.open("a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(COLUMNS)
        now = f"{datetime.now(UTC):%Y-%m-%d}"
        for row in rows:
            measured = (row.case, f"{row.value:.5g}", row.unit, row.wanted)
            writer.writerow((name, *measured, machine(), commit(), VERSION, now))


def machine() -> str:
    """The processor, and the GPU if there is one."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if "model name" in line), "")
    import torch

    return f"{model}, {torch.cuda.get_device_name()}" if torch.cuda.is_available() else model


def commit() -> str:
    """What was measured; `+` where the checkout had changes."""
    command = ["git", "describe", "--always", "--dirty=+"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


if __name__ == "__main__":
    main()
