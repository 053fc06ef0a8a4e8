"""Push or fold at 10 bb: solve, look at hands, take a range elsewhere, save."""

import tempfile
from pathlib import Path

import poker_solver as ps

solution = ps.solve(ps.load_config("push_fold_10"), target_pct=0.01)
print(
    f"SB wins {solution.value_bb[1]:+.4f} bb a hand, {solution.exploitability_pct:.2g} % of pot off"
)

first = solution.node("")
print("SB:", dict(zip(first.actions, first.frequency.round(3).tolist(), strict=True)))
print(ps.render_matrix(ps.node_view(solution, ""), width=80).plain)

file = Path(tempfile.mkdtemp()) / "push.pks"
solution.save(file)
print("BB calls", round(float(ps.PreflopSolution.load(file).node("SBa").frequency[1]), 3))
