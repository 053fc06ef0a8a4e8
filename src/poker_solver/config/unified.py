"""A full game, from the blinds to the river over weighted flops, and how it is trained.

One format with two spellings of some things. In the long one, amounts are big blinds, sizes after
the flop are those of a spot, and pots may differ by how they were raised. The short one, which
people have in their files, says `preflop.stacks` and `preflop.blinds` in chips of its own,
`postflop_bet_sizes` as fractions of the pot, and `max_canonical_flops`. Nothing is said twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Self, get_type_hints

import yaml
from pydantic import TypeAdapter, ValidationError

from poker_solver.cards.flops import SUBSETS, FlopSet, all_flops, flop_subset
from poker_solver.config.base import (
    CHIPS_PER_BB,
    MOST_STACK_BB,
    Document,
    Rake,
    fingerprint,
    to_chips,
)
from poker_solver.config.preflop import (
    Amount,
    Blinds,
    Name,
    PreflopBetting,
    Stack,
    forced_bet_problems,
)
from poker_solver.config.problems import Problem
from poker_solver.config.sizes import Size, format_sizes, in_order
from poker_solver.config.spot import STREETS, PlayerSizes, PostflopBetting, StreetSizes
from poker_solver.config.spot_fields import NumRaises
from poker_solver.config.unified_fields import (
    FLOP_SETS,
    POT_TYPES,
    Count,
    Discounts,
    Flops,
    PositiveCount,
    PostflopPart,
    PotShares,
    PreflopPart,
    PruneThreshold,
    RowsConfig,
)
from poker_solver.config.unified_notes import preflop_notes
from poker_solver.config.yaml_text import load_yaml, made_of, preset_or_file, preset_stems

_PRESETS = Path(__file__).parent / "full_games"

_DEPTHS = ((14, "hu_10"), (32, "hu_20"), (75, "hu_50"), (float("inf"), "hu_100"))
"""Up to which stack in bb the sizes of a preset are the default."""

_DONKS_NOWHERE = ("flop", "oop.flop", "ip.flop", "ip.turn", "ip.river")
"""Streets where a donk has no meaning."""


class UnifiedConfig(Document):
    """One full game and its training, as the YAML file has it.

    Epochs visit every flop once, in batches; `flops` left out are all 1,755. `rows` say which hands
    share strategies after the flop while it is trained; without, each has its own. Where all boards
    share rows, a visit of a flop may deal some of its turns and some rivers after each.
    """

    name: Name = "Custom"
    stack: Stack | None = None
    blinds: Blinds = Blinds()
    ante: Amount = 0.0
    rake: Rake = Rake()
    preflop: PreflopPart
    postflop: PostflopPart | None = None
    flops: Flops = None
    rows: RowsConfig | None = None
    epochs: PositiveCount = 10
    flop_batch_size: PositiveCount = 50
    sampled_turns: Count = 0
    sampled_rivers: Count = 0
    iterations_per_batch: PositiveCount = 200
    prune_threshold: PruneThreshold = None
    prune_warmup: Count = 100
    explore_interval: PositiveCount = 50
    dcfr: Discounts = Discounts()

    postflop_bet_sizes: PotShares = ()
    postflop_max_raises_per_street: NumRaises = 1
    max_canonical_flops: Count = 0

    def __init__(self, /, **fields: Any) -> None:
        """Check everything; a `ConfigError` lists all that is wrong."""
        super().__init__(**fields)

    @classmethod
    def disagreements(
        cls, fields: Mapping[str, Any], problems: Sequence[Problem]
    ) -> Iterator[Problem]:
        """What is wrong between fields that are each fine on their own."""
        sound = _sound(cls, fields, problems)
        given = {key for key, value in fields.items() if value is not None}
        wrong = {problem.place for problem in problems}
        stacks_are_wrong = "preflop.stacks" in wrong
        found = [
            *_said_twice(given, sound.get("preflop")),
            *(one for one in _missing(given, sound.get("preflop")) if not stacks_are_wrong),
            *forced_bet_problems(sound),
            *_chip_problems(sound),
            *_stack_problems(sound),
            *_raise_problems(sound.get("preflop")),
            *_street_problems(sound.get("postflop")),
            *_flop_problems(sound.get("max_canonical_flops")),
            *_sampling_problems(sound),
        ]
        yield from (problem for problem in found if problem.place not in wrong)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Self:
        """Read a preset by its name, or a YAML file by its path; all problems in one message.

        A file of flops that it names may lie beside it.
        """
        path = preset_or_file(_PRESETS, name_or_path)

        def find_beside(fields: dict[str, Any]) -> dict[str, Any]:
            flops = fields.get("flops")
            if not isinstance(flops, str) or flops in FLOP_SETS:
                return fields
            beside = path.parent / flops
            return {**fields, "flops": str(beside)} if beside.is_file() else fields

        return load_yaml(cls, path, find_beside)

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read YAML text."""
        return made_of(cls, text)

    @classmethod
    def from_mapping(cls, fields: Mapping[str, Any]) -> Self:
        """A full game from the keys and values of the YAML file."""
        return cls(**{str(key): value for key, value in fields.items()})

    @classmethod
    def default_hu(cls, stack_bb: float) -> Self:
        """A game of few sizes for any depth: those of the preset that is nearest."""
        preset = next(name for most, name in _DEPTHS if stack_bb <= most)
        fields = cls.load(preset).to_mapping()
        return cls.from_mapping({**fields, "name": f"HU {stack_bb:g}BB", "stack": stack_bb})

    def to_mapping(self) -> dict[str, Any]:
        """Plain values that `from_mapping` reads back, whatever files they came from."""
        plain: dict[str, Any] = _with_lists(self.model_dump(by_alias=True, exclude_unset=True))
        return plain

    def to_yaml(self) -> str:
        """Text that `from_yaml` and `load` read back."""
        return yaml.safe_dump(
            self.to_mapping(), sort_keys=False, default_flow_style=None, width=10**6
        )

    @cached_property
    def stack_bb(self) -> float:
        """Each player's stack in big blinds, before ante and blinds; the smaller of two."""
        if self.stack is not None:
            return self.stack
        assert self.preflop.stacks is not None
        return min(self.preflop.stacks) / self._big_blind

    @cached_property
    def preflop_betting(self) -> PreflopBetting:
        """What can be played before the flop."""
        part = self.preflop
        ante = to_chips(max((chips for _, chips in part.antes), default=0.0) / self._big_blind)
        if not part.antes:
            ante = to_chips(self.ante)
        blinds = self.blinds
        if part.blinds:
            blinds = Blinds(small=min(chips for _, chips in part.blinds) / self._big_blind)
        lists = [self._tidy(sizes) for sizes in part.lists]
        while part.allin and lists and not lists[-1]:
            lists.pop()
        first = lists[0] if lists else ()
        iso = None if part.iso_list is None else self._tidy(part.iso_list)
        return PreflopBetting(
            blind_chips=(to_chips(blinds.small), CHIPS_PER_BB),
            ante_chips=ante,
            all_in_chips=to_chips(self.stack_bb) - ante,
            raise_sizes=tuple(lists),
            iso_sizes=None if iso == first else iso,
            limp=part.limp,
            lifts=True,
            all_in=part.allin,
            raise_cap=part.raise_cap,
            rake=self.rake,
            name=self.name,
        )

    @cached_property
    def postflop_bettings(self) -> tuple[PostflopBetting, ...]:
        """Betting after the flop by raises before it, as `POT_TYPES`; one where nothing differs.

        Pot and stack are those after a limp; `BettingRules.flop_betting` has those of any line.
        """
        before, part = self.preflop_betting, self._postflop
        found = [
            PostflopBetting(
                num_cards=3,
                pot=2 * (CHIPS_PER_BB + before.ante_chips),
                stack=before.all_in_chips - CHIPS_PER_BB,
                sizes=tuple(self._player_sizes(pot, player) for player in ("oop", "ip")),
                rake=before.rake_chips,
                thresholds=part.thresholds,
                max_raises=part.max_raises,
                min_bet=CHIPS_PER_BB,
            )
            for pot in range(len(POT_TYPES))
        ]
        return tuple(found) if any(one != found[0] for one in found) else (found[0],)

    def flop_set(self) -> FlopSet:
        """The flops that it is trained on, representatives up to suits; weights sum to 22,100."""
        if self.flops is not None:
            return self.flops
        most = self.max_canonical_flops
        if most == 0 or most >= len(all_flops()):
            return all_flops()
        return flop_subset(max(size for size in SUBSETS if size <= most))

    @cached_property
    def discounts(self) -> Discounts:
        """How DCFR weighs its iterations, whichever way it was said."""
        names = self.preflop.given_discounts
        said = {name.removeprefix("dcfr_"): getattr(self.preflop, name) for name in names}
        return Discounts(**said) if said else self.dcfr

    @property
    def schedule_text(self) -> str:
        """The schedule as it is written elsewhere: `dcfr:1.5,0.5,3`."""
        numbers = self.discounts.alpha, self.discounts.beta, self.discounts.gamma
        return "dcfr:" + ",".join(repr(float(one)).removesuffix(".0") for one in numbers)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What was read differently from how it is written, in whole sentences."""
        part, found = self.preflop, list(preflop_notes(self.preflop_betting))
        if part.stacks is not None and part.stacks[0] != part.stacks[1]:
            found.append(f"preflop.stacks differ: both play the smaller, {self.stack_bb:g} bb")
        if part.exploration:
            found.append(
                f"preflop.exploration {part.exploration:g} is not used: no action is sampled, "
                "each is valued in full"
            )
        if self.rows is not None and self.prune_threshold is not None:
            found.append(
                f"prune_threshold {self.prune_threshold:g} is not used: hands that share rows "
                "are all walked"
            )
        flops, most = self.flop_set(), self.max_canonical_flops
        if most and len(flops) != most:
            found.append(f"max_canonical_flops {most}: the flops are {self._flops_text(flops)}")
        return tuple(found)

    def __eq__(self, other: object) -> bool:
        """The same fields; what was computed from them along the way does not count."""
        return isinstance(other, UnifiedConfig) and self.to_mapping() == other.to_mapping()

    def __hash__(self) -> int:
        return hash(self.fingerprint())

    def fingerprint(self) -> str:
        """Name this game the same way in every process and on every machine: a SHA-256.

        It covers all that can be played, the rake, the flops and their weights; neither the game's
        name nor its training. Both spellings of one game have one name.
        """
        before, flops = self.preflop_betting, self.flop_set()
        weights = zip(flops.flops, flops.weights, strict=True)
        return fingerprint(
            {
                "chips": [*before.blind_chips, before.ante_chips, before.all_in_chips],
                "raises": [format_sizes(sizes) for sizes in before.raise_sizes],
                "iso": None if before.iso_sizes is None else format_sizes(before.iso_sizes),
                "limp": before.limp,
                "allin": before.all_in,
                "raise_cap": before.raise_cap,
                "rake": [repr(float(self.rake.rate)), repr(float(self.rake.cap))],
                "postflop": [_plain(betting) for betting in self.postflop_bettings],
                "flops": sorted(f"{flop} {weight:.9g}" for flop, weight in weights),
            }
        )

    @cached_property
    def _postflop(self) -> PostflopPart:
        if self.postflop is not None:
            return self.postflop
        shares = [str(Size("pot", Fraction(repr(share)))) for share in self.postflop_bet_sizes]
        return PostflopPart.of_shares(shares, self.postflop_max_raises_per_street)

    @property
    def _big_blind(self) -> float:
        """The big blind in the chips of the short form."""
        return max((chips for _, chips in self.preflop.blinds), default=1.0)

    def _tidy(self, sizes: tuple[Size, ...]) -> tuple[Size, ...]:
        """In one order, and without an all-in that is offered anyway."""
        return in_order(s for s in sizes if not (self.preflop.allin and s.kind == "allin"))

    def _player_sizes(self, pot_type: int, player: str) -> tuple[PlayerSizes, ...]:
        streets = (self._postflop.sizes(pot_type, player, name) for name in STREETS)
        lists = ((street or StreetSizes()).read() for street in streets)
        return PlayerSizes(), *(PlayerSizes(*map(in_order, street)) for street in lists)

    @staticmethod
    def _flops_text(flops: FlopSet) -> str:
        return "all 1,755" if flops.name == "all" else f"the subset of {flops.name}"


def full_game_names() -> list[str]:
    """The presets, sorted."""
    return preset_stems(_PRESETS)


def _with_lists(value: Any) -> Any:
    """The same plain value, tuples as lists."""
    if isinstance(value, dict):
        return {key: _with_lists(one) for key, one in value.items()}
    return [_with_lists(one) for one in value] if isinstance(value, list | tuple) else value


def _plain(betting: PostflopBetting) -> list[Any]:
    """All of it but pot, stack and rake, which follow from the line."""
    sizes = [list(map(format_sizes, street)) for player in betting.sizes for street in player]
    limits = betting.thresholds
    thresholds = (limits.add_allin, limits.force_allin, limits.merge)
    return [sizes, [repr(float(one)) for one in thresholds], betting.max_raises]


def _sound(
    cls: type[UnifiedConfig], fields: Mapping[str, Any], problems: Sequence[Problem]
) -> dict[str, Any]:
    """The fields that are right, read; of the two large ones, their keys that are."""
    found: dict[str, Any] = {}
    hints = get_type_hints(cls, include_extras=True)
    for name, info in cls.model_fields.items():
        value = fields.get(name, info.get_default())
        if isinstance(value, Mapping) and name in ("preflop", "postflop"):
            value = _right_keys(name, value, problems)
        elif any(problem.field == name for problem in problems):
            continue
        try:
            found[name] = TypeAdapter(hints[name]).validate_python(value)
        except ValidationError:
            continue
    return found


def _right_keys(
    name: str, part: Mapping[str, Any], problems: Sequence[Problem]
) -> Mapping[str, Any]:
    """The keys of a part that nothing is wrong with, and something for those it must have."""
    wrong = {
        problem.place.removeprefix(f"{name}.").partition(".")[0].partition("[")[0]
        for problem in problems
        if problem.place.startswith(f"{name}.")
    }
    kept = {key: value for key, value in part.items() if key not in wrong}
    return {"raise_sizes": ["a"], **kept} if name == "preflop" else kept


def _said_twice(given: set[str], preflop: PreflopPart | None) -> Iterator[Problem]:
    """Things that both forms say."""
    if preflop is not None:
        short = {"stack": ["stacks"], "blinds": ["blinds"], "ante": ["antes"]}
        short["dcfr"] = preflop.given_discounts
        for key, others in short.items():
            for other in others:
                if key in given and getattr(preflop, other) not in ((), None):
                    yield Problem(f"preflop.{other}", f"{key} says it already")
    for key, other in (
        ("postflop", "postflop_bet_sizes"),
        ("postflop", "postflop_max_raises_per_street"),
        ("flops", "max_canonical_flops"),
    ):
        if {key, other} <= given:
            yield Problem(other, f"{key} says it already")


def _missing(given: set[str], preflop: PreflopPart | None) -> Iterator[Problem]:
    """Things that neither form says."""
    if "stack" not in given and (preflop is None or preflop.stacks is None):
        yield Problem("stack", "missing: in bb, or as preflop.stacks")
    if not {"postflop", "postflop_bet_sizes"} & given:
        yield Problem("postflop", "missing: sizes by street, or as postflop_bet_sizes")
    if preflop is not None and not preflop.blinds and (preflop.stacks or preflop.antes):
        yield Problem("preflop.blinds", "missing: stacks and antes are in its chips")


def _chip_problems(sound: Mapping[str, Any]) -> Iterator[Problem]:
    """Amounts in the chips of the short form that are none in big blinds."""
    preflop = sound.get("preflop")
    if preflop is None or not preflop.blinds:
        return
    blinds, antes = ([chips for _, chips in pairs] for pairs in (preflop.blinds, preflop.antes))
    small, big = sorted(blinds)
    if not 0 < small < big:
        yield Problem("preflop.blinds", f"{small:g} and {big:g} must be positive and differ")
        return
    if len(set(antes)) > 1:
        yield Problem("preflop.antes", "both players must post the same")
    parts = {"blinds": blinds, "antes": antes, "stacks": preflop.stacks or ()}
    for key, amounts in parts.items():
        for chips in dict.fromkeys(amounts):
            hundredths = chips / big * CHIPS_PER_BB
            if abs(hundredths - round(hundredths)) > 1e-6:
                what = f"{chips:g} of {big:g} must be a whole number of hundredths of a bb"
                yield Problem(f"preflop.{key}", what)


def _stack_problems(sound: Mapping[str, Any]) -> Iterator[Problem]:
    """Stacks that leave nothing to play for, or too much."""
    stack, ante, preflop = sound.get("stack"), sound.get("ante"), sound.get("preflop")
    place = "stack"
    if preflop is not None and any(chips > 0 for _, chips in preflop.blinds):
        big = max(chips for _, chips in preflop.blinds)
        if preflop.antes:
            ante = max(chips for _, chips in preflop.antes) / big
        if preflop.stacks:
            stack, place = min(preflop.stacks) / big, "preflop.stacks"
    if stack is None or ante is None:
        return
    if stack - ante <= 1:
        what = f"{stack:g} bb must leave more than the big blind and the ante"
        yield Problem(place, what)
    if stack > MOST_STACK_BB:
        yield Problem(place, f"{stack:g} bb must be at most {MOST_STACK_BB:,}")


def _raise_problems(preflop: PreflopPart | None) -> Iterator[Problem]:
    """Raises that leave no game."""
    if preflop is None or preflop.limp:
        return
    has_sizes = preflop.allin or any(preflop.lists[:1])
    if preflop.raise_cap == 0 or not has_sizes:
        yield Problem("preflop.limp", "false, and nothing may be raised: only folding is left")


def _street_problems(part: PostflopPart | None) -> Iterator[Problem]:
    """Streets that are not given, and donk sizes where nobody can donk."""
    if part is None:
        return
    players, pots = ("oop", "ip"), range(len(POT_TYPES))
    for street in STREETS:
        lacking = [
            player
            for player in players
            if any(part.sizes(pot, player, street) is None for pot in pots)
        ]
        place = f"{lacking[0]}.{street}" if len(lacking) == 1 else street
        if lacking:
            yield Problem(f"postflop.{place}", "missing ({} allows no bets)")
    named = zip(POT_TYPES, part.pots.all, strict=True)
    parts = [("postflop", part), *((f"postflop.pots.{name}", pot) for name, pot in named)]
    for place, pot in parts:
        for path in _DONKS_NOWHERE if pot is not None else ():
            sizes: Any = pot
            for key in path.split("."):
                sizes = getattr(sizes, key)
            if sizes is not None and sizes.donk is not None:
                what = "only the player out of position donks, on the turn or the river"
                yield Problem(f"{place}.{path}.donk", what)


def _flop_problems(most: int | None) -> Iterator[Problem]:
    """Fewer flops than any subset has."""
    if most and most < min(SUBSETS):
        what = f"{most} must be 0 for all, or at least {min(SUBSETS)}, the smallest subset"
        yield Problem("max_canonical_flops", what)


def _sampling_problems(sound: Mapping[str, Any]) -> Iterator[Problem]:
    """More turns or rivers than there are, or some of them where each has a table of its own."""
    rows = sound.get("rows")
    is_shared = rows is not None and rows.turn.is_shared and rows.river.is_shared
    for key, most in (("sampled_turns", 49), ("sampled_rivers", 48)):
        count = sound.get(key) or 0
        if count > most:
            yield Problem(key, f"{count} must be at most {most}, the cards that can fall")
        elif count and not is_shared:
            what = "wants rows of turn and river that all boards share, {buckets: n}"
            yield Problem(key, f"{what}: tables of single boards are visited flop by flop")
