"""Solve Kuhn poker and print the strategy."""

import poker_solver as ps

result = ps.solve(ps.KuhnPoker(), max_iterations=2_000)
print(f"value to the first player {result.value:.4f} (exact: {-1 / 18:.4f})")
print(f"exploitability {result.exploitability:.1e}")
for key, mix in sorted(result.strategy.items()):
    print(f"{key:4}", "  ".join(f"{action} {p:.2f}" for action, p in mix.items()))
