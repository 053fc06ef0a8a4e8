"""A betting tree as the lines it is made of, see `Spot.lines`: any tree can be written so."""

from poker_solver.config.spot_fields import Amounts
from poker_solver.games.betting import DECISION
from poker_solver.trees.betting import BettingTree


def written_lines(tree: BettingTree, root: int = 0) -> tuple[Amounts, ...]:
    """Every line after the flop that ends with a bet, from a node where a street begins."""
    start = int(tree.committed[root].min())
    found: list[Amounts] = []

    def follow(node: int, line: Amounts) -> None:
        node = tree.skip_deals(node)
        if tree.kind[node] != DECISION:
            return
        for child, action in zip(tree.children(node), tree.actions(node), strict=True):
            if action == "f":
                continue
            put_in = int(tree.committed[child].max()) - start
            if tree.amount[child]:
                found.append((*line, put_in))
            follow(child, (*line, put_in))

    follow(root, ())
    longer = {line[:n] for line in found for n in range(1, len(line))}
    return tuple(sorted(set(found) - longer))
