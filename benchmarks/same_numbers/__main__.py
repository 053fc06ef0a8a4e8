"""`python -m benchmarks.same_numbers [--quick] [--device cuda] [CASE ...]`.

Checks the base commit out beside this tree, runs the same iterations with both in processes of
their own, and compares what they keep. On the CPU every bit must agree. On a GPU a difference is
held against a budget: a pass is within 6e-7 of float64 (float32 sums over hands), relative to the
largest number of an array, and each of twenty iterations can pass its error on to the next.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
BASE = "fa46bc9"
QUICK = ("river_example", "river_full", "turn_example", "preflop", "generic")
CASES = (*QUICK, "flop_example", "3betpot_fast", "k72r_srp")
GPU_BUDGET = 20 * 6e-7


def base_tree(folder: Path) -> Path:
    """The base commit, checked out; kept from one call to the next."""
    if not (folder / "src").exists():
        command = ["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)]
        subprocess.run(command, check=True)
        subprocess.run(["git", "checkout", "--quiet", BASE], check=True, cwd=folder)
    return folder


def probe(tree: Path, program: Path, case: str, device: str) -> Path:
    """Run a probe with the package of a tree; the folder of its arrays."""
    folder = Path(tempfile.mkdtemp(prefix=f"{case}-"))
    paths = [str(tree / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, str(program), str(folder), device, case]
    subprocess.run(command, env=environment, check=True, cwd=tree)
    return folder


def compare(before: Path, after: Path, budget: float) -> bool:
    """Print a row for every array; whether all of them agree."""
    names = sorted({path.name for folder in (before, after) for path in folder.iterdir()})
    agree = True
    for name in names:
        if not ((before / name).exists() and (after / name).exists()):
            agree = False
            print(f"  {name:28} only in {'base' if (before / name).exists() else 'this tree'}")
            continue
        old, new = (np.load(folder / name, mmap_mode="r") for folder in (before, after))
        if old.dtype != new.dtype or old.size != new.size:
            agree, text = False, f"{old.dtype} {old.shape} and {new.dtype} {new.shape}"
        elif np.array_equal(old.ravel(), new.ravel()):
            text = f"{old.size:>13,} {old.dtype}: the same, bit for bit"
        else:
            gap = float(np.abs(old.ravel().astype(np.float64) - new.ravel()).max())
            part = gap / float(np.abs(old).max())
            agree = agree and part <= budget
            text = f"{old.size:>13,} {old.dtype}: off by {part:.1e}, {budget:g} may be"
        print(f"  {name:28} {text}")
    return agree


def main() -> int:
    """Compare the cases asked for; 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--quick", action="store_true", help="leave the flops out")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    base = base_tree(Path(tempfile.gettempdir()) / f"poker-solver-{BASE}")
    failed = []
    for case in options.cases or (QUICK if options.quick else CASES):
        print(case, flush=True)
        before = probe(base, HERE / "probe_base.py", case, options.device)
        after = probe(ROOT, HERE / "probe.py", case, options.device)
        if not compare(before, after, 0.0 if options.device == "cpu" else GPU_BUDGET):
            failed.append(case)
        shutil.rmtree(before)
        shutil.rmtree(after)
    print("the same" if not failed else f"not the same: {', '.join(failed)}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
