"""Exact equity of two ranges on a flop."""

import poker_solver as ps

result = ps.range_equity(ps.parse_range("AKs"), ps.parse_range("QQ+"), ps.parse_board("Td9d6h"))
print(f"AKs has {100 * result.players[0].equity:.4f} % against QQ+ on Td9d6h")
