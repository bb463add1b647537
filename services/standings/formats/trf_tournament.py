"""A TRF file as a tournament: the events that its hall would have written, folded.

So pairing and ranking know no files, only tournaments.
"""

import hashlib
from dataclasses import replace

from services.standings.formats.trf import GAME_LETTERS, Entry, TrfFile, TrfPlayer
from shared import events as ev
from shared.evolve import evolve
from shared.regulations import load
from shared.terms import (
    GAMES,
    PAIRING,
    ByeKind,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    Points,
    Regulations,
    Seq,
    Side,
    Source,
    TextRef,
)
from shared.tournament import Tournament

REGULATIONS = "fide-2026"
TITLES = {"G": "GM", "M": "IM", "WG": "WGM", "F": "FM", "WM": "WIM", "C": "CM", "WF": "WFM", "WC": "WCM"}
"""TRF's older letters of FIDE titles; the newer files write them out."""


class Hand:
    """Folds events one after another, each seen by the next; no desk, no log."""

    def __init__(self, id: str) -> None:
        self.tournament = Tournament(id)

    def add(self, source: Source, data: ev.Official) -> None:
        t = self.tournament
        seq, count = Seq(t.seq + 1), t.counts.get(source, 0) + 1
        evolve(t, ev.Stated(seq, source, count, t.seq, f"line-{seq}", "file", "organiser", "", data, ""))


def tournament_of(
    trf: TrfFile, regulations: str = REGULATIONS, *, rounds: int | None = None, id: str = "file"
) -> Tournament:
    """The tournament that the file tells of; a player's id is the starting number.

    Rounds are those with a game or a pairing-allocated bye; H, F and Z entries and those of
    record 240 are byes granted, also of the round to come. Points come from ``regulations``,
    changed by the file's own values; ``rounds`` to be played from the file, where it is not
    given. Raises KeyError for unknown regulations.
    """
    rules = with_points(load(regulations), dict(trf.settings.points))
    hand = Hand(id)
    recorded = trf.rounds_recorded
    rounds = rounds or max(trf.settings.rounds, recorded, 1)
    hand.add(PAIRING, ev.TournamentAnnounced(trf.settings.name or id, "chess", "swiss", rounds))
    hand.add(PAIRING, ev.RegulationsAdopted(rules))
    for player in trf.players:
        hand.add(PAIRING, _entered(player))
    for player_id, round, kind in byes(trf):
        hand.add(PAIRING, ev.ByeGranted(PlayerId(player_id), round, kind))
    for round in range(1, recorded + 1):
        _play(hand, trf, round, rules.points)
    return hand.tournament


def names(trf: TrfFile) -> dict[str, str]:
    """Name of each player by the hash that stands for it in the file's tournament."""
    return {_name(p).text: p.name for p in trf.players}


def title(player: TrfPlayer) -> str | None:
    """FIDE title in today's letters."""
    return TITLES.get(player.title.upper(), player.title.upper()) or None


def byes(trf: TrfFile) -> list[tuple[int, int, ByeKind]]:
    """(player, round, kind) of every bye that was asked for, by round; kinds F, H and Z."""
    asked: dict[tuple[int, int], ByeKind] = {
        (p.id, n): e.bye
        for p in trf.players
        for n, e in enumerate(p.rounds, 1)
        if e is not None and e.bye is not None and e.bye != "U"
    }
    for player, round, letter in trf.settings.byes:
        asked.setdefault((player, round), letter)
    for player in sorted(trf.settings.absent):
        asked.setdefault((player, trf.next_round), "Z")
    return [(p, n, k) for (p, n), k in sorted(asked.items(), key=lambda item: item[0][::-1])]


def boards(trf: TrfFile, round: int) -> list[tuple[TrfPlayer, TrfPlayer]]:
    """(White, Black) of a round's games, by the lower starting number.

    A forfeited game may have no colours; then the lower number is White.
    """
    by_id = {p.id: p for p in trf.players}
    found = []
    for player in sorted(trf.players, key=lambda p: p.id):
        entry = player.entry(round)
        if entry is not None and entry.opponent > player.id:
            other = by_id[entry.opponent]
            theirs = other.entry(round)
            black_first = entry.side == "black" or (theirs is not None and theirs.side == "white")
            found.append((other, player) if black_first else (player, other))
    return found


def allocated_byes(trf: TrfFile, round: int) -> list[int]:
    """Players with the pairing-allocated bye of that round."""
    entries = [(p.id, p.entry(round)) for p in trf.players]
    return [id for id, e in entries if e is not None and e.bye == "U"]


def marks(trf: TrfFile, white: TrfPlayer, black: TrfPlayer, round: int, points: Points) -> tuple[Mark, Mark] | None:
    """Both marks of a game; None while it has no result."""
    values = dict(trf.settings.points)
    mine, theirs = white.entry(round), black.entry(round)
    if mine is None or theirs is None or not mine.letter:
        return None
    return _mark(mine, "white", points, values), _mark(theirs, "black", points, values)


def with_points(rules: Regulations, values: dict[str, int]) -> Regulations:
    """Regulations with the file's point values in place of their own."""
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
    return replace(rules, points=points)


def _mark(entry: Entry, side: Side, points: Points, values: dict[str, int]) -> Mark:
    letter = GAME_LETTERS[entry.letter]
    share = letter.share[0].upper()
    code = side[0].upper() + share if letter.played else "F" + share
    otherwise = {"W": points.win, "D": points.draw, "L": points.loss}[share]
    return Mark(HalfPoints(values.get(code, otherwise)), letter.played)


def _name(player: TrfPlayer) -> TextRef:
    return TextRef(hashlib.sha256(f"{player.id} {player.name}".encode()).hexdigest())


def _entered(player: TrfPlayer) -> ev.PlayerEntered:
    return ev.PlayerEntered(
        PlayerId(player.id), _name(player), player.id, 1, player.rating, title(player),
        federation=player.federation or None,
    )  # fmt: skip


def _play(hand: Hand, trf: TrfFile, round: int, points: Points) -> None:
    """One round: its pairing, then its results."""
    pairing = len(hand.tournament.pairings) + 1
    games = boards(trf, round)
    seats = tuple(
        ev.Board(n, GameId(f"{hand.tournament.id}.{pairing}.{n}"), PlayerId(white.id), PlayerId(black.id))
        for n, (white, black) in enumerate(games, 1)
    )
    free = tuple(ev.ByeSeat(PlayerId(id), "U") for id in allocated_byes(trf, round))
    colour = trf.settings.initial_colour or first_colour(trf)
    hand.add(PAIRING, ev.RoundPaired(round, pairing, seats, free, initial_colour=colour))
    for seat, (white, black) in zip(seats, games, strict=True):
        both = marks(trf, white, black, round, points)
        if both is not None:
            hand.add(GAMES, ev.ResultReported(seat.game, *both))


def first_colour(trf: TrfFile) -> Side:
    """The initial colour as round 1 shows it: that of the lowest odd number who played it; else White."""
    for player in sorted(trf.players, key=lambda p: p.id):
        entry = player.entry(1)
        if player.id % 2 and entry is not None and entry.opponent and entry.side is not None:
            return entry.side
    return "white"
