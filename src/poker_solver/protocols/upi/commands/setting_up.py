"""Commands that say what to build and how to solve it."""

from collections.abc import Sequence

from poker_solver.cards import format_range, parse_range
from poker_solver.errors import InputError
from poker_solver.protocols.upi.client import Client
from poker_solver.protocols.upi.ids import read_cards
from poker_solver.protocols.upi.scripts import lines_of_sizes
from poker_solver.protocols.upi.text import floats, hands, is_number, seat, whole
from poker_solver.protocols.upi.tree import Hardware, Tree

Words = Sequence[str]

MOST_THREADS = 256
"""Each has memory of its own."""

MOST_NUMERIC_HANDS = 8
"""Text that looks like numbers is 22 to 99."""


def set_board(client: Client, words: Words) -> None:
    """`set_board QhQc2c`."""
    cards = read_cards(words)
    if len(cards) not in (3, 4, 5) or len(set(cards)) != len(cards):
        raise InputError(f"board {''.join(words)!r}: want 3, 4 or 5 different cards")
    client.settings.board = cards


def set_pot(client: Client, words: Words) -> None:
    """`set_pot OOP IP START`: what both have put in already, and what lay there before."""
    oop, ip, start = _whole_numbers(words, 3, "OOP IP START")
    client.settings.put_in, client.settings.pot = (oop, ip), start


def set_eff_stack(client: Client, words: Words) -> None:
    """`set_eff_stack 230`."""
    (client.settings.stack,) = _whole_numbers(words, 1, "chips")


def set_rake(client: Client, words: Words) -> None:
    """`set_rake 0.05 3`: a rate and a cap; two more numbers must say the same, or 0 0."""
    if len(words) not in (2, 4):
        raise InputError(f"{len(words)} numbers, want a rate and a cap")
    rate, cap, *more = floats(words, "rake").tolist()
    if more and more not in ([0.0, 0.0], [rate, cap]):
        raise InputError("a second rate and cap that differ from the first are not known here")
    client.settings.rake = rate, cap


def set_range(client: Client, words: Words) -> None:
    """`set_range OOP ...`: 1,326 weights, or text."""
    if len(words) < 2:
        raise InputError("want OOP or IP, and 1,326 weights or a range in text")
    player, given = seat(words[0]), words[1:]
    if len(given) > MOST_NUMERIC_HANDS and all(map(is_number, given)):
        weights = hands(given, "range")
    else:
        weights = parse_range(",".join(word.strip(",") for word in given))
    if weights.max() > 1:
        raise InputError(f"range: a weight of {weights.max():g}, want 0 to 1")
    client.settings.ranges[player] = weights


def add_line(client: Client, words: Words) -> None:
    """`add_line 0 0 12 12 54 230`."""
    client.settings.lines.add(_line(words))


def remove_line(client: Client, words: Words) -> None:
    """Take the last action of a line out of the tree, and all that follows it."""
    gone, lines = _line(words), client.settings.lines
    found = {line for line in lines if line[: len(gone)] == gone}
    if not found:
        raise InputError(f"no line begins with {' '.join(words)}")
    lines -= found
    if len(gone) > 1:
        lines.add(gone[:-1])


def clear_lines(client: Client, words: Words) -> None:
    """Forget all lines."""
    client.settings.lines.clear()


def build_tree(client: Client, words: Words) -> None:
    """Build what was set; without lines from the sizes of a script, or else a tree of checks."""
    if not client.settings.lines:
        client.settings.lines |= lines_of_sizes(client.info, client.settings)
    settings = client.settings
    client.tree = None  # its memory, before there is another
    client.tree = Tree.build(settings.spot(), client.hardware, settings.put_in[0])


def free_tree(client: Client, words: Words) -> None:
    """Forget the tree."""
    client.tree = None


def set_accuracy(client: Client, words: Words) -> None:
    """`set_accuracy 0.5 chips`, or `fraction` of the pot; chips if it is not said."""
    unit = words[1].lower() if len(words) == 2 else "chips"
    if len(words) not in (1, 2) or unit not in ("chips", "fraction"):
        raise InputError("want a number, and chips or fraction")
    client.accuracy = float(floats(words[:1], "accuracy")[0]), unit


def set_info_freq(client: Client, words: Words) -> None:
    """`set_info_freq 20`: tell how far the solve is every so many iterations; 0, every second."""
    (every,) = _whole_numbers(words, 1, "iterations")
    client.info_every = every or None


def set_threads(client: Client, words: Words) -> None:
    """`set_threads 2`; 0 takes all, from the next tree on."""
    (threads,) = _whole_numbers(words, 1, "threads")
    if threads > MOST_THREADS:
        raise InputError(f"{words[0][:20]} threads, want at most {MOST_THREADS}")
    client.hardware = Hardware(client.hardware.device, threads or None)
    if client.tree is not None:
        client.tree.hardware = client.hardware


def add_info_line(client: Client, words: Words) -> None:
    """`add_info_line #Key#value`: what `show_tree_info` tells."""
    read_info_line(client, " ".join(words))


def reset_tree_info(client: Client, words: Words) -> None:
    """Forget all of them."""
    client.info.clear()


def read_info_line(client: Client, line: str) -> None:
    """Keep `#Key#value`; a board, a pot, a stack and ranges are set by it too."""
    parts = line.split("#")
    if len(parts) != 3 or parts[0] or not parts[1]:
        raise InputError(f"{line!r}: want #Key#value")
    key, value = parts[1].strip(), parts[2].strip()
    client.info[key] = value
    settings = client.settings
    if key == "Board":
        set_board(client, value.split())
    elif key == "Pot":
        settings.put_in, settings.pot = (0, 0), whole(value, "Pot")
    elif key == "EffectiveStacks":
        settings.stack = whole(value, "EffectiveStacks")
    elif key in ("Range0", "Range1"):
        settings.ranges[int(key[-1])] = parse_range(value)


def show_tree_info(client: Client, words: Words) -> list[str]:
    """`#Key#value` lines: those of the script, and what the tree has."""
    info = dict(client.info)
    if client.tree is not None:
        game, put_in = client.tree.first, client.tree.put_in
        board = " ".join(game.board[i : i + 2] for i in range(0, len(game.board), 2))
        info.setdefault("Type", "NoLimit")
        info |= {f"Range{p}": format_range(game.weights[p]) for p in (0, 1)}
        info |= {"Board": board, "Pot": str(game.pot), "EffectiveStacks": str(game.stack + put_in)}
    if not info:
        raise InputError("there is no tree and no script; build_tree or load_script first")
    return [f"#{key}#{value}" for key, value in info.items()]


def _whole_numbers(words: Words, count: int, what: str) -> list[int]:
    if len(words) != count:
        raise InputError(f"{len(words)} numbers, want {count}: {what}")
    return [whole(word, what) for word in words]


def _line(words: Words) -> tuple[int, ...]:
    if not words:
        raise InputError("want what was put in after each action, as in 0 0 12 12 54 230")
    return tuple(whole(word, "amount") for word in words)
