"""Hosts with addresses of their own: one's cable is pulled out, one is switched off; same bits."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pyarrow.parquet as pq
import pytest

import poker_solver as ps
from poker_solver.config.unified import UnifiedConfig
from poker_solver.fullgame.solution import UnifiedSolution
from tests.support.hosts import Host, hosts, why_not

PORT = 6379
SIZE = ["--num-cpus=1", "--memory=2000000000", "--object-store-memory=100000000"]
SOON_LOST = {"health_check_period_ms": 500, "health_check_timeout_ms": 1000}
SETTINGS = {
    "RAY_AUTH_MODE": "disabled",  # whatever the machine's own clusters have
    "RAY_grpc_client_keepalive_time_ms": "3000",
    "RAY_grpc_client_keepalive_timeout_ms": "3000",
}
FLOPS = ("KhQh2h", "Ts9s3d", "7h7d2c", "AsKd4h", "6c5c4c", "Js8d3h", "QsJh5h", "AhKh9c")
SPOT = """
pot: 100
stack: 150
oop: {range: "77+,A9s+,KJs+", flop: {bet: "60%"}, turn: {bet: "60%"}, river: {}}
ip: {range: "77+,A9s+,KJs+", flop: {bet: "60%"}, turn: {bet: "60%"}, river: {}}
"""
GAME = {"stack": 5, "flops": {"KsQs2h": 8000, "9c8d3h": 6000, "KsJs7h": 3100}}
NOT_COMPARED = {"seconds", "device", "table_bytes", "threads"}
THIS = ("-m", "poker_solver")
RAY = ("-m", "ray.scripts.scripts", "start", "--disable-usage-stats", *SIZE)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(why_not() is not None, reason=str(why_not())),
]


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Three hosts, a node of a cluster on each; the folder is seen on the first alone."""
    folder = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch, hosts(3, folder) as found:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        first, *others = found
        looks = ("--include-dashboard=false", f"--system-config={json.dumps(SOON_LOST)}")
        address = f"--node-ip-address={first.address}"
        first.run(sys.executable, *RAY, "--head", f"--port={PORT}", address, *looks)
        joining = f"--address={first.address}:{PORT}"
        with ThreadPoolExecutor() as both:
            list(both.map(lambda host: host.run(sys.executable, *RAY, joining), others))
        yield found, folder


def begin(host: Host, *words: str) -> "subprocess.Popen[str]":
    """A command of the solver on a host."""
    command = host.command(sys.executable, *THIS, *words, "--json", "--quiet")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(command: "subprocess.Popen[str]") -> object:
    """What it prints, which is one JSON object and nothing else."""
    said, problems = command.communicate(timeout=120)
    assert (command.returncode, problems) == (0, "")
    return json.loads(said)


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in NOT_COMPARED}
    return [without_times(one) for one in value] if isinstance(value, list | tuple) else value


def test_a_batch_loses_a_host_whose_cable_is_pulled_out(three, tmp_path):
    (first, _, third), folder = three
    (spot := folder / "spot.yaml").write_text(SPOT)
    how = ("batch", str(spot), "--flops", ",".join(FLOPS), "-i", "30", "--out")
    shared, alone = folder / "shared", tmp_path / "alone"
    command = begin(first, *how, str(shared), "--cluster", "auto")
    while not list(shared.glob("*.pks")):
        assert command.poll() is None, command.communicate()
        time.sleep(0.05)
    third.unplug()
    ended(command)
    subprocess.run([sys.executable, *THIS, *how, str(alone), "--json", "--quiet"], check=True)
    wanted, found = (
        without_times(pq.read_table(path / "flops.parquet").to_pylist()) for path in (alone, shared)
    )
    assert found == wanted
    for flop in FLOPS:
        got, want = (ps.Solution.load(path / f"{flop}.pks") for path in (shared, alone))
        for name, array in want.strategy.arrays().items():
            assert got.strategy.arrays()[name].tobytes() == array.tobytes()


def is_at_work(host: Host) -> bool:
    """Whether an actor is there that has been asked for something."""
    return "ray::_Host." in host.run("ps", "ax")


def test_a_full_game_loses_a_host_that_is_switched_off(three, tmp_path):
    (first, second, _), folder = three
    config = UnifiedConfig.load("hu_tiny").to_mapping()
    (game := folder / "game.yaml").write_text(json.dumps({**config, **GAME}))
    how = ("unified", str(game), "-i", "12", "--save")
    shared, alone = folder / "shared.pks", tmp_path / "alone.pks"
    command = begin(first, *how, str(shared), "--cluster", f"{first.address}:{PORT}")
    while not is_at_work(second):
        assert command.poll() is None, command.communicate()
        time.sleep(0.05)
    time.sleep(1)
    second.switch_off()
    ended(command)
    subprocess.run([sys.executable, *THIS, *how, str(alone), "--json", "--quiet"], check=True)
    got, want = UnifiedSolution.load(shared), UnifiedSolution.load(alone)
    assert without_times(got.header()) == without_times(want.header())
    for name, array in want.arrays().items():
        assert got.arrays()[name].tobytes() == array.tobytes()
