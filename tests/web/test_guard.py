"""What no page of ours would send is refused, clearly, and nothing is lost."""

import asyncio
import socket

import httpx
import pytest

from poker_solver.cli.web import address_of
from poker_solver.web.app import create_app
from poker_solver.web.guard import MOST_BYTES
from poker_solver.web.parts import ServerSettings
from tests.web.conftest import Site

PATHS = [
    "/api/library/..%2f..%2fetc%2fpasswd/file",
    "/api/library/%2e%2e/file",
    "/api/library/%2fetc%2fpasswd/file",
    "/api/library/turn.pks/file",
    "/api/library/.library/file",
    "/api/library/game:..%2fhu_20/file",
    "/api/library/game:nothing/file",
    "/api/solutions/..%5c..%5cturn/node",
    "/api/solutions/%00/node",
    "/api/solutions/turn%0a/node",
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%2fapp.py",
    "/api/jobs/..%2f..%2f",
]


@pytest.mark.parametrize("path", PATHS)
def test_no_path_leads_out_of_the_library(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    if path.startswith("/static"):
        assert "create_app" not in answer.text
        return
    assert answer.status_code in (400, 404)
    assert set(answer.json()) == {"error"}


def test_a_link_out_of_the_library_is_not_followed(client: httpx.Client, site: Site) -> None:
    link = site.folder / "link.pks"
    link.symlink_to("/etc/passwd")
    assert "link" not in {entry["id"] for entry in client.get("/api/library").json()}
    assert client.get("/api/library/link/file").status_code == 404
    link.unlink()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_foreign_origins_are_refused(client: httpx.Client, origin: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = client.request(method, "/api/library", headers={"origin": origin})
        assert answer.status_code == 403
        assert origin in answer.json()["error"]


def test_its_own_origin_is_not(client: httpx.Client, site: Site) -> None:
    assert client.get("/api/library", headers={"origin": site.address}).status_code == 200


def test_other_sites_and_hosts_are_refused(client: httpx.Client) -> None:
    assert client.get("/api/library", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    rebound = client.get("/api/library", headers={"host": "evil.example:8765"})
    assert rebound.status_code == 403
    assert "evil.example" in rebound.json()["error"]


def test_bodies_are_bounded(client: httpx.Client) -> None:
    large = b"x" * (MOST_BYTES + 1)
    assert client.post("/api/jobs/solve", content=large).status_code == 413

    def stream():  # no length is said before
        for _ in range(20):
            yield b"x" * (MOST_BYTES // 10)

    assert client.post("/api/jobs/solve", content=stream()).status_code == 413


def test_answers_carry_the_policies(client: httpx.Client) -> None:
    for path in ("/", "/api/library", "/static/js/main.js", "/api/nothing"):
        headers = client.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-cache"


def test_a_file_that_is_the_same_is_not_sent_again(client: httpx.Client) -> None:
    first = client.get("/static/js/main.js")
    again = client.get("/static/js/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_garbage_is_refused_in_one_line(client: httpx.Client) -> None:
    for body in (
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"spot": 3}',
        b'{"spot": "a: [", "x": 1}',
        b"\xff\xfe",
    ):
        answer = client.post("/api/jobs/solve", content=body)
        assert answer.status_code in (400, 422), body
        assert "\n" not in answer.json()["error"]


def test_a_damaged_upload_is_refused_and_leaves_nothing(client: httpx.Client, site: Site) -> None:
    whole = (site.folder / "turn.pks").read_bytes()
    before = sorted(site.folder.iterdir())
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    for data in (b"", b"garbage", whole[:-1], whole[:100], bytes(damaged)):
        answer = client.post("/api/library/upload", params={"name": "x.pks"}, content=data)
        assert answer.status_code == 400
        assert "x.pks" in answer.json()["error"]
    assert sorted(site.folder.iterdir()) == before
    good = client.post("/api/library/upload", params={"name": "../../x.pks"}, content=whole).json()
    assert good["id"] == "x"
    assert client.delete("/api/library/x").status_code == 204


def test_a_thousand_requests_at_once_are_all_answered(site: Site) -> None:
    async def all_of_them() -> list[int]:
        limits = httpx.Limits(max_connections=1000)
        async with httpx.AsyncClient(base_url=site.address, limits=limits, timeout=120) as web:
            paths = ["/api/settings", "/api/library", "/static/js/api.js", "/api/jobs"]
            asked = [web.get(paths[n % 4]) for n in range(1000)]
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    assert asyncio.run(all_of_them()) == [200] * 1000


def test_beyond_this_machine_a_token_is_wanted(library_folder) -> None:
    app = create_app(ServerSettings(library_folder, host="0.0.0.0", port=8765, token="secret"))

    async def ask(path: str, **headers: str) -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8765") as web:
            return await web.get(path, headers=headers)

    elsewhere = {"host": "desk.local:8765", "authorization": "Bearer secret"}
    assert asyncio.run(ask("/api/library", **elsewhere)).status_code == 200
    refused = asyncio.run(ask("/api/library"))
    assert refused.status_code == 401
    assert "token" in refused.json()["error"]
    assert asyncio.run(ask("/api/library", authorization="Bearer wrong")).status_code == 401
    assert asyncio.run(ask("/api/library", authorization="Bearer secret")).status_code == 200
    first = asyncio.run(ask("/?token=secret"))
    assert first.status_code == 200
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    given = cookie.split(";")[0]
    assert asyncio.run(ask("/api/library", cookie=given)).status_code == 200


def test_a_port_in_use_is_one_line(tmp_path) -> None:
    from poker_solver.cli.app import run

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert run(["web", "--no-open", "--port", port, "--library", str(tmp_path)]) == 2


def test_the_address_that_is_printed_can_be_opened() -> None:
    assert address_of("127.0.0.1", 8765, "/", None) == "http://127.0.0.1:8765/"
    assert (
        address_of("::1", 80, "/study/x?line=b33%25", "t")
        == "http://[::1]:80/study/x?line=b33%25&token=t"
    )
    assert address_of("0.0.0.0", 80, "/", "t") == f"http://{socket.gethostname()}:80/?token=t"
