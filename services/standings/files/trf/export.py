"""A tournament as a TRF file, of edition 16 with JaVaFo's extensions or of 26: the way back from a log.

Records that were kept of a file that was imported stand in it again. What TRF has no place for is not in it: rulings and their
reasons, corrections, officials, clubs, fixed boards.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import structs

from services.standings.files.trf.event_lines import event_lines
from services.standings.rules.integrity import differing_paths
from services.standings.rules.table.table import Table, standings
from shared.core.language.single_line import single_line
from shared.core.readings.particulars import NOTHING, Particulars
from shared.core.readings.scoring import RoundScore, Score, scores
from shared.core.readings.team_scoring import board_conditions, team_scores
from shared.core.rounds.matches import teams_meet
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Points
from shared.core.rulebook.time_notation import pgn_of
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, HalfPoints, PlayerId
from shared.trf.export_lines import lines_of
from shared.trf.kept_records import Kept, kept_of, with_kept
from shared.trf.model.acceleration import spans
from shared.trf.model.forbidden_groups import ForbiddenGroup
from shared.trf.model.model import AllocatedByes, Entry, Record, Settings, System, TrfFile, TrfPlayer, TrfTeam
from shared.trf.model.personal import sex_letter
from shared.trf.model.points import USUAL, points_text
from shared.trf.model.reader_state import MOST_ROUNDS

_VALUES = 5
"""Changed values of regulations that are named."""


def _pairings(t: Tournament) -> Iterator[tuple[int, str]]:
    for pairing in t.pairings:
        event, seq = pairing.event, pairing.seq
        by_hand = event.engine is None and event.reason is not None
        if by_hand or event.overrides:
            done = ["boards set by hand"] * by_hand
            done += [f"set aside: {', '.join(event.overrides)}"] * bool(event.overrides)
            yield seq, _comment("MPA", event.round, "; ".join(done), seq)
        if pairing.withdrawn is not None:
            yield (
                pairing.withdrawn,
                _comment("Undo", event.round, f"pairing of line {seq} withdrawn", pairing.withdrawn),
            )


def _corrections(t: Tournament) -> Iterator[tuple[int, str]]:
    later = {pairing.event.round: pairing.seq for pairing in t.pairings if pairing.withdrawn is None}
    for game in t.games_in_force():
        if game.corrected is None:
            continue
        on = [round for round, seq in later.items() if round > game.round and seq < game.corrected.seq]
        if on:
            what = f"board {game.board} corrected after round {max(on)} was paired"
            yield game.corrected.seq, _comment("Correction", game.round, what, game.corrected.seq)


def _regulations(t: Tournament) -> Iterator[tuple[int, str]]:
    adopted = [former for _, former in t.regulations_before] + [t.regulations]
    for (seq, _), (former, now) in zip(t.regulations_before, pairwise(adopted), strict=True):
        rounds = [pairing.event.round for pairing in t.pairings if pairing.seq < seq]
        values = differing_paths(former, now)
        if rounds and values:
            more = f" and {len(values) - _VALUES} more" if len(values) > _VALUES else ""
            yield seq, _comment("Configuration", max(rounds), f"changed {', '.join(values[:_VALUES])}{more}", seq)


def _comment(kind: str, round: int, what: str, seq: int) -> str:
    return f"{kind} @ Round {round}: {what} (line {seq}; before it: line {seq - 1})"


Edition = Literal["16", "26"]
EDITIONS: tuple[Edition, ...] = ("16", "26")
CODES: dict[Format, str] = {
    "round_robin": "FIDE_ROUNDROBIN",
    "double_round_robin": "FIDE_DOUBLEROUNDROBIN",
}
"""Record 192 of a format of single players; others are not in FIDE's list."""


def trf_of(
    t: Tournament,
    names: Mapping[str, str] | None = None,
    edition: Edition = "16",
    particulars: Mapping[PlayerId, Particulars] | None = None,
    sent: Sequence[Kept] = (),
) -> TrfFile:
    """The tournament as far as it has been paired, with the byes of rounds to come.

    Numbers are starting numbers; ``names`` by text hash, who has none is called by the number;
    ``particulars``: what else is known of players; ``sent``: records that are to be kept beside those that are. Raises
    `TrfError` where one of these cannot be read.
    """
    texts_by_hash, said = names or {}, particulars or {}
    rounds = max(t.announced.rounds, t.rounds_paired())
    table = scores(t)
    ranked = standings(t)
    points, ranks = _points_and_ranks(t, table, ranked)
    players = tuple(
        _player(
            t, score, rounds, points[id], ranks[id], texts_by_hash.get(t.players[id].name.text), said.get(id, NOTHING)
        )
        for id, score in sorted(table.items(), key=lambda item: t.players[item[0]].starting_number)
    )
    settings = _settings(t, rounds, texts_by_hash)
    kept = [*kept_of(t, texts_by_hash), *sent]
    numbered = edition == "26" or any(one.code == "310" for one in kept)
    touched = [text for _, text in sorted((*_pairings(t), *_corrections(t), *_regulations(t)))]
    comments = [*event_lines(t, ranked), *touched]
    texts, line_players = lines_of(t, players, table, settings, edition, numbered_teams=numbered, comments=comments)
    records = tuple(Record(n, text, line_players.get(n, 0)) for n, text in enumerate(texts, 1))
    lines = {player: n for n, player in line_players.items()}
    file = TrfFile(t.id, records, tuple(structs.replace(p, line=lines[p.id]) for p in players), settings)
    renumbered = any(entry.starting_number != id for id, entry in t.players.items())
    return with_kept(file, kept, t.regulations.points, renumbered=renumbered)


def _points_and_ranks(
    t: Tournament, table: Mapping[PlayerId, Score], ranked: Table
) -> tuple[dict[PlayerId, HalfPoints], dict[PlayerId, int]]:
    """Half-points and rank of each player.

    In an event of teams no record gives or takes a player's points (299 names teams): they are those of the results, what
    rulings did is a comment, and who have equally many stand as in the table.
    """
    ranks = {row.player: row.rank for row in ranked.rows}
    if not teams_meet(t):
        return {id: score.points for id, score in table.items()}, ranks
    points = {id: HalfPoints(sum(r.points for r in score.rounds)) for id, score in table.items()}
    places = {id: (-points[id], rank) for id, rank in ranks.items()}
    first: dict[tuple[int, int], int] = {}
    for rank, place in enumerate(sorted(places.values()), 1):
        first.setdefault(place, rank)
    return points, {id: first[place] for id, place in places.items()}


def _player(
    t: Tournament, score: Score, rounds: int, points: int, rank: int, name: str | None, said: Particulars
) -> TrfPlayer:
    entry = t.players[score.player]
    return TrfPlayer(
        id=entry.starting_number,
        name=single_line(name or f"No. {entry.starting_number}"),
        rating=entry.rating or None,
        title=entry.title or "",
        sex=sex_letter(said.sex),
        fide_id=said.fide_id or "",
        birth=f"{said.birth_year}/00/00" if said.birth_year else "",
        federation=(entry.federation or "")[:3],
        points=points_text(points),
        rank=str(rank),
        rounds=_trim([*(_entry(t, score.player, r) for r in score.rounds), *_to_come(t, score, rounds)]),
    )


def _entry(t: Tournament, player: PlayerId, r: RoundScore) -> Entry | None:
    """A round that was paired; blank before the player came."""
    if r.kind == "none":
        return None if r.round < t.players[player].first_round else Entry(0, None, "Z")
    if r.kind == "bye":
        return Entry(0, None, r.bye or "Z")
    if not r.counted or (r.kind == "forfeit" and _is_shared(t, r)):
        return Entry(0, None, "H" if r.points else "Z")
    return Entry(t.players[r.opponent].starting_number, r.side, _letter(r, t.regulations.points))


def _is_shared(t: Tournament, r: RoundScore) -> bool:
    """Whether one side neither won nor lost by a forfeit: TRF has no letter for that beside an opponent."""
    points, setting = t.regulations.points, None if r.game is None else t.setting(t.games[r.game])
    marks = () if setting is None else (setting.white, setting.black)
    return any(points.loss < mark.points < points.win for mark in marks)


def _letter(r: RoundScore, points: Points) -> str:
    """The letter of a game by what it was worth to the player; points between two letters are the lower one's."""
    if r.kind == "open":
        return ""
    if r.kind == "forfeit":
        return "+" if r.points >= points.win else "-"
    return "1" if r.points >= points.win else "=" if r.points >= points.draw else "0"


def _to_come(t: Tournament, score: Score, rounds: int) -> list[Entry | None]:
    """Byes granted for the rounds to come; who has left has none of them to play."""
    entries: list[Entry | None] = []
    for round in range(len(score.rounds) + 1, rounds + 1):
        bye = t.byes.get((score.player, round))
        if bye is not None:
            entries.append(Entry(0, None, bye.kind))
        else:
            entries.append(Entry(0, None, "Z") if any(t.players[score.player].absences_in(round)) else None)
    return entries


def _trim(rounds: list[Entry | None]) -> tuple[Entry | None, ...]:
    while rounds and rounds[-1] is None:
        rounds.pop()
    return tuple(rounds)


def _settings(t: Tournament, rounds: int, names: Mapping[str, str]) -> Settings:
    number = {p: entry.starting_number for p, entry in t.players.items()}
    first = t.current(1)
    conditions = board_conditions(t)
    dutch = t.announced.format != "swiss" or t.regulations.pairing.system == "dutch"
    code = _code(t) if dutch and not teams_meet(t) else None
    boards = 0 if conditions is None else conditions.boards
    allocated, team_byes = _byes_of_teams(t, boards)
    return Settings(
        name=single_line(t.announced.name),
        city=single_line(t.announced.place),
        begins=t.announced.begins.replace("-", "/"),
        ends=t.announced.ends.replace("-", "/"),
        time="" if t.announced.conditions.time is None else pgn_of(t.announced.conditions.time) or "",
        rounds=rounds,
        initial_colour=None if first is None else first.event.initial_colour,
        points=_points(t.regulations.points),
        forbidden=tuple(ForbiddenGroup(tuple(sorted((number[a], number[b]))), 1, MOST_ROUNDS) for a, b in sorted(t.forbidden)),
        accelerated=spans({(number[p], round): worth for (p, round), worth in t.virtual.items()}),
        tiebreaks=t.announced.tiebreaks,
        system=None if code is None else System(code, t.announced.format, 0),
        teams=tuple(
            TrfTeam(team.team, single_line(names.get(team.name.text, f"No. {team.team}")),
                    tuple(number[m] for m in team.members))
            for team in t.teams.values()
        ),
        boards=boards,
        allocated=allocated,
        team_byes=team_byes,
    )  # fmt: skip


def _byes_of_teams(t: Tournament, boards: int) -> tuple[AllocatedByes | None, tuple[tuple[int, int, ByeKind], ...]]:
    """Who had the bye of the pairing in each round of matches, and what it gave (320); and where more than one had, which a 320
    cannot say, the byes that give as much (240: team, round, letter)."""
    of_round: dict[int, list[int]] = {}
    worth: tuple[int, int] | None = None
    for score in team_scores(t).values() if teams_meet(t) else ():
        for r in score.rounds:
            if r.kind == "bye":
                of_round.setdefault(r.number, []).append(score.team)
                worth = r.match_points, r.game_points
    points, teams = t.regulations.points, t.regulations.teams
    if worth is None or teams is None:
        return None, ()
    kinds: dict[tuple[int, int], ByeKind] = {
        (teams.draw, points.draw * boards): "H", (teams.win, points.win * boards): "F",
    }  # fmt: skip
    kind = kinds.get(worth)
    asked = {n for n, byes in of_round.items() if len(byes) > 1 and kind is not None}
    last = max(of_round)
    single = tuple(of_round[n][0] if n in of_round and n not in asked else 0 for n in range(1, last + 1))
    told = tuple((team, n, kind) for n in sorted(asked) for team in of_round[n] if kind is not None)
    return AllocatedByes(*worth, single) if any(single) else None, told


def _code(t: Tournament) -> str | None:
    if t.announced.format == "swiss":
        return f"FIDE_DUTCH_{t.regulations.pairing.edition}"
    return CODES.get(t.announced.format)


def _points(points: Points) -> tuple[tuple[str, int], ...]:
    """The point system by JaVaFo's codes; nothing where it is the usual one."""
    codes: dict[str, int] = {
        **dict.fromkeys(("WW", "BW", "FW"), points.win),
        **dict.fromkeys(("WD", "BD"), points.draw),
        **dict.fromkeys(("WL", "BL", "FL"), points.loss),
        "PAB": points.pairing_bye, "FPB": points.full_bye, "HPB": points.half_bye, "ZPB": points.zero_bye,
    }  # fmt: skip
    return () if codes == USUAL else tuple(sorted(codes.items()))
