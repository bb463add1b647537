"""A TRF file as a tournament: the events that its hall would have written, folded.

So pairing and ranking know no files, only tournaments.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache

from services.standings.files.trf.model.abnormal import RECORD, beside_games, in_games
from services.standings.files.trf.model.acceleration import virtual_points
from services.standings.files.trf.model.dutch_edition import regulations_of
from services.standings.files.trf.model.model import BYE_LETTERS, GAME_LETTERS, Entry, TrfFile, TrfPlayer
from services.standings.files.trf.model.points import worth_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.event_types.gc_pause import no_collector
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    ByeKind,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    RulingId,
    Side,
    Source,
    TextRef,
)
from shared.regulations import load

_NEW = tuple.__new__
"""Half the cost of a named tuple's own constructor, for every line of the fold."""
REGULATIONS = "fide-2026"
SIDES: tuple[Side, ...] = ("white", "black")
TITLES = {"G": "GM", "M": "IM", "WG": "WGM", "F": "FM", "WM": "WIM", "C": "CM", "WF": "WFM", "WC": "WCM"}
"""TRF's older letters of FIDE titles; the newer files write them out."""


class Hand:
    """Folds events one after another, each seen by the next; no desk, no log."""

    def __init__(self, state: TournamentState) -> None:
        self.state = state

    @property
    def tournament(self) -> Tournament:
        """The state, once it was announced and has regulations."""
        assert isinstance(self.state, Tournament), "announced, with regulations"
        return self.state

    def add(self, source: Source, data: ev.Official) -> None:
        t = self.state
        before, count = t.seq, t.counts.get(source, 0) + 1
        line = (before + 1, source, count, before, "file", "file", "organiser", "", data, "", None, None)
        evolve(t, _NEW(ev.NewEvent, line))


@no_collector()
def tournament_of(
    trf: TrfFile,
    regulations: Regulations | None = None,
    *,
    rounds: int | None = None,
    upto: int | None = None,
    id: str = "file",
) -> Tournament:
    """The tournament that the file tells of; a player's id is the starting number.

    Rounds are those with a game or a pairing-allocated bye, up to ``upto``; H, F and Z entries and those of record 240 are
    byes granted, also of the round to come. Who is blank at first entered late. Points come from ``regulations`` (none:
    those of FIDE), changed by the file's own values, and the edition of the Dutch rules from the file's date; ``rounds`` to
    be played from the file, where it is not given; tie-breaks where all of them rank players (`order_of` says which do
    not); pairs that may not meet are those of the round to come. Points by exception (299) are those of the game, or a ruling.
    """
    rules = with_points(regulations or load(REGULATIONS), dict(trf.settings.points))
    if rules.pairing.system == "dutch":
        of_its_date = load(regulations_of(trf)).pairing
        dutch = replace(rules.pairing, edition=of_its_date.edition, engine=of_its_date.engine)
        rules = replace(rules, pairing=dutch)
    hand = Hand(TournamentState(id))
    recorded = trf.rounds_recorded if upto is None else min(upto, trf.rounds_recorded)
    rounds = rounds or max(trf.settings.rounds, trf.rounds_recorded, 1)
    tiebreaks = tuple(TIEBREAKS.spelling(code) for code in trf.settings.tiebreaks)
    if TIEBREAKS.unknown(tiebreaks):
        tiebreaks = ()
    hand.add(PAIRING, ev.TournamentAnnounced(trf.settings.name or id, "chess", format_of(trf), rounds, tiebreaks))
    hand.add(PAIRING, ev.RegulationsAdopted(rules))
    for player in trf.players:
        hand.add(PAIRING, _entry_event(player, first_round(trf, player)))
    table = format_of(trf) != "swiss"
    if trf.settings.accelerated and not table:
        hand.add(PAIRING, ev.VirtualPointsGiven(virtual_points(trf, trf.numbered)))
    for player_id, round, kind in byes(trf):
        if table and round <= trf.rounds_recorded:
            continue  # Who has nobody to meet rests: a table's pairing says so.
        hand.add(PAIRING, ev.ByeGranted(PlayerId(player_id), round, kind))
    by_exception = in_games(trf)
    for round in range(1, recorded + 1):
        forbid(hand, trf, round)
        _play(hand, trf, round, rules.points, by_exception)
    forbid(hand, trf, recorded + 1)
    for n, given in enumerate((one for one in beside_games(trf, rules.points) if one.round <= recorded), 1):
        effect = ev.Effect("adjust_points", points=HalfPoints(given.points))
        ruling = ev.RulingMade(RulingId(f"r{n}"), PlayerId(given.player), given.round, RECORD, RECORD, effect)
        hand.add(PENALTIES, ruling)
    return hand.tournament


def forbid(hand: Hand, trf: TrfFile, round: int) -> None:
    """Say who may not meet in a round, where that is not what held before."""
    pairs = frozenset((PlayerId(a), PlayerId(b)) for a, b in trf.settings.forbidden_pairs(round))
    if pairs != hand.tournament.forbidden:
        hand.add(PAIRING, ev.PairsForbidden(tuple(sorted(pairs))))


def format_of(trf: TrfFile) -> Format:
    """The format that the file names (192, 092); a Swiss where it names none that is known here."""
    system = trf.settings.system
    return "swiss" if system is None or system.format is None else system.format


def first_round(trf: TrfFile, player: TrfPlayer) -> int:
    """The first round that a player can be paired in: blanks before the first entry are those of one who came late.

    A table has no room for late ones, and a team's members are there from the start.
    """
    if format_of(trf) != "swiss" or trf.settings.teams:
        return 1
    last = min(trf.next_round, trf.rounds_recorded + 1)
    bye_rounds = [round for id, round, _ in trf.settings.byes if id == player.id]
    return min([*bye_rounds, next((n for n, entry in enumerate(player.rounds, 1) if entry is not None), last), last])


def names(trf: TrfFile) -> dict[str, str]:
    """Name of each player by the hash that stands for it in the file's tournament."""
    return {_name(p).text: p.name for p in trf.players}


def title(player: TrfPlayer) -> str | None:
    """FIDE title in today's letters."""
    return TITLES.get(player.title.upper(), player.title.upper()) or None


def byes(trf: TrfFile) -> list[tuple[int, int, ByeKind]]:
    """(player, round, kind) of every bye that was asked for, by round; kinds F, H and Z.

    A blank in a round that was paired is a Z, as FIDE has it, but for those before a late entry.
    """
    kinds: dict[tuple[int, int], ByeKind] = {
        (p.id, n): BYE_LETTERS[e.letter]
        for p in trf.players
        for n, e in enumerate(p.rounds, 1)
        if e is not None and not e.opponent and e.letter != "U"
    }
    for player, round, letter in trf.settings.byes:
        kinds.setdefault((player, round), letter)
    for p in trf.players:
        for n in range(first_round(trf, p), trf.rounds_recorded + 1):
            if p.entry(n) is None and trf.paired(n):
                kinds.setdefault((p.id, n), "Z")
    for player in sorted(trf.settings.absent):
        kinds.setdefault((player, trf.next_round), "Z")
    return [(p, n, k) for (p, n), k in sorted(kinds.items(), key=lambda item: item[0][::-1])]


def boards(trf: TrfFile, round: int) -> list[tuple[TrfPlayer, TrfPlayer]]:
    """(White, Black) of a round's games, by the lower starting number.

    A forfeited game may have no colours; then the lower number is White.
    """
    players, column = trf.numbered, trf.column(round)
    pairs = []
    for id, entry in column.items():
        if entry.opponent > id:
            player, other = players[id], players[entry.opponent]
            black_first = entry.side == "black" or column[other.id].side == "white"
            pairs.append((other, player) if black_first else (player, other))
    return pairs


def allocated_byes(trf: TrfFile, round: int) -> list[int]:
    """Players with the pairing-allocated bye of that round."""
    return [id for id, e in trf.column(round).items() if e.bye == "U"]


def marks(trf: TrfFile, white: TrfPlayer, black: TrfPlayer, round: int, points: Points) -> tuple[Mark, Mark] | None:
    """Both marks of a game; None while it has no result."""
    return _both(trf.column(round), white, black, _worth(points, trf.settings.points))


def with_points(rules: Regulations, values: dict[str, int]) -> Regulations:
    """Regulations with the file's point values in place of their own."""
    if not values:
        return rules
    own = rules.points

    def worth(code: str, otherwise: int) -> HalfPoints:
        return HalfPoints(values.get(code, otherwise))

    points = Points(
        win=worth("WW", own.win),
        draw=worth("WD", own.draw),
        loss=worth("WL", own.loss),
        pairing_bye=worth("PAB", own.pairing_bye),
        full_bye=worth("FPB", own.full_bye),
        half_bye=worth("HPB", own.half_bye),
        zero_bye=worth("ZPB", own.zero_bye),
    )
    if points == own:
        return rules
    changes = {f"points.{name}": value for name, value in asdict(points).items() if value != getattr(own, name)}
    return replace(rules, points=points, changes=changes)


Worth = Mapping[tuple[str, Side], Mark]
"""What a letter is worth to a side."""


def _both(column: Mapping[int, Entry], white: TrfPlayer, black: TrfPlayer, worth: Worth) -> tuple[Mark, Mark] | None:
    mine, theirs = column[white.id].letter, column[black.id].letter
    return (worth[mine, "white"], worth[theirs, "black"]) if mine else None


@cache
def _worth(points: Points, values: tuple[tuple[str, int], ...]) -> Worth:
    """By ``points``, changed by the file's own values."""
    return {(letter, side): _mark(letter, side, points, values) for letter in GAME_LETTERS for side in SIDES}


def _mark(result: str, side: Side, points: Points, values: tuple[tuple[str, int], ...]) -> Mark:
    return Mark(HalfPoints(worth_of(result, side, points, values)), GAME_LETTERS[result].played)


def _name(player: TrfPlayer) -> TextRef:
    return TextRef(hashlib.sha256(f"{player.id} {player.name}".encode()).hexdigest())


def _entry_event(player: TrfPlayer, first_round: int) -> ev.PlayerEntered:
    return ev.PlayerEntered(
        PlayerId(player.id), _name(player), player.id, first_round, player.rating, title(player),
        federation=player.federation or None,
    )  # fmt: skip


def _play(hand: Hand, trf: TrfFile, round: int, points: Points, given: Mapping[tuple[int, int], int]) -> None:
    """One round: its pairing, then its results; ``given``: what games are worth by exception, as `in_games` says it."""
    pairing = len(hand.tournament.pairings) + 1
    games = boards(trf, round)
    seats = tuple(
        ev.Board(n, GameId(f"{hand.tournament.id}.{pairing}.{n}"), PlayerId(white.id), PlayerId(black.id))
        for n, (white, black) in enumerate(games, 1)
    )
    if format_of(trf) == "swiss":
        free = tuple(ev.ByeSeat(PlayerId(id), "U") for id in allocated_byes(trf, round))
    else:
        free = _resting(trf, round)
    colour = trf.settings.initial_colour or first_colour(trf)
    groups = (tuple(sorted(p.id for p in trf.players)),) if round == 1 and format_of(trf) != "swiss" else ()
    hand.add(PAIRING, ev.RoundPaired(round, pairing, seats, free, initial_colour=colour, groups=groups))
    column, worth = trf.column(round), _worth(points, trf.settings.points)
    for seat, (white, black) in zip(seats, games, strict=True):
        both = _both(column, white, black, worth)
        if both is not None:
            if given:
                both = _given(both[0], given.get((white.id, round))), _given(both[1], given.get((black.id, round)))
            hand.add(GAMES, ev.ResultReported(seat.game, *both))


def _given(mark: Mark, points: int | None) -> Mark:
    """The mark with the points that a record 299 gives for it."""
    return mark if points is None else replace(mark, points=HalfPoints(points))


def _resting(trf: TrfFile, round: int) -> tuple[ev.ByeSeat, ...]:
    """Who plays nobody in a round of a table, with the bye that the file gives for it."""
    entries = [(p.id, p.entry(round)) for p in trf.players]
    alone = [(id, "Z" if e is None or e.bye is None else e.bye) for id, e in entries if e is None or not e.opponent]
    return tuple(ev.ByeSeat(PlayerId(id), kind) for id, kind in sorted(alone))


def first_colour(trf: TrfFile) -> Side:
    """The initial colour as round 1 shows it: that of the lowest odd number who played it; else White."""
    played = (e.side for id, e in trf.column(1).items() if id % 2 and e.opponent and e.side is not None)
    return next(played, "white")
