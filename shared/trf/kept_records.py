"""Records of a report file that no event says: kept with the tournament that it was imported into, and written again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import TournamentState
from shared.trf.comparison import points_made
from shared.trf.event_records import parts_of
from shared.trf.export_lines import COMMENT
from shared.trf.merged_file import SAME, as_spelled, like
from shared.trf.model.abnormal import RECORD
from shared.trf.model.model import BYE_LETTERS, GAME_LETTERS, Record, TrfFile, TrfPlayer
from shared.trf.model.points import points_text
from shared.trf.model.reader_state import ReaderState
from shared.trf.reader import read, rounds_of
from shared.trf.records import settings
from shared.trf.team_totals import OF_TEAMS, recounted
from shared.trf.teams.teams import CHECKS
from shared.trf.writer import player_line, write

KEPT = "kept"
"""What a place in the kept records is told as."""
PLAYER = "001"
UNRATED = tuple(letter for letter, of in GAME_LETTERS.items() if of.played and not of.rated)
OLDER = tuple(letter for letter, kind in BYE_LETTERS.items() if letter != kind)
_NUMBERED = ("XXA", "XXZ", "240", "250", "299", "300")
"""Records that name players by their starting numbers, of which the log says nothing."""


class Kept(NamedTuple):
    """A record in its order: its ``code``, how many players' lines stood before it, and its line; None: blank, or erased."""

    code: str
    after: int
    line: str | None


def to_keep(trf: TrfFile) -> list[Kept]:
    """The records of a file, but for its players, as they are sent to be kept."""
    kept, players = [], 0
    records = trf.records if trf.records[-1].text.strip() else trf.records[:-1]
    for record in records:
        if record.player:
            players += 1
            spelled = _rounds_of(trf.numbered[record.player])
            kept += [Kept(PLAYER, players, spelled)] if spelled else []
        else:
            kept.append(Kept(code_of(record.text), players, record.text.rstrip()))
    return kept


def _rounds_of(player: TrfPlayer) -> str:
    """A player's number and rounds, and nothing else of him, where the log has no word for how they are written: games that
    are not rated, a forfeit without colours, the older letters of byes. Else empty."""
    entries = [e for e in player.rounds if e is not None]
    apart = any(
        e.letter in UNRATED or (e.side is None and e.letter) if e.opponent else e.letter in OLDER for e in entries
    )
    return player_line(TrfPlayer(player.id, "", rounds=player.rounds)) if apart else ""


def code_of(line: str) -> str:
    """The three letters that a record begins with; empty for a blank line."""
    return line[:3].strip()


def kept_of(t: TournamentState, texts: Mapping[str, str]) -> list[Kept]:
    """What a tournament keeps; ``texts`` by hash."""
    rows = (row for event in t.report_files for row in event.records)
    return [Kept(row.code, row.after, None if row.line is None else texts.get(row.line.text)) for row in rows]


def kept_hashes(t: TournamentState) -> set[str]:
    """The hashes of the texts that the records are."""
    return {row.line.text for event in t.report_files for row in event.records if row.line is not None}


def with_kept(exported: TrfFile, kept: Sequence[Kept], points: Points, *, renumbered: bool = False) -> TrfFile:
    """The export with the records that are kept, where they stood: each as it was written, as long as the log says nothing
    else.

    ``points``: those of the regulations. Where players have other starting numbers since (``renumbered``), records that name
    them stand as comments. Raises `TrfError` where a record cannot be read.
    """
    if not kept:
        return exported
    source = _source(exported, kept)
    records = [*_Lines(exported, source, renumbered).of([one for one in kept if one.code != PLAYER])]
    players = exported.players if renumbered else _as_spelled(exported, kept)
    file = replace(exported, players=players, records=tuple(_numbered(records)))
    if exported.settings.teams:
        return recounted(exported, file, points)
    return with_points_given(file, points) if any(one.code == RECORD for one in kept) else file


def _as_spelled(exported: TrfFile, kept: Sequence[Kept]) -> tuple[TrfPlayer, ...]:
    """The players, each round as it was written where that means the same."""
    said = rounds_of(((n, one.line) for n, one in enumerate(kept, 1) if one.code == PLAYER and one.line), KEPT)
    return tuple(
        structs.replace(p, rounds=tuple(as_spelled(e, said[p.id].entry(n)) for n, e in enumerate(p.rounds, 1)))
        if p.id in said
        else p
        for p in exported.players
    )


def _numbered(records: Sequence[Record]) -> Iterator[Record]:
    return (Record(n, r.text, r.player, r.read) for n, r in enumerate(records, 1))


def _source(exported: TrfFile, kept: Sequence[Kept]) -> TrfFile:
    """The kept records as a file: with the players that there are now, and the teams where there are any."""
    teams = [r for r in exported.records if r.text[:3] in ("013", "310")]
    hidden = (PLAYER, *OF_TEAMS) if exported.settings.teams else (PLAYER,)
    rows = [Record(n, "" if one.code in hidden else one.line or "") for n, one in enumerate(kept, 1)]
    read = settings([*rows, *teams], frozenset(exported.numbered), KEPT)
    return replace(exported, records=tuple(rows), settings=read)


class _Lines:
    """The lines of an export with what is kept."""

    def __init__(self, exported: TrfFile, source: TrfFile, renumbered: bool) -> None:
        self._exported, self._source, self._renumbered = exported, source, renumbered
        self._players = [r for r in exported.records if r.player]
        self._own: dict[str, list[Record]] = {}
        for record in exported.records[:-1]:
            if not record.player:
                self._own.setdefault(record.text[:3], []).append(record)
        self._written: set[str] = set()
        self._events: set[str] = set()

    def of(self, kept: Sequence[Kept]) -> Iterator[Record]:
        """All of them, the last one empty."""
        players = 0
        for one in kept:
            yield from self._players[players : one.after]
            players = max(players, one.after)
            yield from self._record(one)
        yield from self._players[players:]
        said = {one.line for one in kept}
        for code, records in self._own.items():
            if code in (COMMENT, RECORD):
                yield from (r for r in records if r.text not in said and parts_of(r.text)[0] not in self._events)
            elif code not in self._written:
                yield from records
        yield self._exported.records[-1]

    def _event(self, name: str) -> Iterator[Record]:
        """Yield the records of the event as it is now, at the place of the stated ones."""
        if name not in self._events:
            self._events.add(name)
            yield from (r for r in self._own.get(COMMENT, ()) if parts_of(r.text)[0] == name)

    def _record(self, one: Kept) -> Iterator[Record]:
        name, _ = parts_of(one.line or "")
        if name:
            yield from self._event(name)
        elif one.line is None and not one.code:
            yield Record(0, "")
        elif one.line is None or not self._holds(one.code):
            yield from self._instead(one.code)
        else:
            self._written |= {one.code} if one.code in OF_TEAMS else like(one.code)
            comment = self._renumbered and one.code in _NUMBERED
            yield Record(0, f"{COMMENT} of other starting numbers: {one.line}" if comment else one.line)

    def _instead(self, code: str) -> Iterator[Record]:
        """The tournament's own records of that kind, once."""
        if not self._written & like(code):
            yield from (r for same in sorted(like(code)) for r in self._own.get(same, ()))
        self._written |= like(code)

    def _holds(self, code: str) -> bool:
        """Whether what a record said is what the log says, or what it says nothing of. A team's are looked at afterwards."""
        exported, source = self._exported.settings, self._source.settings
        match code:
            case "082":
                return len(exported.teams) == len(source.teams)
            case "202" | "212":
                return [c.upper() for c in exported.tiebreaks] in ([], [c.upper() for c in source.tiebreaks])
            case "352":
                return exported.boards in (0, source.boards)
            case "362":
                return self._match_points() in ({}, dict(source.match_points))
            case "320" if exported.allocated is not None:
                here = exported.allocated.teams
                there = () if source.allocated is None else source.allocated.teams
                return all(n < len(there) and team == there[n] for n, team in enumerate(here) if team)
            case "250" | "XXA" if self._renumbered and exported.accelerated:
                return False
            case "240" if not exported.teams:
                return set(source.byes) <= self._byes()
            case "240" | "013" | "310" | "801" | "802":
                return True
            case _:
                return code not in SAME or SAME[code](self._exported, self._source)

    def _match_points(self) -> dict[str, int]:
        state = ReaderState(self._exported.file, frozenset(), frozenset())
        for record in self._own.get("362", ()):
            CHECKS["362"](state, record)
        return state.match_points

    def _byes(self) -> set[tuple[int, int, str]]:
        entries = ((p.id, n, e) for p in self._exported.players for n, e in enumerate(p.rounds, 1))
        return {(id, n, BYE_LETTERS[e.letter]) for id, n, e in entries if e is not None and not e.opponent}


def with_points_given(file: TrfFile, points: Points) -> TrfFile:
    """The file with the points that its results and records give, and ranks by them, of equal points as they stood.

    Raises `TrfError` where a record cannot be read.
    """
    counted = read(write(file), file.file)
    made = points_made(counted, points, counted.rounds_recorded)
    said = {p.id: points_text(made[p.id]) for p in file.players}
    if all(p.points == said[p.id] for p in file.players):
        return file
    places = {p.id: (-made[p.id], int(p.rank or 0)) for p in file.players}
    ordered = sorted(places.values())
    players = (structs.replace(p, points=said[p.id], rank=str(ordered.index(places[p.id]) + 1)) for p in file.players)
    return replace(file, players=tuple(players))
