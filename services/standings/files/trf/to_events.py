"""A TRF file as a tournament: the events that its hall would have written, folded.

So pairing and ranking know no files, only tournaments.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.event_types.gc_pause import pause_collector
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import (
    GAMES,
    PAIRING,
    PENALTIES,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    RulingId,
    Source,
    TextRef,
)
from shared.regulations import load
from shared.trf.model.abnormal import RECORD, beside_games, in_games
from shared.trf.model.acceleration import virtual_points
from shared.trf.model.model import TrfFile, TrfPlayer
from shared.trf.model.personal import title
from shared.trf.rounds import (
    allocated_byes,
    boards,
    both_marks,
    byes,
    first_colour,
    first_round,
    format_of,
    regulations_of,
    with_points,
    worth_of_letters,
)

_NEW = tuple.__new__
"""Half the cost of a named tuple's own constructor, for every line of the fold."""
REGULATIONS = "fide-2026"


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


@pause_collector()
def tournament_of(
    trf: TrfFile,
    regulations: Regulations | None = None,
    *,
    rounds: int | None = None,
    upto: int | None = None,
    id: str = "file",
) -> Tournament:
    """The tournament that the file tells of; a player's id is the starting number, also where XXC rank gives another one.

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
    if TIEBREAKS.invalid_codes(tiebreaks):
        tiebreaks = ()
    hand.add(PAIRING, ev.TournamentAnnounced(trf.settings.name or id, "chess", format_of(trf), rounds, tiebreaks))
    hand.add(PAIRING, ev.RegulationsAdopted(rules))
    for player in trf.players:
        hand.add(PAIRING, _entry_event(player, trf.pairing_numbers[player.id], first_round(trf, player)))
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


def names(trf: TrfFile) -> dict[str, str]:
    """Name of each player by the hash that stands for it in the file's tournament."""
    return {_name(p).text: p.name for p in trf.players}


def _name(player: TrfPlayer) -> TextRef:
    return TextRef(hashlib.sha256(f"{player.id} {player.name}".encode()).hexdigest())


def _entry_event(player: TrfPlayer, number: int, first_round: int) -> ev.PlayerEntered:
    return ev.PlayerEntered(
        PlayerId(player.id), _name(player), number, first_round, player.rating, title(player),
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
    column, worth = trf.column(round), worth_of_letters(points, trf.settings.points)
    for seat, (white, black) in zip(seats, games, strict=True):
        both = both_marks(column, white, black, worth)
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
