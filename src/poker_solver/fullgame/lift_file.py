"""A lift under way in a file: what was lifted so far, written after every lot of flops."""

import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poker_solver.cards.flops import FlopSet
from poker_solver.errors import FormatError
from poker_solver.fullgame.lift import Lifted
from poker_solver.store.files import read_file, write_file

KIND = "unified lift"


class LiftFile:
    """Sums over the flops that are done; a file of another strategy or other flops is refused.

    Lots are added in their order, so that a lift that was stopped ends with the same bits. `how`
    names the way of lifting.
    """

    def __init__(
        self, path: str | Path, sums: NDArray[np.float64], flops: FlopSet, how: str
    ) -> None:
        self.path, self.seconds = Path(path), 0.0
        text = repr((flops.flops, flops.weights, how)).encode()
        name = hashlib.sha256(text + sums.tobytes()).hexdigest()
        self._header = {"lift": name, "num_flops": len(flops)}

    def load(self) -> tuple[int, Lifted | None]:
        """How many flops are done, and what they came to; none where there is no file."""
        if not self.path.exists():
            return 0, None
        header, arrays = read_file(self.path, KIND)
        if header.get("lift") != self._header["lift"]:
            raise FormatError(
                f"{self.path} is of another strategy, other flops or another target; remove it, or "
                "give another name"
            )
        self.seconds = float(header["seconds"])
        return int(header["done"]), Lifted(*(arrays[name] for name in Lifted._fields))

    def write(self, done: int, lifted: Lifted, seconds: float) -> None:
        """Keep what the flops up to here came to."""
        self.seconds = seconds
        header = {**self._header, "done": done, "seconds": seconds}
        write_file(self.path, KIND, header, lifted._asdict())
