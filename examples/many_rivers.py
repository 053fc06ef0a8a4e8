"""The same ranges on every river of a turn, side by side."""

import poker_solver as ps

turn = ps.named_spot("turn_example")
fields = turn.to_mapping()
rivers = [
    ps.Spot.from_mapping({**fields, "board": turn.board + card}) for card in ("2c", "7s", "Ah")
]
for spot, solution in zip(rivers, ps.solve_many(rivers, target_pct=0.5), strict=True):
    if isinstance(solution, ps.SpotError):
        print(solution)
    else:
        oop, ip = solution.record.ev_chips
        print(f"{spot.board}: OOP {oop:.1f}, IP {ip:.1f}")
