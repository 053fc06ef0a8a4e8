"""The library over the network: names, tags, uploads that are checked, ids that try to be paths."""

from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest


def test_solves_are_listed_with_what_a_list_shows(client: httpx.Client) -> None:
    entries = {one["id"]: one for one in client.get("/api/library").json()}
    turn = entries["turn"]
    assert (turn["board"], turn["kind"], turn["stack"]) == ("Td9d6hQc", "spot", "400 chips")
    assert 0 < turn["exploitability_pct"] <= 0.5
    assert turn["iterations"] > 0
    assert turn["num_bytes"] > 1_000
    assert entries["game:hu_20"]["is_shipped"]


def test_names_and_tags_are_kept_and_tidied(client: httpx.Client) -> None:
    def call(id: str, **names: object) -> httpx.Response:
        return client.patch(f"/api/library/{id}", json=names)

    found = call("turn", name="  Big pot ", tags=["srp", " turn ", "", "srp"]).json()
    assert (found["name"], found["tags"]) == ("Big pot", ["srp", "turn"])
    assert call("turn", tags=[]).json()["name"] == "Big pot"
    assert client.get("/api/library/turn").json()["tags"] == []
    assert call("turn", name="x" * 101).status_code == 422
    assert call("turn", colour="red").status_code == 422
    assert call("game:hu_20", name="mine").status_code == 400
    assert call("nope", name="x").status_code == 404


def test_a_solve_goes_out_and_comes_in_again(client: httpx.Client, library_folder: Path) -> None:
    client.patch("/api/library/turn", json={"name": "My turn: Q, four ways"})
    answer = client.get("/api/library/turn/file")
    assert "My turn Q, four ways.pks" in unquote(answer.headers["content-disposition"])
    client.patch("/api/library/turn", json={"name": ""})
    data = answer.content
    assert data == (library_folder / "turn.pks").read_bytes()
    for wanted, id in (("copy.pks", "copy"), ("copy.pks", "copy-2"), ("../../a b/é.pks", "spot")):
        entry = client.post("/api/library/upload", params={"name": wanted}, content=data).json()
        assert (entry["id"], entry["name"]) == (id, Path(wanted).stem)
        assert (library_folder / f"{id}.pks").read_bytes() == data
    for id in ("copy", "copy-2", "spot"):
        assert client.delete(f"/api/library/{id}").status_code == 204
    assert client.delete("/api/library/copy").status_code == 404


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "header", "long"])
def test_damaged_files_are_refused_in_one_line(
    client: httpx.Client, library_folder: Path, damage: str
) -> None:
    whole = bytearray((library_folder / "turn.pks").read_bytes())
    if damage == "cut":
        data = bytes(whole[: len(whole) // 2])
    elif damage == "flipped":
        whole[-100] ^= 0xFF
        data = bytes(whole)
    elif damage == "header":
        whole[20:60] = b"x" * 40
        data = bytes(whole)
    elif damage == "long":
        data = b"\xff" * 8 + bytes(whole)
    else:
        data = {"empty": b"", "text": b"board: AsKsQs\n"}[damage]
    before = sorted(library_folder.iterdir())
    answer = client.post("/api/library/upload", params={"name": "bad.pks"}, content=data)
    assert answer.status_code == 400, answer.text
    why = answer.json()["error"]
    assert why
    assert "\n" not in why
    assert str(library_folder) not in why
    assert sorted(library_folder.iterdir()) == before


@pytest.mark.parametrize(
    "id",
    ["..%2fsecret", "%2e%2e%2fsecret", "..%2f", ".library", ".jobs", "%2fetc%2fpasswd",
     "game:..%2fx", "turn.pks", "turn%00", "a" * 5000, "link"],
)  # fmt: skip
def test_no_id_leads_out_of_the_folder(
    client: httpx.Client, library_folder: Path, tmp_path: Path, id: str
) -> None:
    secret = library_folder.parent / "secret.pks"
    secret.write_bytes((library_folder / "turn.pks").read_bytes())
    link = library_folder / "link.pks"
    if not link.is_symlink():
        link.symlink_to(secret)
    try:
        for path in (f"/api/library/{id}", f"/api/library/{id}/file", f"/api/solutions/{id}/node"):
            assert client.get(path).status_code in (404, 422), path
        assert client.delete(f"/api/library/{id}").status_code in (404, 405, 422)
        assert secret.exists()
    finally:
        link.unlink()


def test_a_save_that_cannot_be_read_is_listed_with_the_reason(
    client: httpx.Client, library_folder: Path
) -> None:
    (library_folder / "torn.pks").write_bytes(b"PK" * 20)
    entry = client.get("/api/library/torn").json()
    assert entry["problem"]
    assert client.get("/api/library").status_code == 200
    assert client.delete("/api/library/torn").status_code == 204
