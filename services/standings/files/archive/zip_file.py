"""An archive made of what stands in the log: the same bytes for the same event, whoever asks."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import NamedTuple

from services.standings.files.archive import contents as c
from services.standings.files.archive.readme import readme
from shared.core.readings.appeals import instant
from shared.core.state.tournament import TournamentState
from shared.core.trust.merkle import leaf_hash, root
from shared.desk.replay import evolve_line

_FIRST_YEAR, _LAST_YEAR = 1980, 2107
"""That a zip can name."""


class Given(NamedTuple):
    """What an archive is made of. ``lines`` of the log, ``sheets`` by game (None: not at hand) with what of them ``missing``
    says is not there; ``texts`` as NDJSON (None: not for this reader); ``names`` by hash; the signed ``checkpoint`` of these
    lines and an older one that was ``cosigned`` (empty: there is none); the ``house``'s verifier keys; the ``software``.
    """

    tournament: str
    lines: Sequence[bytes]
    sheets: Mapping[str, Sequence[bytes]] | None
    missing: tuple[str, ...]
    texts: bytes | None
    names: Mapping[str, str]
    checkpoint: str
    cosigned: str
    house: str
    software: str


def archive_of(given: Given) -> bytes:
    """The archive as a zip. Raises as `evolve_line`."""
    t = TournamentState(given.tournament)
    events = [event for seq, line in enumerate(given.lines, 1) if (event := evolve_line(t, line, seq)) is not None]
    hash = root([leaf_hash(line) for line in given.lines]).hex()
    about = c.About(given.tournament, len(given.lines), hash, given.software)
    files = _evidence(given, t)
    files |= c.derived(t, c.names_among(files))
    files[c.ABOUT] = json.dumps(about.as_json(), ensure_ascii=False, indent=1).encode() + b"\n"
    files[c.README] = readme(about, [name for name in c.FILES if name == c.README or name in files]).encode()
    return _zip(files, _date(events[-1].time if events else ""))


def _evidence(given: Given, t: TournamentState) -> dict[str, bytes]:
    files = {c.LOG: b"".join(line + b"\n" for line in given.lines), c.SERVICE_KEYS: c.service_keys(t)}
    missing = list(given.missing)
    if given.sheets is not None:
        files[c.SHEETS] = b"".join(line + b"\n" for game in sorted(given.sheets) for line in given.sheets[game])
        begun = {id for id, game in t.games.items() if game.started is not None}
        missing += [f"{c.SHEETS}: the score sheet of {game}" for game in sorted(begun - given.sheets.keys())]
    if given.texts is None:
        files[c.NAMES] = json.dumps(dict(sorted(given.names.items())), ensure_ascii=False, indent=1).encode() + b"\n"
        missing.append(f"{c.TEXTS}: what people wrote is given to officials and auditors alone")
    else:
        files[c.TEXTS] = given.texts
    if given.checkpoint:
        files[c.CHECKPOINT] = given.checkpoint.encode()
    if given.cosigned:
        files[c.COSIGNED] = given.cosigned.encode()
    files[c.HOUSE_KEYS] = given.house.encode()
    if missing:
        files[c.MISSING] = "".join(f"{one}\n" for one in missing).encode()
    return {name: content for name, content in files.items() if content or name in (c.SHEETS, c.TEXTS)}


def _date(time: str) -> tuple[int, int, int, int, int, int]:
    """The date of the files: that of the last line, in UTC."""
    at = (instant(time) or datetime(_FIRST_YEAR, 1, 1, tzinfo=UTC)).astimezone(UTC)
    if not _FIRST_YEAR <= at.year <= _LAST_YEAR:
        return (_FIRST_YEAR, 1, 1, 0, 0, 0)
    return (at.year, at.month, at.day, at.hour, at.minute, at.second)


def _zip(files: Mapping[str, bytes], date: tuple[int, int, int, int, int, int]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in (name for name in c.FILES if name in files):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name], compresslevel=6)
    return out.getvalue()
