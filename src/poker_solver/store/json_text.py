"""JSON that every reader takes: no NaN and no infinity, which the format does not have."""

import json

from poker_solver.errors import NumericsError


def json_text(found: object) -> str:
    """Plain values as one line."""
    try:
        return json.dumps(found, allow_nan=False)
    except ValueError as error:
        raise NumericsError("a number of the result is not finite") from error
