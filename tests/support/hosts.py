"""Hosts of their own on one machine: Linux namespaces with addresses, names and folders of theirs.

The first has a bridge that the others are plugged into; nothing leads out of it. What they share is
the processor, the memory and the code; `/tmp/ray` and `/dev/shm` are each one's own, and a folder
that is given is empty on all but the first. A host that is switched off takes all its processes.
"""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which

KINDS = ("--net", "--mount", "--uts", "--pid")
TOOLS = ("ip", "unshare", "nsenter", "mount", "hostname")
BRIDGE = "bridge0"


def why_not() -> str | None:
    """Why no hosts can be made here, if so."""
    if missing := [tool for tool in TOOLS if which(tool) is None]:
        return f"needs {', '.join(missing)} (Debian: iproute2, util-linux)"
    if os.geteuid() != 0:
        return "needs root, to make network namespaces"
    command = "ip link add v0 type veth peer name v1 && mount -t tmpfs none /mnt"
    tried = subprocess.run(
        ["unshare", *KINDS, "--fork", "sh", "-c", command], capture_output=True, text=True
    )
    return f"no namespaces here: {tried.stderr.strip()}" if tried.returncode else None


@dataclass(frozen=True)
class Host:
    """A host that runs; `pid` is its first process."""

    name: str
    address: str
    pid: int
    _unshare: subprocess.Popen[bytes]

    def command(self, *words: str) -> list[str]:
        """A command as it is run there."""
        flags = [*KINDS, f"--wd={Path.cwd()}"]
        return ["nsenter", "-t", str(self.pid), *flags, "--", *words]

    def run(self, *words: str) -> str:
        """What a command prints there; raises with all it says if it fails."""
        done = subprocess.run(self.command(*words), capture_output=True, text=True)
        if done.returncode:
            said = f"{done.stdout}{done.stderr}"
            raise RuntimeError(f"{self.name}: {' '.join(words)}: {said}")
        return done.stdout

    def unplug(self) -> None:
        """Pull the cable out."""
        self.run("ip", "link", "set", "eth0", "down")

    def switch_off(self) -> None:
        """End all that runs there at once."""
        self._unshare.kill()
        self._unshare.wait()


def _boot(number: int, own: Sequence[Path]) -> Host:
    """A host without a cable; `own` are folders that are empty there."""
    Path("/tmp/ray").mkdir(exist_ok=True)
    mounts = [f"mount -t tmpfs none {path}" for path in ("/tmp/ray", "/dev/shm", *own)]
    name = f"host{number}"
    script = [f"hostname {name}", "ip link set lo up", *mounts, "exec sleep infinity"]
    flags = [*KINDS, "--mount-proc", "--fork", "--kill-child"]
    unshare = subprocess.Popen(["unshare", *flags, "sh", "-c", " && ".join(script)])
    children = Path(f"/proc/{unshare.pid}/task/{unshare.pid}/children")
    while not (found := children.read_text().split()):
        time.sleep(0.01)
    command = Path(f"/proc/{found[0]}/comm")
    while command.read_text().strip() != "sleep":
        assert unshare.poll() is None
        time.sleep(0.01)
    return Host(name, f"10.77.0.{number}", int(found[0]), unshare)


def _plug_in(first: Host, host: Host) -> None:
    """A cable from a host to the bridge in the first, which has the other hosts' addresses."""
    port = f"port-{host.name}"
    peer = ("peer", "name", "eth0", "netns", str(host.pid))
    first_net = ("nsenter", "-t", str(first.pid), "--net")
    link = [*first_net, "ip", "link", "add", port, "type", "veth", *peer]
    subprocess.run(link, check=True)
    first.run("ip", "link", "set", port, "master", BRIDGE, "up")
    _address(host, "eth0")


def _address(host: Host, device: str) -> None:
    host.run("ip", "address", "add", f"{host.address}/24", "dev", device)
    host.run("ip", "link", "set", device, "up")
    host.run("ip", "route", "add", "default", "dev", device)


@contextmanager
def hosts(number: int, folder: Path) -> Iterator[list[Host]]:
    """So many hosts, plugged in; what is in a folder is seen on the first alone."""
    running = list[Host]()
    try:
        for n in range(1, number + 1):
            running.append(_boot(n, [folder] if n > 1 else []))
        first, *others = running
        first.run("ip", "link", "add", BRIDGE, "type", "bridge")
        _address(first, BRIDGE)
        for host in others:
            _plug_in(first, host)
        yield running
    finally:
        for host in reversed(running):
            host.switch_off()
