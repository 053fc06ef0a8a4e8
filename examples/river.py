"""Solve a river spot written in Python and read a node."""

import poker_solver as ps

sizes = {"river": {"bet": "50%,100%", "raise": "a"}}
spot = ps.Spot.from_mapping(
    {
        "board": "QsJh2h5c9d",
        "pot": 100,
        "stack": 300,
        "oop": {"range": "88+,A8s+,KTs+,QTs+,AJo+", **sizes},
        "ip": {"range": "99-22,AJs-A2s,KJs+,T8s,AQo", **sizes},
    }
)
solution = ps.solve(spot, target_pct=0.05)
oop, _ = solution.record.ev_chips
print(f"OOP's EV {oop:.1f} of 100 chips, {solution.exploitability_pct:.3f} % of pot off")

node = solution.node("x b50")
print("OOP facing half the pot:", dict(zip(node.actions, node.frequency.round(2), strict=True)))
hand = node.hands.index("KhTh")
print(
    "KhTh is a straight:", dict(zip(node.actions, node.ev_actions[:, hand].round(1), strict=True))
)
