"""The export of a tournament with the file that it came from: what that says and the log does not is kept."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from msgspec import structs

from shared.core.rulebook.time_notation import same_time
from shared.trf.event_records import parts_of
from shared.trf.export_lines import COMMENT
from shared.trf.model.abnormal import RECORD
from shared.trf.model.acceleration import by_round
from shared.trf.model.model import BYE_LETTERS, GAME_LETTERS, Entry, Record, TrfFile, TrfPlayer
from shared.trf.model.personal import birth_year, day, fide_id, sex_letter, sex_said, title
from shared.trf.model.points import USUAL
from shared.trf.rounds import dutch_edition

Same = Callable[[TrfFile, TrfFile], bool]


def _setting(name: str) -> Same:
    """Whether both say it alike, or the export says nothing of it."""
    return lambda one, other: (
        getattr(one.settings, name) in (type(getattr(one.settings, name))(), getattr(other.settings, name))
    )


def _day(name: str) -> Same:
    return lambda one, other: day(getattr(one.settings, name)) in ("", day(getattr(other.settings, name)))


def _same_control(one: TrfFile, other: TrfFile) -> bool:
    """A file's own words stand where the log has no time."""
    here, there = one.settings.time, other.settings.time
    return not here or same_time("TimeControl", here, there)


def _same_colour(one: TrfFile, other: TrfFile) -> bool:
    return one.settings.initial_colour in (None, other.settings.initial_colour)


def _same_points(one: TrfFile, other: TrfFile) -> bool:
    return USUAL | dict(one.settings.points) == USUAL | dict(other.settings.points)


def _same_forbidden(one: TrfFile, other: TrfFile) -> bool:
    return one.settings.forbidden_pairs(one.next_round) == other.settings.forbidden_pairs(one.next_round)


def _same_system(one: TrfFile, other: TrfFile) -> bool:
    """A file that is silent, or that says the same by another code (``FIDE_DUTCH``), keeps its own."""
    here, there = one.settings.system, other.settings.system
    if there is None or there.format is None:
        return True
    return here is not None and here.format == there.format and dutch_edition(one) == dutch_edition(other)


def _same_teams(one: TrfFile, other: TrfFile) -> bool:
    own, theirs = ([(t.name, t.members) for t in file.settings.teams] for file in (one, other))
    return own in ([], theirs) and _same_games(one, other)


def _same_acceleration(one: TrfFile, other: TrfFile) -> bool:
    """A file's own points stand where the log has none."""
    here, there = one.settings.accelerated, other.settings.accelerated
    return not here or by_round(here) == by_round(there)


def _same_games(one: TrfFile, other: TrfFile) -> bool:
    """Whether nothing was played otherwise since the file was written."""
    rounds = [{id: _rounds(p) for id, p in file.numbered.items()} for file in (one, other)]
    return rounds[0] == rounds[1]


SAME: dict[str, Same] = {
    "012": _setting("name"),
    "022": _setting("city"),
    "042": _day("begins"),
    "052": _day("ends"),
    **dict.fromkeys(("062", "072"), lambda one, other: len(one.players) == len(other.players)),
    **dict.fromkeys(("092", "192"), _same_system),
    **dict.fromkeys(("142", "XXR"), _setting("rounds")),
    **dict.fromkeys(("152", "XXC"), _same_colour),
    **dict.fromkeys(("162", "XXS", "BBW", "BBD", "BBL", "BBU", "BBF", "BBZ"), _same_points),
    **dict.fromkeys(("202", "212"), _setting("tiebreaks")),
    "222": _same_control,
    **dict.fromkeys(("260", "XXP"), _same_forbidden),
    **dict.fromkeys(("250", "XXA"), _same_acceleration),
    **dict.fromkeys(("082", "013", "310", "801", "802", "352", "362", "240"), _same_teams),
}
"""What two files must agree in, that a record of the one may stand for its like of the other."""
LIKE = ({"142", "XXR"}, {"152", "XXC"}, {"162", "XXS", "BBW", "BBD", "BBL", "BBU", "BBF", "BBZ"}, {"202", "212"},
        {"250", "XXA"}, {"260", "XXP"}, {"092", "192"}, {"013", "310"}, {"801", "802"})  # fmt: skip
"""Records of several editions that say the same."""


def merge(exported: TrfFile, source: TrfFile) -> TrfFile:
    """The tournament as the lines of the file that it came from, as far as they still hold.

    A line that says what the log says stands as it stood; one that says it otherwise is the export's; what the log has no
    word for (unrated games, a forfeit without colours, a whole day of birth, unknown records) is kept.
    """
    sources = {p.id: p for p in source.players}
    unchanged = _same_games(exported, source)
    players = {p.id: _with_more(p, sources[p.id], unchanged) if p.id in sources else p for p in exported.players}
    records = [*_records(exported, source, players)]
    lines = tuple(structs.replace(r, line=n) for n, r in enumerate(records, 1))
    return replace(
        exported,
        players=tuple(players.values()),
        records=lines,
        encoding=source.encoding,
        newline=source.newline,
        measure=source.measure,
    )


def _records(exported: TrfFile, source: TrfFile, players: dict[int, TrfPlayer]) -> Iterator[Record]:
    """The source's lines in their order, those that no longer hold replaced where they stood; then what it lacks."""
    own: dict[str, list[Record]] = {}
    for record in exported.records[:-1]:
        own.setdefault(str(record.player or record.text[:3]), []).append(record)
    comments = {r.text.rstrip() for r in source.records}
    written: set[str] = set()
    for record in source.records if source.records[-1].text else source.records[:-1]:
        code = str(record.player or record.text[:3])
        if record.player:
            if record.player in players:
                yield record
        elif parts_of(record.text) != ("", ""):
            continue  # the export states the event as it is now
        elif code not in SAME or SAME[code](exported, source):
            yield record
        elif not written & like(code):
            yield from (r for same in sorted(like(code)) for r in own.get(same, ()))
        written |= {code} if record.player else like(code)
    for code, records in own.items():
        if code in (COMMENT, RECORD):
            yield from (r for r in records if r.text not in comments)
        elif code not in written:
            yield from records
    yield exported.records[-1]


def like(code: str) -> set[str]:
    """The records that say the same as one of that code, itself among them."""
    return next((codes for codes in LIKE if code in codes), {code})


def _with_more(player: TrfPlayer, source: TrfPlayer, unchanged: bool) -> TrfPlayer:
    """A player of an export as his source has him, where that says the same or more."""
    merged = structs.replace(
        player,
        name=source.name if player.name == (source.name or f"No. {source.id}") else player.name,
        sex=source.sex if player.sex in ("", sex_letter(sex_said(source))) else player.sex,
        title=source.title if (title(source) or "") == player.title.upper() else player.title,
        federation=source.federation if player.federation == source.federation.upper() else player.federation,
        fide_id=source.fide_id if player.fide_id in ("", fide_id(source)) else player.fide_id,
        birth=source.birth if not player.birth or birth_year(source) == birth_year(player) else player.birth,
        rounds=tuple(as_spelled(e, source.entry(n)) for n, e in enumerate(player.rounds, 1)),
        line=source.line,
    )
    if not unchanged:
        return merged
    return structs.replace(merged, points=source.points, rank=source.rank, rounds=source.rounds)


def as_spelled(entry: Entry | None, said: Entry | None) -> Entry | None:
    """A round as the source writes it, where it means the same."""
    return said if _meaning(entry) == _meaning(said) else entry


def _rounds(player: TrfPlayer) -> list[tuple[int, str, str]]:
    meant = [_meaning(e) for e in player.rounds]
    while meant and meant[-1] == _meaning(None):
        meant.pop()
    return meant


def _meaning(entry: Entry | None) -> tuple[int, str, str]:
    """Opponent, colour, result of an entry, whatever its spelling: blank is Z, W is a win, a forfeit has no colours."""
    if entry is None:
        return 0, "", "Z"
    if not entry.opponent:
        return 0, "", BYE_LETTERS[entry.letter]
    if not entry.letter:
        return entry.opponent, entry.side or "", ""
    letter = GAME_LETTERS[entry.letter]
    return entry.opponent, (entry.side or "") if letter.played else "", f"{letter.share} {letter.played}"
