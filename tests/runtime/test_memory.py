"""What is free: the machine's memory, and what a container's limits leave of it."""

import pytest

from poker_solver.runtime import memory


def group(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".", 1)).write_text(text)


@pytest.mark.parametrize("path", ["/box/inner", "/named/elsewhere"])
def test_the_tightest_limit_of_a_container_counts(tmp_path, path):
    own, root = tmp_path / "own", tmp_path / "groups"
    own.write_text(f"0::{path}\n")
    stat = "anon 5\ninactive_file 100\n"
    group(root, memory_max="5000", memory_current="1000", memory_stat=stat)
    group(root / "box", memory_max="3000", memory_current="1000", memory_stat=stat)
    group(root / "box/inner", memory_max="max", memory_current="900", memory_stat=stat)
    assert memory.left_in_group(own, root) == (2100 if path == "/box/inner" else 4100)


def test_groups_of_the_older_kind(tmp_path):
    own, root = tmp_path / "own", tmp_path / "groups"
    own.write_text("5:devices:/x\n4:cpu,memory:/box\n0::/box\n")
    group(
        root / "memory/box",
        memory_limit_in_bytes="2000",
        memory_usage_in_bytes="2500",
        memory_stat="total_inactive_file 100\n",
    )
    assert memory.left_in_group(own, root) == 0


def test_no_limit_is_none(tmp_path):
    own = tmp_path / "own"
    assert memory.left_in_group(own, tmp_path) is None
    own.write_text("4:memory:/\n0::/\n")
    group(tmp_path / "memory", memory_limit_in_bytes=str(2**63 - 4096))
    group(tmp_path, memory_max="max", memory_current="1", memory_stat="inactive_file 1\n")
    assert memory.left_in_group(own, tmp_path) is None


def test_what_is_free_is_the_less_of_machine_and_container(monkeypatch):
    whole = memory.available_bytes("cpu")
    assert whole is not None
    monkeypatch.setattr(memory, "left_in_group", lambda: 1000)
    assert memory.available_bytes("cpu") == 1000
    monkeypatch.setattr(memory, "left_in_group", lambda: 10**18)
    rest = memory.available_bytes("cpu")
    assert rest is not None
    assert rest < 10**18
