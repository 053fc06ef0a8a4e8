"""Every exception a user can meet; each message says what was found and what was wanted."""


class PokerSolverError(Exception):
    """Base of all errors this package raises on purpose."""


class InputError(PokerSolverError, ValueError):
    """What was given is wrong; the command line exits with 2."""


class GameError(InputError):
    """A game breaks a rule the solvers rely on; the message names the state."""


class ConfigError(InputError):
    """A config file or preset is wrong; the message lists every problem with its place.

    `problems` has them one by one, each a place and what is wrong there, where they are known so.
    """

    def __init__(self, message: str, problems: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class LineError(InputError):
    """A line of play cannot be read, or cannot be played; the message names the token."""


class ScheduleError(InputError):
    """A schedule is unknown or its parameters cannot converge."""


class StrategyError(InputError):
    """A strategy does not fit the game it is used with."""


class NotFoundError(InputError, LookupError):
    """A stored strategy has nothing for what it was asked; the message says what it has."""


class DeviceError(PokerSolverError, ValueError):
    """A device is not on this machine; the command line exits with 1."""


class DeviceNameError(DeviceError, InputError):
    """No device has such a name; the command line exits with 2."""


class MissingPackageError(PokerSolverError):
    """An optional package is needed and not installed; the message says how to install it."""


class FormatError(PokerSolverError):
    """A file is not ours, not whole, of another version or of another game."""


class MemoryPlanError(PokerSolverError):
    """What was asked for does not fit into memory; the message gives the numbers."""


class NumericsError(PokerSolverError):
    """A result came out as what it cannot be; nothing that was computed with it is handed over."""


class SpotError(PokerSolverError):
    """One spot of many could not be solved; the message names it, and the others go on."""
