"""Practice: begin at a node, answer, go on, and the mistakes that come again."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from poker_solver.errors import InputError
from poker_solver.explore.training.trainer import Trainer
from poker_solver.web.parts import Parts, parts
from poker_solver.web.study.after_flop import ready_tokens
from poker_solver.web.training import (
    MistakeRecord,
    PracticeRecord,
    SharedGame,
    Trainings,
    mistake_record,
    training_record,
    trainings,
)

router = APIRouter(prefix="/api/training", tags=["train"])
Own = Annotated[Parts, Depends(parts)]
All = Annotated[Trainings, Depends(trainings)]

SEATS: dict[str, int | None] = {"oop": 0, "bb": 0, "ip": 1, "sb": 1, "both": None}


class TrainingWanted(BaseModel):
    """Where to practise, and as whom."""

    model_config = ConfigDict(extra="forbid")

    solution: str = Field(max_length=200)
    line: str = Field("", max_length=2_000)
    seat: Literal["oop", "ip", "bb", "sb", "both"] = "both"
    one_decision: bool = False
    seed: int | None = Field(None, ge=0, lt=2**62)


class Answer(BaseModel):
    """What the hero does."""

    model_config = ConfigDict(extra="forbid")

    action: str = Field(max_length=20)


class Again(BaseModel):
    """A mistake by its number in the list."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(ge=0)


@router.post("")
def begin(wanted: TrainingWanted, own: Own, every: All) -> PracticeRecord:
    """Begin, with the first hand dealt."""
    entry = own.library.entry(wanted.solution)
    game = SharedGame(own.opened, wanted.solution)
    with own.opened.use(wanted.solution) as opened:
        start = ready_tokens(own, opened, wanted.line)
    trainer = Trainer(
        game,
        start,
        seat=SEATS[wanted.seat],
        solution=wanted.solution,
        one_decision=wanted.one_decision,
        seed=wanted.seed,
        memory=every.memory,
    )
    trainer.deal()
    return training_record(every.add(entry.name, trainer))


@router.get("/mistakes")
def mistakes(every: All) -> list[MistakeRecord]:
    """Of all solutions, the dearest first."""
    return [mistake_record(number, one) for number, one in enumerate(every.memory.mistakes())]


@router.delete("/mistakes", status_code=204)
def forget(every: All, solution: Annotated[str | None, Query(max_length=200)] = None) -> Response:
    """Forget the mistakes of a solution, or all."""
    every.memory.forget(solution)
    return Response(status_code=204)


@router.get("/{id}")
def training(id: str, every: All) -> PracticeRecord:
    """A practice as it stands."""
    found = every.get(id)
    with found.lock:
        return training_record(found)


@router.post("/{id}/answer")
def answer(id: str, given: Answer, every: All) -> PracticeRecord:
    """Answer the question; the grade comes back with the mix and the EVs."""
    found = every.get(id)
    with found.lock:
        found.trainer.answer(given.action)
        return training_record(found)


@router.post("/{id}/next")
def go_on(id: str, every: All) -> PracticeRecord:
    """The next decision of the hand; once it is over, how it ended, then another hand."""
    found = every.get(id)
    with found.lock:
        trainer = found.trainer
        if trainer.ended is not None:
            trainer.deal()
        else:
            trainer.go_on()
        return training_record(found)


@router.post("/{id}/repeat")
def repeat(id: str, again: Again, every: All) -> PracticeRecord:
    """Ask for a mistake of this solution again."""
    found = every.get(id)
    with found.lock:
        kept = found.trainer.memory.mistakes()
        if again.number >= len(kept):
            raise InputError(f"there are {len(kept)} mistakes, no number {again.number}")
        mistake = kept[again.number]
        if mistake.solution != found.trainer.solution:
            raise InputError("this mistake is of another solution")
        found.trainer.repeat(mistake)
        return training_record(found)
