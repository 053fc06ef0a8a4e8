"""What can be played in a spot, a row per action, as plain values; nothing is solved."""

from dataclasses import dataclass

from poker_solver.games.betting import DECISION, FOLD, PLAYERS, Street
from poker_solver.trees.betting import BettingTree


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """One line of the outline."""

    depth: int
    line: str  # how it is reached, cards left out
    amount_chips: int  # what the last action bets or raises to; 0 if it does not
    player: str | None  # who acts here, cards having fallen
    pot_chips: int  # in the middle, what is not called included
    what: str  # what happens here, in words
    actions: tuple[tuple[str, int], ...]  # what can be done here, and to how many chips
    labels: tuple[str, ...]  # the same as people read it: b182 (33 %)
    label: str  # of the last action, likewise


def outline(tree: BettingTree, start: int, depth: int) -> list[OutlineRow]:
    """The nodes from a node down, parents before children, cards passed on the way."""
    rows: list[OutlineRow] = []
    waiting = [(start, 0)]
    while waiting:
        node, level = waiting.pop()
        rows.append(_row(tree, node, level))
        acting = tree.skip_deals(node)
        if level < depth:
            waiting += [(child, level + 1) for child in reversed(tree.children(acting))]
    return rows


def fitting_depth(tree: BettingTree, start: int, most_rows: int) -> int:
    """The deepest outline of so many rows, at least the next actions."""
    depth, level = 0, [start]
    num_rows = 1
    while level:
        level = [child for node in level for child in tree.children(tree.skip_deals(node))]
        num_rows += len(level)
        if not level or (num_rows > most_rows and depth > 0):
            break
        depth += 1
    return depth


def _row(tree: BettingTree, node: int, level: int) -> OutlineRow:
    acting = tree.skip_deals(node)
    kind, actor = tree.kind[acting], int(tree.actor[acting])
    before, after = int(tree.street[node]), int(tree.street[acting])
    dealt = [Street(street).name.lower() for street in range(before + 1, after + 1)]
    won, big = tree.won_chips(acting), tree.rules.big_blind
    worth = f"{won:,}" if big is None else f"{won / big:g} bb"
    if kind == FOLD:
        what = f"{PLAYERS[1 - int(tree.folder[acting])].upper()} wins {worth}"
    elif kind == DECISION:
        what = PLAYERS[actor].upper()
    else:
        what = f"showdown for {worth}"
    return OutlineRow(
        depth=level,
        line=tree.line_of(node),
        amount_chips=int(tree.amount[node]),
        player=PLAYERS[actor] if kind == DECISION else None,
        pot_chips=tree.pot_chips(node),
        what=", ".join([*dealt, what]),
        actions=tuple(
            (tree.label[child], int(tree.amount[child])) for child in tree.children(acting)
        ),
        labels=tree.labels(acting),
        label=_label(tree, node),
    )


def _label(tree: BettingTree, node: int) -> str:
    """The action into a node; empty at the root."""
    parent = int(tree.parent[node])
    if node == 0 or not tree.label[node]:
        return ""
    return tree.labels(parent)[node - int(tree.first_child[parent])]
