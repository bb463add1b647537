"""The files of an archive: the evidence, and the files computed from the log."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from services.standings.files import csv_tables
from services.standings.files.csv_tables import MARK
from services.standings.files.trf.export import trf_of
from services.standings.rules.crosstable import crosstable
from services.standings.rules.table import table as of_players
from services.standings.rules.teams import table as of_teams
from services.standings.rules.teams.explanation import add_team_encounters
from shared.core.readings.particulars import particulars_in
from shared.core.state.tournament import Tournament, TournamentState
from shared.trf.writer import write
from shared.wire.regulations import regulations_to_wire

README, ABOUT, MISSING = "README.txt", "archive.json", "missing.txt"
LOG, SHEETS, TEXTS, NAMES = "log.ndjson", "sheets.ndjson", "texts.ndjson", "names.json"
CHECKPOINT, COSIGNED = "checkpoint.txt", "cosigned.txt"
HOUSE_KEYS, SERVICE_KEYS = "arbiter.vkey", "services.vkey"
EVIDENCE = (README, ABOUT, MISSING, LOG, SHEETS, TEXTS, NAMES, CHECKPOINT, COSIGNED, HOUSE_KEYS, SERVICE_KEYS)
"""The evidence, from which the other files are computed."""
DERIVED = (
    "regulations.json",
    "standings.json",
    "standings.csv",
    "crosstable.json",
    "crosstable.csv",
    "teams.json",
    "teams.csv",
    "tournament.trf",
    "tournament.trf26",
)
FILES = (*EVIDENCE, *DERIVED)
"""Every file that an archive can have, in its order."""
EDITION = 1
WITHHELD = f"{TEXTS}: what people wrote is given to officials and auditors alone"
"""The line of ``missing.txt`` in a public copy, which has names but no texts."""


class About(NamedTuple):
    """``archive.json``: the edition of this form, the ``tournament``, its lines ``seq`` and their ``root`` (hex), and the
    version of the ``software`` that made the tables."""

    tournament: str
    seq: int
    root: str
    software: str

    def as_json(self) -> dict[str, Any]:
        return {"archive": EDITION, **self._asdict()}


def derived(t: TournamentState, names: Mapping[str, str]) -> dict[str, bytes]:
    """Return the files that are computed from a log, or none before the regulations.

    ``names``: names of players and other texts of their entries, by the hashes of the texts.
    """
    if not isinstance(t, Tournament):
        return {}
    table = of_players.standings(t)
    title, said = t.regulations.title, particulars_in(names, t.players.values())
    crossed = crosstable(table, names)
    files = {
        "regulations.json": _json(regulations_to_wire(t.regulations)),
        "standings.json": _json(of_players.table_answer(table, names)),
        "standings.csv": MARK + csv_tables.as_csv(table, title, names).encode(),
        "crosstable.json": _json(crossed),
        "crosstable.csv": csv_tables.crosstable_csv(crossed),
        "tournament.trf": write(trf_of(t, names, "16", said)),
        "tournament.trf26": write(trf_of(t, names, "26", said)),
    }
    if of_teams.is_team_event(t):
        teams = of_teams.team_standings(t)
        files["teams.json"] = _json(add_team_encounters(teams, names))
        files["teams.csv"] = MARK + csv_tables.team_csv(teams, names).encode()
    return files


def service_keys(t: TournamentState) -> bytes:
    """The services' keys that a log names, a line each, former ones too; empty where its lines are not signed."""
    return "".join(f"{one.key}\n" for source in t.keys for one in t.keys[source]).encode()


def texts_of(content: bytes) -> Iterator[dict[str, str]]:
    """Yield the texts of ``texts.ndjson``: ``hash``, ``salt`` and ``text`` of each. Raises msgspec's errors for invalid lines."""
    for line in content.splitlines():
        yield msgspec.json.decode(line, type=dict[str, str])


def names_among(files: Mapping[str, bytes]) -> dict[str, str]:
    """The names that an archive's tables are made with, by hash: those among its texts, else the names alone."""
    if TEXTS in files:
        return {text["hash"]: text["text"] for text in texts_of(files[TEXTS])}
    return msgspec.json.decode(files[NAMES], type=dict[str, str]) if NAMES in files else {}


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
