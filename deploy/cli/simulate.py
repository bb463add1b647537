"""``arbiter simulate``: a random Swiss tournament, paired by the engine, as a TRF file."""

import random
import sys

import click

from deploy.cli.common import Failure
from services.pairing.rules.dutch import pair_next
from services.standings.formats.trf import Entry, Record, Settings, TrfFile, TrfPlayer
from services.standings.formats.trf_tournament import Hand
from services.standings.formats.trf_write import write
from shared import events as ev
from shared.regulations import load
from shared.scoring import scores
from shared.terms import GAMES, PAIRING, HalfPoints, Mark, PlayerId, Points, Refusal, Side, TextRef

SURNAMES = ("Abel", "Bauer", "Chen", "Dubois", "Egger", "Fischer", "Garcia", "Huang", "Ivanov", "Jansen", "Kim", "Li")
NAMES = ("Anna", "Bo", "Clara", "David", "Eva", "Felix", "Greta", "Hui", "Ines", "Jun", "Karl", "Lin", "Mei")
DRAW_SHARE = 0.3
SHARE = click.FloatRange(0, 1)


@click.command()
@click.option("--players", default=20, show_default=True, type=click.IntRange(2, 1000))
@click.option("--rounds", default=5, show_default=True, type=click.IntRange(1, 30))
@click.option("--seed", default=1, show_default=True, type=int)
@click.option("--forfeits", default=0.02, show_default=True, type=SHARE, help="Share of games forfeited.")
@click.option("--fouls", default=0.02, show_default=True, type=SHARE, help="Share of games lost by fouls.")
def simulate(players: int, rounds: int, seed: int, forfeits: float, fouls: float) -> None:
    """A random tournament on standard output, the same for the same seed."""
    trf = simulated(players, rounds, random.Random(seed), forfeits, fouls)  # noqa: S311 - a game of chance
    sys.stdout.buffer.write(write(trf))
    sys.stdout.buffer.flush()


def simulated(players: int, rounds: int, chance: random.Random, forfeits: float, fouls: float) -> TrfFile:
    """A whole tournament. The engine may run out of pairings where rounds are many for the players."""
    ratings = sorted((chance.randrange(1200, 2600) for _ in range(players)), reverse=True)
    hand = Hand("simulated")
    rules = load("fide-2026")
    hand.add(PAIRING, ev.TournamentAnnounced("simulated", "chess", "swiss", rounds))
    hand.add(PAIRING, ev.RegulationsAdopted(rules))
    for id, rating in enumerate(ratings, 1):
        hand.add(PAIRING, ev.PlayerEntered(PlayerId(id), TextRef(""), id, rating=rating))
    records: dict[int, list[Entry | None]] = {id: [] for id in range(1, players + 1)}
    colour: Side = "white" if chance.random() < 0.5 else "black"
    for number in range(1, rounds + 1):
        answer = pair_next(hand.tournament, number, initial=colour)
        if isinstance(answer, Refusal):
            raise Failure(f"round {number}: {answer.detail}", 1)
        seats, free = answer
        hand.add(
            PAIRING,
            ev.RoundPaired(number, number, seats, free, initial_colour=colour),
        )
        for bye in free:
            records[bye.player].append(Entry(0, None, bye.kind))
        for seat in seats:
            white, black = _played(ratings[seat.white - 1] - ratings[seat.black - 1], chance, forfeits, fouls)
            records[seat.white].append(Entry(seat.black, "white", white))
            records[seat.black].append(Entry(seat.white, "black", black))
            hand.add(GAMES, ev.ResultReported(seat.game, _mark(white, rules.points), _mark(black, rules.points)))
    return _file(hand, ratings, records, chance)


def _played(difference: int, chance: random.Random, forfeits: float, fouls: float) -> tuple[str, str]:
    """Letters of a game between players that many rating points apart, White's first."""
    if chance.random() < forfeits:
        return chance.choice((("+", "-"), ("-", "+"), ("-", "-")))
    if chance.random() < fouls:
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


def _file(hand: Hand, ratings: list[int], records: dict[int, list[Entry | None]], chance: random.Random) -> TrfFile:
    t = hand.tournament
    first = t.current(1)
    assert t.announced is not None and first is not None
    rounds, colour = t.announced.rounds, first.paired.initial_colour
    totals = {p: s.points for p, s in scores(t).items()}
    ranks = {p: n for n, p in enumerate(sorted(totals, key=lambda p: (-totals[p], p)), 1)}
    players = tuple(
        TrfPlayer(
            id,
            f"{chance.choice(SURNAMES)},{chance.choice(NAMES)}",
            rating,
            points=f"{totals[PlayerId(id)] / 2:.1f}",
            rank=str(ranks[PlayerId(id)]),
            rounds=tuple(records[id]),
            line=id + 2,
        )
        for id, rating in enumerate(ratings, 1)
    )
    texts = ["012 simulated", f"062 {len(players)}", *("" for _ in players), f"XXR {rounds}", f"XXC {colour}1", ""]
    by_line = {p.line: p.id for p in players}
    lines = tuple(Record(n, text, by_line.get(n, 0)) for n, text in enumerate(texts, 1))
    return TrfFile("simulated", lines, players, Settings("simulated", rounds, colour))
