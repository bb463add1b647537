"""``arbiter simulate``: a random tournament, paired by its own format, as a TRF file."""

import random
import sys
from typing import get_args

import click

from deploy.cli.demo.simulation import Shares, System, simulated
from deploy.failure import Failure
from services.standings.files.trf.export import trf_of
from shared.core.language.messages import say
from shared.trf.writer import write

SWISS_ROUNDS = 5
SHARE = click.FloatRange(0, 1)


@click.command()
@click.option("--players", default=20, show_default=True, type=click.IntRange(2, 1000))
@click.option("--rounds", type=click.IntRange(1, 30), help="Of a Swiss (default 5); a round robin has its own.")
@click.option("--seed", default=1, show_default=True, type=int)
@click.option("--format", "system", default="swiss", show_default=True, type=click.Choice(get_args(System)))
@click.option("--forfeits", default=0.02, show_default=True, type=SHARE, help="Share of games forfeited.")
@click.option("--fouls", default=0.02, show_default=True, type=SHARE, help="Share of games lost by fouls.")
@click.option("--byes", default=0.0, show_default=True, type=SHARE, help="Share of players who ask for a bye, a round.")
@click.option("--withdrawals", default=0.0, show_default=True, type=SHARE, help="Share of players who leave.")
@click.option("--late", default=0.0, show_default=True, type=SHARE, help="Share of players who come late.")
def simulate(players: int, rounds: int | None, seed: int, system: System, **shares: float) -> None:
    """A random tournament on standard output, the same for the same seed."""
    chosen = Shares(**shares)
    if system not in ("swiss", "campus") and (rounds or chosen.byes or chosen.withdrawals or chosen.late):
        raise Failure(
            say("a {system} has the rounds of its table, no byes to ask for, and nobody late or leaving", system=system)
        )
    chance = random.Random(seed)  # noqa: S311 - a game of chance
    tournament = simulated(players, rounds or SWISS_ROUNDS, chance, chosen, system)
    sys.stdout.buffer.write(write(trf_of(*tournament)))
    sys.stdout.buffer.flush()
