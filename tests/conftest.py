"""What holds for all tests: no deadlines, and `gpu` only where there is a CUDA device."""

import os
import signal
import tempfile

import pytest
from hypothesis import settings

# How long an example takes is not a fact about the code: the machine may be busy.
settings.register_profile("project", deadline=None)
settings.load_profile("project")

# A run started in the background is told to ignore Ctrl-C, and the programs it tests inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What somebody has chosen for himself, such as colours, is no part of a test.
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="poker-solver-settings-")


def pytest_collection_modifyitems(items):
    on_gpu = [item for item in items if item.get_closest_marker("gpu")]
    if not on_gpu:
        return
    import torch

    if torch.cuda.is_available():
        return
    for item in on_gpu:
        item.add_marker(pytest.mark.skip(reason="no CUDA device"))
