"""Tests marked `gpu` run where there is a CUDA device and are skipped elsewhere."""

import pytest


def pytest_collection_modifyitems(items):
    if not any("gpu" in item.keywords for item in items):
        return
    import torch

    if torch.cuda.is_available():
        return
    for item in items:
        if "gpu" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="no CUDA device"))
