"""Print the kernels that a spot's river lines are written as; needs no GPU.

python -m poker_solver.postflop.engines.cuda SPOT.yaml [--mode learn]
"""

import argparse
import sys
from collections import Counter

from poker_solver.config.spot import Spot
from poker_solver.kernels.postflop.cuda.codegen import statements
from poker_solver.kernels.postflop.cuda.structs import MODES
from poker_solver.postflop.engines.cuda.tables import group_spots
from poker_solver.postflop.layout.layout import lay_out


def main() -> None:
    """Every shape once, the commonest first."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("spot", help="a YAML file")
    parser.add_argument("--mode", choices=MODES.values(), default="learn")
    given = parser.parse_args()
    mode = next(mode for mode, name in MODES.items() if name == given.mode)
    group = group_spots([lay_out(Spot.load(given.spot))])
    for player, name in enumerate(("OOP", "IP")):
        river = group.streets[-1]
        shapes = Counter(each.shape for each in river.written[player])
        for shape, count in shapes.most_common():
            opp, own = shape.num_rows
            head = f"// {name}: {count} groups of {len(shape.entries)} lines, rows {own} x {opp}\n"
            sys.stdout.write(f"{head}{statements(shape, mode)}\n")
        if river.programs[player]:
            sys.stdout.write(f"// {name}: {len(river.programs[player])} groups read programs\n")


if __name__ == "__main__":
    main()
