"""The records of a TRF file besides players: JaVaFo's extensions (XX…) and those of TRF26."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from shared.core.events import VirtualPoints
from shared.core.language.messages import say
from shared.core.rulebook.formats import Format
from shared.core.terms import HalfPoints, PlayerId
from shared.trf.model.forbidden_groups import ForbiddenGroup
from shared.trf.model.model import Record, Settings, System
from shared.trf.model.reader_state import (
    BBP_CODES,
    MOST_ROUNDS,
    ReaderState,
    bbp_points,
    half_points,
    kind_of_240,
    number_at,
    players_from,
    points,
    rounds_of_260,
)
from shared.trf.model.record_columns import check_columns
from shared.trf.teams import teams as trf_teams
from shared.trf.teams.lineups import lineups_of_801

MOST_KEPT_APART = 300
_FREE = frozenset({"001", "###", *BBP_CODES})
"""Records that may go on right behind their code."""
SYSTEMS: dict[str, Format] = {
    **dict.fromkeys(("FIDE_DUTCH", "FIDE_DUTCH_2026", "FIDE_DUTCH_BAKU", "FIDE_DUTCH_2026_BAKU"), "swiss"),
    **dict.fromkeys(("FIDE_DUTCH_2017", "FIDE_DUTCH_2017_BAKU"), "swiss"),
    **dict.fromkeys(("FIDE_ROUNDROBIN", "BERGER_ROUNDROBIN"), "round_robin"),
    **dict.fromkeys(("FIDE_DOUBLEROUNDROBIN", "BERGER_DOUBLEROUNDROBIN"), "double_round_robin"),
}
"""Record 192 -> the format that pairs it here."""
WORDS: tuple[tuple[str, str, Format], ...] = (
    (r"\bdouble[ -]*round[ -]*robin\b", "FIDE_DOUBLEROUNDROBIN", "double_round_robin"),
    (r"\bround[ -]*robin\b", "FIDE_ROUNDROBIN", "round_robin"),
)
"""What record 092 says in words, of a file without a 192."""


def settings(records: Iterable[Record], known: frozenset[int], file: str) -> Settings:
    """The settings of those records; `TrfError` where a value cannot be read. ``known``: the players' numbers."""
    rows = tuple(r for r in records if not r.player)
    teams = trf_teams.read(rows, known, file)
    state = ReaderState(file, known, frozenset(t.id for t in teams), {t.id: t.members for t in teams})
    for record in rows:
        code = record.text[:3]
        if (kind := KINDS.get(code)) is not None:
            (kind.read if not teams or kind.of_teams is None else kind.of_teams)(state, record)
            if kind.setting:
                state.state(record, kind.setting, str(getattr(state, kind.setting)))
            if code not in _FREE:
                check_columns(record, of_teams=bool(teams), file=file)
    return Settings(
        state.name, state.rounds, state.initial_colour, tuple(sorted(state.points.items())),
        tuple(state.forbidden), frozenset(state.absent), tuple(state.byes), tuple(state.accelerated),
        state.tiebreaks, state.tiebreaks_line, state.system, teams, state.boards,
        tuple(sorted(state.match_points.items())), tuple(state.team_byes), tuple(state.abnormal), state.allocated,
        tuple(state.forfeits), state.city, state.begins, state.ends, state.time,
        state.lineups, tuple(state.unplayed), state.colours, state.by_position, tuple(state.remarks),
    )  # fmt: skip


def _text(name: str) -> Callable[[ReaderState, Record], None]:
    """Return the reader of a text, which becomes the setting of that name."""
    return lambda state, record: setattr(state, name, record.text[4:].strip())


def _type(state: ReaderState, record: Record) -> None:
    """092: words for people; they count only where they name a round robin of single players."""
    words = record.text[4:].lower()
    if state.system is None and not words.startswith("team"):
        for pattern, code, format in WORDS:
            if re.search(pattern, words):
                state.system = System(code, format, record.line)
                return


def _system(state: ReaderState, record: Record) -> None:
    """192: a code of FIDE's list."""
    code = record.text[4:].strip().upper()
    if code:
        state.system = System(code, SYSTEMS.get(code), record.line)
        state.state(record, "system", code)


def _rounds(state: ReaderState, record: Record) -> None:
    text = record.text[4:].strip()
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise state.error(record, 5, say("number of rounds {text} is not a number", text=repr(text)))
    if not 1 <= int(text) <= MOST_ROUNDS:
        raise state.error(
            record, 5, say("the number of rounds must be 1 to {most}, not {number}", number=int(text), most=MOST_ROUNDS)
        )
    state.rounds = int(text)


def _initial_colour(state: ReaderState, record: Record) -> None:
    """152: ``W`` or ``B``. XXC: ``white1`` and ``black1`` name the colour, ``rank`` numbers the players by their lines."""
    for match in re.finditer(r"[^\s,]+", record.text[4:].lower()):
        word, column = match[0], match.start() + 5
        if word in ("white1", "w", "white"):
            state.initial_colour = "white"
        elif word in ("black1", "b", "black"):
            state.initial_colour = "black"
        elif record.text.startswith("152"):
            raise state.error(record, column, say("initial colour {word} is neither W nor B", word=repr(word)))
        elif word == "rank":
            state.by_position = True
        else:
            unused = say("the word {word} is not used; known words: white1, black1, rank", word=repr(word))
            state.remark(record, column, unused)
        if word != "rank" and state.initial_colour is not None:
            state.state(record, "initial colour", state.initial_colour)


def _forbidden(state: ReaderState, record: Record) -> None:
    """XXP: players of whom no two meet."""
    state.forbidden.append(ForbiddenGroup(_kept_apart(state, record, 4), 1, MOST_ROUNDS))


def _kept_apart(state: ReaderState, record: Record, start: int) -> tuple[int, ...]:
    """The players of a record, each pair of whom may not meet: not so many that their pairs are millions."""
    players = players_from(state, record, start)
    if len(players) > MOST_KEPT_APART:
        column = players[MOST_KEPT_APART][1]
        detail = say("a list of forbidden pairs must not have more than {most} players", most=MOST_KEPT_APART)
        raise state.error(record, column, detail)
    return tuple(p for p, _ in players)


def _forbidden_26(state: ReaderState, record: Record) -> None:
    """260: first and last round, then the players that do not meet. Of an individual event."""
    first, last = rounds_of_260(state, record)
    players = _kept_apart(state, record, 11)
    state.forbidden.append(ForbiddenGroup(players, first or 1, last or first or MOST_ROUNDS))


def _absent(state: ReaderState, record: Record) -> None:
    state.absent.update(p for p, _ in players_from(state, record, 4))


def _byes(state: ReaderState, record: Record) -> None:
    """240: kind (F, H, Z), round, players."""
    kind, round = kind_of_240(state, record), record.text[5:9].strip()
    if not re.fullmatch(r"[0-9]+", round):
        raise state.error(record, 7, say("round {round} is not a number", round=repr(round)))
    if not 1 <= int(round) <= MOST_ROUNDS:
        raise state.error(
            record, 7, say("the round must be 1 to {most}, not {round}", round=int(round), most=MOST_ROUNDS)
        )
    state.byes += [(player, int(round), kind) for player, _ in players_from(state, record, 9)]


def _acceleration(state: ReaderState, record: Record) -> None:
    """XXA: a player, then the virtual points of each round from the first on, five columns each."""
    player = number_at(state, record, 5, 8, say("starting number"))
    if player not in state.known:
        raise state.error(
            record, 5, say("{player} is not a player of the file; correct the number", player=player or say("nobody"))
        )
    text = record.text.rstrip()
    for round, start in enumerate(range(9, len(text), 5), 1):
        value = text[start : start + 5].strip()
        if value:
            column = start + len(text[start : start + 5]) - len(text[start : start + 5].lstrip()) + 1
            points = half_points(state, record, column, value)
            state.accelerated.append(VirtualPoints(PlayerId(player), round, round, HalfPoints(points)))


def _accelerated_26(state: ReaderState, record: Record) -> None:
    """250: match points, game points, first and last round, first and last player."""
    text = record.text[9:13].strip() or record.text[4:8].strip()
    column = 10 if record.text[9:13].strip() else 5
    points = half_points(state, record, column, text)
    first, last = (number_at(state, record, *c, say("round")) for c in ((15, 17), (19, 21)))
    start, end = (number_at(state, record, *c, say("starting number")) for c in ((23, 26), (28, 31)))
    if not first:
        raise state.error(record, 15, say("the first round is missing"))
    for player, at in ((start, 23), (end or start, 28)):
        if player not in state.known:
            raise state.error(
                record,
                at,
                say("{player} is not a player of the file; correct the number", player=player or say("nobody")),
            )
    players = (p for p in sorted(state.known) if start <= p <= (end or start))
    state.accelerated += [VirtualPoints(PlayerId(p), first, last or first, HalfPoints(points)) for p in players]


def _tiebreaks(state: ReaderState, record: Record) -> None:
    """202 and 212, which also begins with PTS: names in their order. 212 decides where both stand."""
    names = [n.strip().upper() for n in record.text[4:].split(",") if n.strip()]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        column = record.text.upper().rindex(twice) + 1
        raise state.error(record, column, say("tie-break {twice} is listed twice", twice=twice))
    state.state(record, f"tiebreaks {record.text[:3]}", ",".join(names))
    if record.text.startswith("212") or not state.tiebreaks:
        state.tiebreaks = tuple(n for n in names if n != "PTS")
        state.tiebreaks_line = record.line


def _keep(state: ReaderState, record: Record) -> None:
    """Nothing is decided by it."""


class RecordKind(NamedTuple):
    """A kind of record: what it ``says``, and how it is read; of a file of teams by ``of_teams``, where that is otherwise.

    ``setting``: the setting of which a file has one value.
    """

    says: str
    read: Callable[[ReaderState, Record], None] = _keep
    of_teams: Callable[[ReaderState, Record], None] | None = None
    setting: str = ""


_OF_TEAMS = trf_teams.CHECKS
KINDS: dict[str, RecordKind] = {
    "001": RecordKind("a player"),
    "012": RecordKind("the tournament's name", _text("name"), setting="name"),
    "013": RecordKind("a team: name, members"),
    "022": RecordKind("the city", _text("city"), setting="city"),
    "032": RecordKind("the federation"),
    "042": RecordKind("the first day", _text("begins"), setting="begins"),
    "052": RecordKind("the last day", _text("ends"), setting="ends"),
    "062": RecordKind("number of players"),
    "072": RecordKind("number of rated players"),
    "082": RecordKind("number of teams"),
    "092": RecordKind("type, in words", _type),
    "102": RecordKind("the chief arbiter"),
    "112": RecordKind("deputy chief arbiters"),
    "122": RecordKind("allotted times, in words"),
    "132": RecordKind("days of the rounds"),
    "142": RecordKind("number of rounds", _rounds, setting="rounds"),
    "152": RecordKind("initial colour", _initial_colour),
    "162": RecordKind("points of a game", points),
    "172": RecordKind("method of the starting rank"),
    "182": RecordKind("program that pairs"),
    "192": RecordKind("type, by FIDE's code", _system),
    "202": RecordKind("tie-breaks", _tiebreaks),
    "212": RecordKind("order of the standings", _tiebreaks),
    "222": RecordKind("time control", _text("time"), setting="time"),
    "240": RecordKind("byes", _byes, _OF_TEAMS["240"]),
    "250": RecordKind("virtual points", _accelerated_26, _OF_TEAMS["250"]),
    "260": RecordKind("who may not meet", _forbidden_26, _OF_TEAMS["260"]),
    "299": RecordKind("abnormal points", _OF_TEAMS["299"]),
    "300": RecordKind("a line-up out of order", _OF_TEAMS["300"]),
    "310": RecordKind("a team: name, points, rank, members"),
    "320": RecordKind("allocated byes of teams", _OF_TEAMS["320"]),
    "330": RecordKind("a match forfeited", _OF_TEAMS["330"]),
    "352": RecordKind("colours of the boards", _OF_TEAMS["352"]),
    "362": RecordKind("points of a match", _OF_TEAMS["362"]),
    "801": RecordKind("a team's matches, board by board", _keep, lineups_of_801),
    "802": RecordKind("a team's matches"),
    "XXA": RecordKind("virtual points", _acceleration),
    "XXC": RecordKind("initial colour", _initial_colour),
    "XXP": RecordKind("who may not meet", _forbidden),
    "XXR": RecordKind("number of rounds", _rounds, setting="rounds"),
    "XXS": RecordKind("points of a game", points),
    "XXZ": RecordKind("who is absent", _absent),
    **{code: RecordKind("points of a game", bbp_points) for code in BBP_CODES},
    "###": RecordKind("a comment"),
}
"""Every record that is known. What is not is kept as it stands, and named by `unknown`."""


def unknown(records: Iterable[Record], known: frozenset[int]) -> list[Record]:
    """The records of no known kind: neither among `KINDS` nor a national rating, which is ``GER`` with a player's number."""
    return [
        r
        for r in records
        if not r.player and r.text.strip() and r.text[:3] not in KINDS and not is_national_rating(r.text, known)
    ]


def is_national_rating(text: str, known: frozenset[int]) -> bool:
    """Return whether a record is a federation's own about one of the ``known`` players: sex, name, birth and national ID."""
    found = re.match(r"[A-Z]{3} ([ 0-9]{4})", text)
    return text[:3] not in KINDS and found is not None and found[1].strip().isdigit() and int(found[1]) in known
