"""What a user has chosen, and what there is to choose from."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel, ConfigDict

from poker_solver.query.palette import PALETTES, choose_palette, chosen_palette
from poker_solver.runtime.device import num_threads
from poker_solver.version import VERSION
from poker_solver.web.parts import Parts, parts

router = APIRouter(prefix="/api/settings", tags=["settings"])


class PaletteRecord(BaseModel):
    """Colours of actions."""

    name: str
    what: str
    fold: str
    call: str
    raises: tuple[str, str]
    all_in: str


class SettingsRecord(BaseModel):
    """What the page needs to know before it draws anything."""

    version: str
    threads: int
    folder: str
    palette: str
    palettes: list[PaletteRecord]


class PaletteChoice(BaseModel):
    """A palette by its name."""

    model_config = ConfigDict(extra="forbid")

    palette: str


@router.get("")
def settings(own: Annotated[Parts, Depends(parts)]) -> SettingsRecord:
    """Version, cores, library, colours."""
    records = [
        PaletteRecord(
            name=one.name, what=one.what, fold=one.fold, call=one.call, raises=one.raises,
            all_in=one.all_in,
        )
        for one in PALETTES.values()
    ]  # fmt: skip
    return SettingsRecord(
        version=VERSION,
        threads=num_threads(None),
        folder=str(own.settings.folder),
        palette=chosen_palette().name,
        palettes=records,
    )


@router.put("")
def choose(choice: PaletteChoice, own: Annotated[Parts, Depends(parts)]) -> SettingsRecord:
    """Choose the colours, for the terminal too."""
    choose_palette(choice.palette)
    return settings(own)
