"""What is reviewed is what ships: a wheel, installed elsewhere, serves the page."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]

SERVE = """
import asyncio, sys
from pathlib import Path
import httpx
import poker_solver
from poker_solver.web.app import create_app
from poker_solver.web.page import STATIC
from poker_solver.web.parts import ServerSettings

assert Path(poker_solver.__file__).is_relative_to(Path(sys.prefix)), poker_solver.__file__
app = create_app(ServerSettings(Path(sys.argv[1])))

async def ask():
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as web:
        page = await web.get("/")
        assert page.status_code == 200 and "/static/js/main.js" in page.text
        for path in STATIC.rglob("*.*"):
            name = path.relative_to(STATIC).as_posix()
            assert (await web.get(f"/static/{name}")).status_code == 200, name
            print(name)
        node = await web.get("/api/solutions/example:3bet-pot/node")
        assert node.status_code == 200, node.text

asyncio.run(ask())
"""


def test_a_wheel_installed_elsewhere_serves_the_page(tmp_path: Path) -> None:
    wheels, clean = tmp_path / "wheels", tmp_path / "clean"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = tmp_path / "source"  # a copy: building leaves files behind
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    venv.create(clean)
    wheel = next(wheels.glob("*.whl"))
    target = sysconfig.get_path("purelib", vars={"base": str(clean)})
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-compile", "--target", target, str(wheel)], check=True
    )
    # Its dependencies are those of this environment; the package itself is not taken from here.
    Path(target, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run = [str(clean / "bin" / "python"), "-c", SERVE, str(tmp_path / "library")]
    served = subprocess.run(run, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert served.returncode == 0, served.stderr
    static = ROOT / "src" / "poker_solver" / "web" / "static"
    files = {path.relative_to(static).as_posix() for path in static.rglob("*.*") if path.is_file()}
    assert {*served.stdout.split()} == files
