"""Colours of actions, the same in the terminal, in pictures and on a page; values, no drawing.

Which of them somebody chose is kept in the settings.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from poker_solver.errors import InputError
from poker_solver.query.node import ActionKind, action_kind
from poker_solver.store.settings import read_setting, write_setting

LONE_RAISE = 0.35
"""Where between light and dark the only size stands."""


@dataclass(frozen=True, slots=True)
class Palette:
    """A colour for each kind of action; raises run from light to dark with their size."""

    name: str
    what: str  # in words
    fold: str
    call: str
    raises: tuple[str, str]
    all_in: str

    def colors(self, actions: Sequence[str], taken: Sequence[str] | None = None) -> dict[str, str]:
        """A colour for each action; sizes in `taken`, or all, share the shades between them."""
        sizes = [a for a in (actions if taken is None else taken) if _is_size(a)]
        found = {}
        for number, action in enumerate(actions):
            if not _is_size(action):
                found[action] = self.of_kind(action_kind(action))
                continue
            place = sum(size in actions[:number] for size in sizes)
            part = min(place / (len(sizes) - 1), 1.0) if len(sizes) > 1 else LONE_RAISE
            found[action] = blend(*self.raises, part)
        return found

    def of_kind(self, kind: ActionKind) -> str:
        """The colour of a kind of action, its size put aside."""
        return {
            ActionKind.FOLD: self.fold,
            ActionKind.CALL: self.call,
            ActionKind.RAISE: blend(*self.raises, LONE_RAISE),
            ActionKind.ALL_IN: self.all_in,
        }[kind]


STANDARD = Palette(
    name="standard",
    what="fold red, call green, raise blue, all-in yellow",
    fold="#e5484d",
    call="#3fc15a",
    raises=("#a8d2ff", "#2e60cd"),
    all_in="#ffd43b",
)
CLASSIC = Palette(
    name="classic",
    what="bets red and darker when larger, calls green, folds blue",
    fold="#4d8fd6",
    call="#5fb878",
    raises=("#f7a8a0", "#c62f2f"),
    all_in="#7d1118",
)
COLOUR_BLIND = Palette(
    name="colour-blind",
    what="fold grey-blue, call yellow, raise orange to brown, all-in violet",
    fold="#8fb8d8",
    call="#f0e442",
    raises=("#f2b134", "#b34a00"),
    all_in="#8d55c7",
)
PALETTES = {palette.name: palette for palette in (STANDARD, CLASSIC, COLOUR_BLIND)}


def find_palette(name: str) -> Palette:
    """The palette of a name."""
    wanted = name.strip().lower().replace("color", "colour").replace(" ", "-")
    if wanted not in PALETTES:
        raise InputError(f"palette {name!r}: want {', '.join(PALETTES)}")
    return PALETTES[wanted]


def chosen_palette() -> Palette:
    """The colours that were chosen, or the usual ones."""
    try:
        return find_palette(read_setting("palette") or STANDARD.name)
    except InputError:  # of another version
        return STANDARD


def choose_palette(name: str) -> Palette:
    """Take these colours from now on."""
    palette = find_palette(name)
    write_setting("palette", palette.name)
    return palette


def blend(first: str, second: str, part: float) -> str:
    """A colour between two, `#rrggbb`: the first at 0, the second at 1."""
    pairs = zip(_parts(first), _parts(second), strict=True)
    return "#" + "".join(f"{round(a + part * (b - a)):02x}" for a, b in pairs)


def ink_on(ground: str) -> str:
    """Black on what is light, white on what is dark."""
    red, green, blue = _parts(ground)
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else "#ffffff"


def _parts(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _is_size(action: str) -> bool:
    return action[0] in "br"
