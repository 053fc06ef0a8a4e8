"""`upi`: the engine that UPI clients start and drive."""

import sys

from poker_solver.cli.options import Device, Threads


def upi(device: Device = "auto", threads: Threads = None) -> None:
    """Speak UPI, as PioSOLVER does, on standard input and output."""
    from poker_solver.protocols.upi.server import Server
    from poker_solver.protocols.upi.tree import Hardware

    server = Server(sys.stdin.buffer, sys.stdout, Hardware(device, threads))
    server.serve()
    if server.is_gone:
        raise BrokenPipeError
