"""Practice as the page gets it: who trains on what, the question, the grade, the score."""

import re
import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from threading import Lock

from fastapi import Request
from pydantic import BaseModel

from poker_solver.errors import NotFoundError
from poker_solver.explore.session import Explored
from poker_solver.explore.training.grades import Grade, StreetScore
from poker_solver.explore.training.memory import Memory, Mistake
from poker_solver.explore.training.trainer import Ended, Move, Trainer, TrainingQuestion
from poker_solver.query.node import NodeView, action_words
from poker_solver.query.palette import Palette, chosen_palette
from poker_solver.web.opened import Opened
from poker_solver.web.parts import Parts
from poker_solver.web.study.node import known, warning, words_of

FILE = ".training.json"
MOST_TRAININGS = 64
"""That are kept while the server runs; of more, the one asked for longest ago goes."""


class MoveRecord(BaseModel):
    """What happened before a question."""

    player: str  # empty where cards fell
    token: str
    words: str
    board: str


class ChoiceRecord(BaseModel):
    """An action; how often the solution takes it and its EV once the question was answered."""

    action: str
    words: str
    color: str
    share: float | None = None
    ev: float | None = None  # in the unit


class QuestionRecord(BaseModel):
    """What the hero sees."""

    line: str
    board: str
    combo: str
    player: str
    pot: float
    unit: str  # bb or chips
    behind: list[float]  # of the hero and of the opponent
    moves: list[MoveRecord]
    choices: list[ChoiceRecord]
    is_repeat: bool
    warning: str


class GradeRecord(BaseModel):
    """How the answer was."""

    played: str
    best: str
    verdict: str
    frequency: float
    lost: float | None  # in the unit
    lost_pct: float | None
    why: str


class EndRecord(BaseModel):
    """How the hand came out."""

    line: str
    board: str
    kind: str
    opponent: str  # what he held
    moves: list[MoveRecord]
    is_cut: bool


class ScoreRecord(BaseModel):
    """What decisions came to."""

    num_decisions: int
    num_known: int
    num_right: int
    num_off: int
    accuracy: float | None
    lost_bb: float | None  # per decision
    lost_pct: float | None


class MistakeRecord(BaseModel):
    """A mistake that is kept."""

    number: int  # among those of all solutions, the dearest first
    solution: str
    line: str
    combo: str
    played_words: str
    best_words: str
    lost_bb: float | None
    lost_pct: float | None  # None where it is not known


class PracticeRecord(BaseModel):
    """A practice as it stands."""

    id: str
    solution: str
    title: str
    num_hands: int
    question: QuestionRecord
    grade: GradeRecord | None
    ended: EndRecord | None
    scores: dict[str, ScoreRecord]
    all_scores: dict[str, ScoreRecord]  # of all practice on this solution, kept on disk
    mistakes: list[MistakeRecord]  # of this solution


class SharedGame(Explored):
    """A solution of the library, which other requests use too."""

    def __init__(self, opened: Opened, id: str) -> None:
        self._opened, self._id = opened, id
        with opened.use(id) as found:
            self.name, self.solution = found.game.name, found.game.solution

    def view(self, history: Sequence[str]) -> NodeView:
        """A node, kept for whoever asks next."""
        with self._opened.use(self._id) as found:
            return found.view(tuple(history))


@dataclass(eq=False)
class Training:
    """One person's practice; one request at a time."""

    id: str
    title: str
    trainer: Trainer
    lock: Lock = field(default_factory=Lock)


class Trainings:
    """Everybody's practice on this server, and the mistakes that are kept."""

    def __init__(self, own: Parts) -> None:
        self.memory = Memory(own.library.folder / FILE)
        self._found: OrderedDict[str, Training] = OrderedDict()
        self._lock = Lock()

    def add(self, title: str, trainer: Trainer) -> Training:
        """Begin one."""
        training = Training(secrets.token_hex(6), title, trainer)
        with self._lock:
            self._found[training.id] = training
            while len(self._found) > MOST_TRAININGS:
                self._found.popitem(last=False)
        return training

    def get(self, id: str) -> Training:
        """The one of an id."""
        with self._lock:
            if id not in self._found:
                raise NotFoundError("this practice has ended; begin another, mistakes are kept")
            self._found.move_to_end(id)
            return self._found[id]


_MAKING = Lock()


def trainings(request: Request) -> Trainings:
    """Those of the server that was asked, made when first asked for; for `Depends`."""
    state = request.app.state
    with _MAKING:
        if not hasattr(state, "trainings"):
            state.trainings = Trainings(state.parts)
        found: Trainings = state.trainings
    return found


def training_record(training: Training) -> PracticeRecord:
    """All that the page draws."""
    trainer = training.trainer
    question, answer = trainer.question, trainer.last_grade
    kept = trainer.memory.mistakes()
    return PracticeRecord(
        id=training.id,
        solution=trainer.solution,
        title=training.title,
        num_hands=trainer.num_hands,
        question=_question(question, answer, chosen_palette()),
        grade=None if answer is None else _grade(answer, question.view),
        ended=None if trainer.ended is None else _ended(trainer.ended),
        scores=_scores(trainer.scores()),
        all_scores=_scores(trainer.memory.scores(trainer.solution)),
        mistakes=[
            mistake_record(number, one)
            for number, one in enumerate(kept)
            if one.solution == trainer.solution
        ],
    )


def _scores(found: Mapping[str, StreetScore]) -> dict[str, ScoreRecord]:
    return {n: ScoreRecord(**asdict(one), accuracy=one.accuracy) for n, one in found.items()}


def mistake_record(number: int, mistake: Mistake) -> MistakeRecord:
    """A mistake of the list."""
    return MistakeRecord(
        number=number,
        solution=mistake.solution,
        line=mistake.line,
        combo=mistake.combo,
        played_words=sized_words(mistake.played, mistake.chips_per_bb),
        best_words=sized_words(mistake.best, mistake.chips_per_bb),
        lost_bb=mistake.lost_bb,
        lost_pct=mistake.lost_pct,
    )


def _question(question: TrainingQuestion, answer: Grade | None, palette: Palette) -> QuestionRecord:
    view, facts = question.view, question.view.facts
    return QuestionRecord(
        line=view.line,
        board=view.board,
        combo=question.combo,
        player=view.player,
        pot=facts.money(view.pot_chips),
        unit="bb" if facts.chips_per_bb else "chips",
        behind=[facts.money(one.behind_chips) for one in (view.acting, view.opponent)],
        moves=_moves(question.moves, view),
        choices=_choices(view, answer, palette),
        is_repeat=question.is_repeat,
        warning=warning(view),
    )


def _choices(view: NodeView, answer: Grade | None, palette: Palette) -> list[ChoiceRecord]:
    """What may be done; what it is worth is only said once the question was answered."""
    colors, labels = palette.colors(view.actions), view.labels or view.actions
    found = [
        ChoiceRecord(
            action=action,
            words=words_of(action, label, view),
            color=colors[action],
        )
        for action, label in zip(view.actions, labels, strict=True)
    ]
    if answer is None:
        return found
    return [
        one.model_copy(
            update={
                "share": answer.mix[one.action],
                "ev": known(view.facts.money(answer.ev_chips[one.action]))
                if one.action in answer.ev_chips
                else None,
            }
        )
        for one in found
    ]


def _grade(answer: Grade, view: NodeView) -> GradeRecord:
    lost = answer.lost_chips
    return GradeRecord(
        played=answer.played,
        best=answer.best,
        verdict=answer.verdict,
        frequency=answer.frequency,
        lost=None if lost is None else view.facts.money(lost),
        lost_pct=answer.lost_pct,
        why=answer.why,
    )


def _ended(ended: Ended) -> EndRecord:
    return EndRecord(
        line=ended.view.line,
        board=ended.view.board,
        kind=ended.view.kind,
        opponent=ended.opponent,
        moves=_moves(ended.moves, ended.view),
        is_cut=ended.is_cut,
    )


def _moves(moves: Sequence[Move], view: NodeView) -> list[MoveRecord]:
    return [
        MoveRecord(
            player=one.player,
            token=one.token,
            words=_move_words(one, view) if one.player else one.token,
            board=one.board,
        )
        for one in moves
    ]


def _move_words(move: Move, view: NodeView) -> str:
    """`bet 1.82 bb`: in bb where the node's money is; before the flop tokens are in bb already."""
    return sized_words(move.token, view.facts.chips_per_bb if move.board else None)


def sized_words(action: str, chips_per_bb: int | None) -> str:
    """`b182` as `bet 1.82 bb`; without big blinds as it is."""
    sized = re.fullmatch(r"([br])(\d+)", action)
    if sized is None or not chips_per_bb:
        return action_words(action)
    name = {"b": "bet", "r": "raise"}[sized[1]]
    return f"{name} {float(sized[2]) / chips_per_bb:g} bb"
