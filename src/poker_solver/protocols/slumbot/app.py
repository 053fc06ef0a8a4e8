"""The routes: `POST /api/{login,new_hand,act}`, and the same under `/slumbot`."""

import secrets
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from poker_solver.cards import card_to_string
from poker_solver.errors import InputError, MissingPackageError
from poker_solver.play.mix import Policy
from poker_solver.play.session import GuestSession
from poker_solver.protocols.slumbot.lines import action_text, card_list, read_incr

if TYPE_CHECKING:
    from fastapi import FastAPI

STACK_BB = 200
MOST_SESSIONS = 10_000
"""Of which the ones that were silent longest are forgotten."""


class Tables:
    """The sessions of all clients, by token; one request at a time."""

    def __init__(self, policy: Policy, seed: int | None = None) -> None:
        self.policy, self._seed = policy, seed
        self._sessions: OrderedDict[str, GuestSession] = OrderedDict()
        self._lock = Lock()

    def answer(self, route: str, asked: object) -> dict[str, Any]:
        """What a client is told; what is wrong as `error_msg`."""
        try:
            if not isinstance(asked, dict):
                raise InputError("want a JSON object")
            with self._lock:
                return self._answer(route, asked)
        except InputError as error:
            return {"error_msg": " ".join(str(error).split())}

    def _answer(self, route: str, asked: dict[str, Any]) -> dict[str, Any]:
        if route == "login":
            return {"token": self._open()}
        token = asked.get("token")
        if route == "new_hand":
            if not token:
                token = self._open()
            session = self._find(token)
            session.leave()
            session.new_hand()
            return _told(session, token, "")
        session = self._find(token)
        incr = asked.get("incr")
        if not isinstance(incr, str):
            raise InputError("Missing incr: want k, c, f or b and chips")
        if not session.is_under_way:
            raise InputError("No hand is under way: ask for a new one")
        old = action_text(session.hand)
        session.act(read_incr(session.hand, incr))
        return _told(session, str(token), old)

    def _open(self) -> str:
        token = secrets.token_hex(16)
        self._sessions[token] = GuestSession(self.policy, STACK_BB, self._seed)
        while len(self._sessions) > MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return token

    def _find(self, token: object) -> GuestSession:
        if not isinstance(token, str) or token not in self._sessions:
            raise InputError("Invalid token: ask for a new hand without one")
        self._sessions.move_to_end(token)
        return self._sessions[token]


def _told(session: GuestSession, token: str, old: str) -> dict[str, Any]:
    hand = session.hand
    own = hand.holes[session.guest]
    assert own is not None
    found: dict[str, Any] = {
        "old_action": old,
        "action": action_text(hand),
        "client_pos": session.guest,
        "hole_cards": card_list(own),
        "board": [card_to_string(card) for card in hand.board],
        "token": token,
    }
    if hand.is_over:
        found |= {
            "winnings": session.won_chips,
            "bot_hole_cards": card_list(session.bot_holding),
            "session_num_hands": session.num_hands,
            "session_total": session.total_chips,
        }
    return found


def slumbot_app(policy: Policy, seed: int | None = None) -> "FastAPI":
    """An application that serves the routes."""
    try:
        from fastapi import FastAPI, Request
    except ImportError as error:
        raise MissingPackageError(
            "serve needs fastapi and uvicorn: pip install 'poker-solver[web]'"
        ) from error
    app, tables = FastAPI(title="poker-solver", docs_url=None, redoc_url=None), Tables(policy, seed)

    def add(path: str, route: str) -> None:
        async def answer(request: Request) -> dict[str, Any]:
            try:
                asked = await request.json()
            except ValueError:
                return {"error_msg": "the request is no JSON"}
            return await run_in_threadpool(tables.answer, route, asked)

        app.post(path)(answer)

    from starlette.concurrency import run_in_threadpool

    for route in ("login", "new_hand", "act"):
        add(f"/api/{route}", route)
        add(f"/slumbot/api/{route}", route)
    return app
