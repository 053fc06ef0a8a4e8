"""Who may ask, and how much: hosts, origins, a token, the size of bodies, headers of answers."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException

from poker_solver.store.json_text import json_text

MOST_BYTES = 1_500_000
"""Of a body; saves and hand histories that are brought in may have more."""

MOST_UPLOADED = 512_000_000
LARGER = {"/api/library/upload": MOST_UPLOADED, "/api/reviews": 5_000_000}
"""Routes whose bodies may have more."""

COOKIE = "poker_solver_token"

_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data: blob:; "
    "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",  # asked again each time: pages of another version never mix
}

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """Refuses, before anything else is done, what no page of ours would send."""

    def __init__(self, app: App, hosts: frozenset[str], token: str | None) -> None:
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on and add the headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
        most = LARGER.get(scope["path"], MOST_BYTES)
        refused = self._refusal(scope, headers, most)
        if refused is not None:
            await _answer(send, *refused)
            return
        set_cookie = self._given_in_url(scope)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(k.encode(), v.encode()) for k, v in _HEADERS.items()]
                if set_cookie:
                    value = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
                    added.append((b"set-cookie", value.encode()))
                message = {**message, "headers": [*message.get("headers", []), *added]}
            await send(message)

        await self.app(scope, _counted(receive, most), guarded)

    def _refusal(self, scope: Scope, headers: dict[str, str], most: int) -> tuple[int, str] | None:
        """A status and why, where a request is not to be answered."""
        host = headers.get("host", "")
        if self.token is None and host not in self.hosts:  # with a token, names are many
            return 403, f"this server does not answer for {host[:100]!r}"
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}", f"https://{host}"}:
            return 403, f"requests from {origin[:100]!r} are refused: this page is not theirs"
        is_api = scope["path"].startswith("/api/")
        if is_api and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return 403, "requests from other sites are refused"
        if self.token is not None and not self._is_known(scope, headers):
            return 401, "this server wants its token: open the address that it printed"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            return 413, _too_large(most)
        return None

    def _is_known(self, scope: Scope, headers: dict[str, str]) -> bool:
        cookies = SimpleCookie(headers.get("cookie", ""))
        given = [
            headers.get("authorization", "").removeprefix("Bearer "),
            cookies[COOKIE].value if COOKIE in cookies else "",
        ]
        known = str(self.token).encode()
        return self._given_in_url(scope) or any(
            hmac.compare_digest(one.encode(), known) for one in given
        )

    def _given_in_url(self, scope: Scope) -> bool:
        """Whether the address has the token, as the one that is opened first."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())


def own_hosts(host: str, port: int) -> frozenset[str]:
    """Names by which a server may be called."""
    names = {host, "127.0.0.1", "localhost", "[::1]"}
    return frozenset(f"{name}:{port}" for name in names) | (names if port == 80 else frozenset())


def _too_large(most: int) -> str:
    return f"the body is larger than {most:,} bytes"


def _counted(receive: Receive, most: int) -> Receive:
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413, _too_large(most))
        return message

    return counted


async def _answer(send: Send, status: int, why: str) -> None:
    body = json_text({"error": why}).encode()
    headers = [(b"content-type", b"application/json")]
    headers += [(k.encode(), v.encode()) for k, v in _HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
