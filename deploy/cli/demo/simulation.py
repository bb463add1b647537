"""Tournaments made by chance, paired by their own format."""

import hashlib
import random
from dataclasses import dataclass
from typing import Literal

from deploy.failure import Failure
from services.pairing.rules.formats.registry import installed_engine, plan_round
from services.pairing.rules.pairing_input import players_to_seat
from services.pairing.rules.sides.model import RoundRequest
from services.pairing.rules.sides.seating import Seating, seating
from services.standings.files.trf.to_events import Hand
from shared.core import events as ev
from shared.core.language.messages import say
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.rulebook.regulations import Points
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GAMES, PAIRING, HalfPoints, Mark, PlayerId, Refusal, Side, TextRef
from shared.regulations import load

System = Literal["swiss", "campus", "round-robin", "double-round-robin"]
SYSTEMS: dict[System, tuple[Format, str]] = {
    "swiss": ("swiss", "fide-2026"),
    "campus": ("swiss", "campus"),
    "round-robin": ("round_robin", "fide-2026"),
    "double-round-robin": ("double_round_robin", "fide-2026"),
}
"""Format and regulations."""
SURNAMES = ("Abel", "Bauer", "Chen", "Dubois", "Egger", "Fischer", "Garcia", "Huang", "Ivanov", "Jansen", "Kim", "Li")
NAMES = ("Anna", "Bo", "Clara", "David", "Eva", "Felix", "Greta", "Hui", "Ines", "Jun", "Karl", "Lin", "Mei")
DRAW_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Shares:
    """How often what happens: of games, of players in a round (``byes``), of players."""

    forfeits: float = 0.0
    fouls: float = 0.0
    byes: float = 0.0
    withdrawals: float = 0.0
    late: float = 0.0


def simulated(
    players: int, rounds: int, chance: random.Random, shares: Shares, system: System = "swiss"
) -> tuple[Tournament, dict[str, str]]:
    """A whole tournament, and its names by text hash.

    The engine may run out of pairings where rounds are many for the players: that ends the command with exit code 1.
    """
    format, regulations = SYSTEMS[system]
    free = FORMATS[format].paired_freely
    if not free:
        rounds = (players - 1 + players % 2) * FORMATS[format].cycles
    ratings = sorted((chance.randrange(1200, 2600) for _ in range(players)), reverse=True)
    called = {_hash(id): f"{chance.choice(SURNAMES)},{chance.choice(NAMES)}" for id in range(1, players + 1)}
    hand = Hand(TournamentState("simulated"))
    hand.add(PAIRING, ev.TournamentAnnounced("simulated", "chess", format, rounds))
    hand.add(PAIRING, ev.RegulationsAdopted(load(regulations)))
    engine, stage = installed_engine(hand.tournament), stage_now(hand.tournament)
    coming = {id: _first_round(chance, rounds, shares.late) for id in range(1, players + 1)}
    leaving = {id: _last_round(chance, rounds, shares.withdrawals, coming[id]) for id in coming}
    colour: Side = "white" if chance.random() < 0.5 else "black"
    for number in range(1, rounds + 1):
        _come_and_go(hand, number, ratings, coming, leaving)
        _ask(hand, number, chance, shares.byes)
        seats = _paired(hand.tournament, number, RoundRequest(1 + chance.getrandbits(32), colour, engine, stage))
        groups = (tuple(range(1, players + 1)),) if number == 1 and not free else ()
        hand.add(
            PAIRING,
            ev.RoundPaired(number, number, seats.boards, seats.byes, engine, colour, groups=groups),
        )
        _play(hand, seats, ratings, chance, shares)
    return hand.tournament, called


def _hash(id: int) -> str:
    return hashlib.sha256(str(id).encode()).hexdigest()


def _first_round(chance: random.Random, rounds: int, late: float) -> int:
    return chance.randint(2, rounds) if rounds > 1 and chance.random() < late else 1


def _last_round(chance: random.Random, rounds: int, share: float, first: int) -> int:
    return chance.randint(first, rounds - 1) if first < rounds and chance.random() < share else rounds


def _come_and_go(hand: Hand, number: int, ratings: list[int], coming: dict[int, int], leaving: dict[int, int]) -> None:
    """Entries for this round, and those who have left after the one before. Two always stay."""
    for id, rating in enumerate(ratings, 1):
        here = coming[id] == number or (number == 1 and id <= 2)
        if here and PlayerId(id) not in hand.tournament.players:
            hand.add(PAIRING, ev.PlayerEntered(PlayerId(id), TextRef(_hash(id)), id, number, rating=rating))
    for id, last in leaving.items():
        if last == number - 1 and len(players_to_seat(hand.tournament, number)) > 2:
            hand.add(
                PAIRING, ev.PlayerWithdrew(PlayerId(id), number - 1, results_stand=True, played=0, article="C.04.2")
            )


def _ask(hand: Hand, number: int, chance: random.Random, share: float) -> None:
    for player in players_to_seat(hand.tournament, number):
        if chance.random() < share and len(players_to_seat(hand.tournament, number)) > 2:
            hand.add(PAIRING, ev.ByeGranted(player.player, number, chance.choice(("H", "Z"))))


def _paired(t: Tournament, number: int, request: RoundRequest) -> Seating:
    plan = plan_round(t, number, request)
    if isinstance(plan, Refusal):
        raise Failure(say("round {number}: {detail}", number=number, detail=plan.detail), 1)
    return seating(t, number, plan)


def _play(hand: Hand, seats: Seating, ratings: list[int], chance: random.Random, shares: Shares) -> None:
    regulations = hand.tournament.regulations
    assert regulations is not None
    points = regulations.points
    for seat in seats.boards:
        white, black = _played(ratings[seat.white - 1] - ratings[seat.black - 1], chance, shares)
        hand.add(GAMES, ev.ResultReported(seat.game, _mark(white, points), _mark(black, points)))


def _played(difference: int, chance: random.Random, shares: Shares) -> tuple[str, str]:
    """Letters of a game between players that many rating points apart, White's first."""
    if chance.random() < shares.forfeits:
        return chance.choice((("+", "-"), ("-", "+"), ("-", "-")))
    if chance.random() < shares.fouls:
        return chance.choice((("1", "0"), ("0", "1")))
    expected = 1 / (1 + 10 ** (-difference / 400))
    draw = DRAW_SHARE * min(expected, 1 - expected) * 2
    luck = chance.random()
    if luck < draw:
        return "=", "="
    return ("1", "0") if luck < draw + (expected - draw / 2) else ("0", "1")


def _mark(letter: str, points: Points) -> Mark:
    worth = {"1": points.win, "+": points.win, "=": points.draw}.get(letter, points.loss)
    return Mark(HalfPoints(worth), letter not in "+-")
