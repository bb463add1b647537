"""The players of a report file (TRF), as the form of entries takes them."""

import re

from services.pairing.entries.entry_columns import COLUMNS
from services.pairing.entries.entry_sheet import BadSheet
from shared.core.language.charset import Encoding
from shared.core.language.messages import message_of
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfPlayer
from shared.trf.model.personal import stated
from shared.trf.reader import read

_TRF = re.compile(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:001|012) ")


def players_of_file(content: bytes, name: str, told: Encoding | None = None) -> list[list[str]] | None:
    """The players of a TRF file as a sheet with a header; None for a file that is none. ``told``: its encoding. Raises
    `BadSheet`."""
    if not _TRF.search(content.replace(b"\x00", b"")):  # so that UTF-16 is known too
        return None
    try:
        players = read(content, name, told).players
    except TrfError as problem:
        raise BadSheet(message_of(problem)) from problem
    rows = [_cells(player) for player in sorted(players, key=lambda p: p.id)]
    names = [column.name for column in COLUMNS]
    return [names, *([row.get(name, "") for name in names] for row in rows)]


def _cells(player: TrfPlayer) -> dict[str, str]:
    said = stated(player) | {"id": player.id, "name": player.name, "club": None, "federation": player.federation}
    return {name: "" if value is None else str(value) for name, value in said.items()}
