"""What the matrix of a node can show."""

from enum import StrEnum


class MatrixLook(StrEnum):
    """Strategy by colour and letter, or a number per class."""

    STRATEGY = "strategy"
    EV = "ev"
    EQUITY = "equity"


LOOKS = {look.value: look for look in MatrixLook}
"""By what is typed."""
