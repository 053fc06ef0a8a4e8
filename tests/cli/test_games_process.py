"""The program as a process: Ctrl-C, pipes that close, full disks, what goes to which stream."""

import json
import os
import pty
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = ["-m", "poker_solver"]
ENDLESS = ["leduc", "--iterations", "1000000000"]


class Screen:
    """A terminal of 200 columns for one stream of a process."""

    def __init__(self) -> None:
        self._reader, self.writer = pty.openpty()
        self.text = ""

    def wait_for(self, wanted: str, seconds: float = 60) -> None:
        """Read until this is shown."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            assert time.monotonic() < end, f"no {wanted!r} in {self.text!r}"
            self._read()

    def rest(self) -> str:
        """Everything, once the process has ended."""
        while self._read():
            pass
        return self.text

    def _read(self) -> bool:
        ready, _, _ = select.select([self._reader], [], [], 0.1)
        if ready:
            self.text += os.read(self._reader, 65536).decode(errors="replace")
        return bool(ready)

    def close(self) -> None:
        os.close(self._reader)
        os.close(self.writer)


@pytest.fixture
def screen():
    made = Screen()
    yield made
    made.close()


def start(arguments, command=MODULE, **streams):
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "200"}
    environment.pop("PYTHONUNBUFFERED", None)  # it would hide what is only noticed at the end
    return subprocess.Popen(
        [sys.executable, *command, *arguments], cwd=ROOT, text=True, env=environment, **streams
    )


@pytest.mark.parametrize("command", [MODULE, ["main.py"]], ids=str)
def test_ctrl_c_keeps_the_result_and_progress_is_on_standard_error(screen, tmp_path, command):
    arguments = [*ENDLESS, "--json", "--save", str(tmp_path / "l.ck")]
    process = start(arguments, command, stderr=screen.writer)
    screen.wait_for("iteration ")
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert json.loads(out)["iterations"] > 0
    assert (tmp_path / "l.ck").exists()


def test_the_summary_says_that_ctrl_c_was_pressed(screen):
    process = start(ENDLESS, stderr=screen.writer)
    screen.wait_for("iteration ")
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert "stopped by Ctrl-C" in out
    assert "Reading" not in out


def test_ctrl_c_inside_generated_code_still_ends_with_our_exit_code(tmp_path, monkeypatch):
    (tmp_path / "interrupted.py").write_text(
        "from poker_solver.cli import app, main\n"
        "app.run = lambda _: exec('raise KeyboardInterrupt')\n"
        "main()\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    process = start([], ["-m", "interrupted"])
    assert process.communicate(timeout=60) == ("", "error: stopped\n")
    assert process.returncode == 1


def test_a_terminal_as_standard_output_shows_no_progress(screen):
    process = start(["leduc", "--iterations", "200"], stdout=screen.writer)
    process.communicate(timeout=60)
    assert process.returncode == 0
    shown = screen.rest()
    assert "value to player 0" in shown
    assert "Ctrl-C stops" not in shown
    assert "Getting the kernels ready" not in shown


@pytest.mark.parametrize(
    ("arguments", "closed"),
    [("hunl --config push_fold_10", "<&-"), ("kuhn --quiet", ">&-"), ("kuhn --quiet", "2>&-")],
)
def test_a_stream_that_is_closed_is_no_error(arguments, closed):
    line = f"{shlex.join([sys.executable, *MODULE])} {arguments} {closed}"
    done = subprocess.run(line, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert ("exploitability" in done.stdout) == (closed != ">&-")


def test_quiet_shows_nothing_on_standard_error(screen):
    process = start(["leduc", "--iterations", "200", "--quiet"], stderr=screen.writer)
    out, _ = process.communicate(timeout=60)
    assert "value to player 0" in out
    assert screen.rest() == ""


def test_a_reader_that_leaves_costs_no_file(tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    arguments = ["leduc", "--iterations", "10", "--save", str(tmp_path / "x.ck")]
    process = start(arguments, stdout=writer)
    os.close(writer)
    _, err = process.communicate(timeout=60)
    assert (tmp_path / "x.ck").exists()
    assert (process.returncode, err) == (1, "")


@pytest.mark.parametrize("arguments", [["leduc", "--iterations", "10"], ["--help"]], ids=str)
def test_a_full_disk_is_one_line(arguments):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        process = start(arguments, stdout=full)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "error: No space left on device\n")


def test_ctrl_c_while_modules_are_imported_is_one_line():
    code = (
        "import os, signal, sys\n"
        "class Press:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'typer': signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Press())\n"
        "from poker_solver.cli import main\n"
        "main(['kuhn'])"
    )
    process = start([], ["-c", code])
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (1, "", "error: stopped\n")


def test_a_process_of_our_own_loads_neither_scipy_nor_coverage():
    """Numba would, for 0.2 s of every command."""
    code = (
        "import sys; from poker_solver import cli; sys.argv = ['x', 'kuhn', '--quiet', '--json']\n"
        "try: cli.program()\n"
        "except SystemExit as left: print(left.code, 'numba' in sys.modules, "
        "*map(sys.modules.get, ['scipy', 'coverage'], [1, 1]))"
    )
    done = start([], command=["-c", code])
    out, err = done.communicate(timeout=60)
    assert (out.splitlines()[-1], err) == ("0 True None None", "")
