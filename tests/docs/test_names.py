"""Names that pages list are the names that are printed."""

from pathlib import Path

import pytest

from poker_solver.query.flops.textures import TAGS
from poker_solver.query.made_hands import DRAWS, MADE

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", [*MADE, *DRAWS])
def test_every_kind_of_hand_is_explained(name):
    assert f"`{name}`" in (DOCS / "words.md").read_text()


@pytest.mark.parametrize("tag", TAGS[13:])
def test_every_kind_of_flop_is_explained(tag):
    assert f"`{tag}`" in (DOCS / "batches.md").read_text()


def test_the_whole_flop_of_the_page_is_the_example():
    example = (DOCS.parent / "examples" / "btn_v_bb.yaml").read_text()
    assert example in (DOCS / "spots.md").read_text()
