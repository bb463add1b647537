"""Files of players that other programs wrote, as pairing's form of entries takes them: TRF, by the reader of standings."""

import re

from services.pairing.entries.entry_columns import COLUMNS
from services.pairing.entries.entry_file import UnreadFile
from services.standings.files.trf.model.errors import TrfError
from services.standings.files.trf.model.model import TrfPlayer
from services.standings.files.trf.model.personal import birth_year, fide_id, sex_said
from services.standings.files.trf.reader import read
from services.standings.files.trf.to_events import title
from shared.core.language.charset import Encoding
from shared.core.language.messages import message_of

_TRF = re.compile(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:001|012) ")


def players_of_file(content: bytes, name: str, told: Encoding | None = None) -> list[list[str]] | None:
    """The players of a TRF file as a sheet with a header; None for a file that is none. ``told``: its encoding. Raises
    `UnreadFile`."""
    if not _TRF.search(content.replace(b"\x00", b"")):  # so that UTF-16 is known too
        return None
    try:
        players = read(content, name, told).players
    except TrfError as problem:
        raise UnreadFile(message_of(problem)) from problem
    rows = [_cells(player) for player in sorted(players, key=lambda p: p.id)]
    names = [column.name for column in COLUMNS]
    return [names, *([row[name] for name in names] for row in rows)]


def _cells(player: TrfPlayer) -> dict[str, str]:
    said = {
        "id": player.id,
        "name": player.name,
        "title": title(player),
        "rating": player.rating,
        "club": None,
        "federation": player.federation,
        "sex": sex_said(player),
        "birth_year": birth_year(player),
        "fide_id": fide_id(player),
    }
    return {name: "" if value is None else str(value) for name, value in said.items()}
