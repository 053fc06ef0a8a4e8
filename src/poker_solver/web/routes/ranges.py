"""Ranges: text to weights and back, the matrix they are painted on, names they are kept under."""

from typing import Annotated

import numpy as np
from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from poker_solver.cards import (
    COMBO_CLASS,
    HAND_NAMES,
    NUM_CLASSES,
    NUM_COMBOS,
    combo_to_string,
    combos_left,
    format_range,
    parse_board,
    parse_range,
    unblocked,
)
from poker_solver.cards.classes import CLASS_COMBOS, CLASS_GRID
from poker_solver.errors import InputError
from poker_solver.web.named_ranges import delete_range, named_ranges, rename_range, save_range
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/ranges", tags=["ranges"])
Own = Annotated[Parts, Depends(parts)]
Weight = Annotated[float, Field(ge=0, le=1)]
Text = Annotated[str, Field(max_length=200_000)]
Name = Annotated[str, Field(max_length=200)]


class RangeGiven(BaseModel):
    """A range as text, and the board it is held on."""

    model_config = ConfigDict(extra="forbid")

    text: Text
    board: str = Field("", max_length=40)


class WeightsGiven(BaseModel):
    """A range as weights of the combos, in the order of the layout."""

    model_config = ConfigDict(extra="forbid")

    weights: list[Weight] = Field(min_length=NUM_COMBOS, max_length=NUM_COMBOS)
    board: str = Field("", max_length=40)


class RangeRecord(BaseModel):
    """What was read."""

    text: str  # the shortest that reads back the same; empty if nothing is held
    weights: list[float]  # of the 1,326 combos
    classes: list[float]  # of the 169 classes, the mean of their combos
    combos: float  # in all
    share: float  # of all hands
    live_combos: float  # that the board leaves
    live_share: float  # of the hands that it leaves
    dealt: list[int]  # combos of each class that the board leaves


class RangeAnswer(BaseModel):
    """What was read, or why not: half a word is no mistake while one types."""

    range: RangeRecord | None
    error: str = ""


class LayoutRecord(BaseModel):
    """The matrix: which class is where, and which combos it has."""

    grid: list[list[int]]  # class at row and column
    names: list[str]  # of the classes
    combos: list[list[int]]  # of each class
    combo_names: list[str]  # of the 1,326


class NamedRange(BaseModel):
    """A range under its name."""

    model_config = ConfigDict(extra="forbid")

    name: Name
    text: Text


class NewName(BaseModel):
    """What a range is to be called."""

    model_config = ConfigDict(extra="forbid")

    name: Name
    to: Name


@router.get("/layout")
def layout() -> LayoutRecord:
    """Always the same."""
    return LayoutRecord(
        grid=CLASS_GRID.tolist(),
        names=list(HAND_NAMES),
        combos=[combos[::-1].tolist() for combos in CLASS_COMBOS],
        combo_names=[combo_to_string(combo) for combo in range(NUM_COMBOS)],
    )


@router.post("/read")
def read(given: RangeGiven) -> RangeAnswer:
    """Text in any notation that the terminal reads, or one line that says what is wrong."""
    try:
        return RangeAnswer(range=_record(parse_range(given.text), given.board))
    except InputError as error:
        return RangeAnswer(range=None, error=str(error))


@router.post("/write")
def write(given: WeightsGiven) -> RangeRecord:
    """Weights to text."""
    return _record(np.array(given.weights), given.board)


@router.get("/named")
def all_named(own: Own) -> list[NamedRange]:
    """The ranges that were named."""
    return [NamedRange(name=name, text=text) for name, text in named_ranges(own.library).items()]


@router.put("/named")
def save(given: NamedRange, own: Own) -> list[NamedRange]:
    """Name one, or change the one of that name."""
    save_range(own.library, given.name, given.text)
    return all_named(own)


@router.patch("/named")
def rename(given: NewName, own: Own) -> list[NamedRange]:
    """Call one otherwise."""
    rename_range(own.library, given.name, given.to)
    return all_named(own)


@router.delete("/named", status_code=204)
def delete(own: Own, name: Annotated[str, Query(max_length=200)]) -> Response:
    """Forget one."""
    delete_range(own.library, name)
    return Response(status_code=204)


def _record(weights: NDArray[np.float64], board: str) -> RangeRecord:
    cards = _cards(board)
    free = unblocked(cards)
    total, live = float(weights.sum()), float(weights[free].sum())
    sizes = np.bincount(COMBO_CLASS, minlength=NUM_CLASSES)
    return RangeRecord(
        text=format_range(weights),
        weights=weights.tolist(),
        classes=(np.bincount(COMBO_CLASS, weights, NUM_CLASSES) / sizes).tolist(),
        combos=total,
        share=total / NUM_COMBOS,
        live_combos=live,
        live_share=live / int(free.sum()),
        dealt=combos_left(cards).tolist(),
    )


def _cards(board: str) -> tuple[int, ...]:
    """Those of a board that is being picked: one that cannot be read yet blocks nothing."""
    try:
        return parse_board(board) if board else ()
    except InputError:
        return ()
