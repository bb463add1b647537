"""``arbiter simulate``: a random tournament, paired by its own format, as a TRF file."""

import random
from typing import get_args

import click

from deploy.cli.demo.simulation import Shares, System, simulated
from deploy.cli.terminal.verb import Integer, Verb, write_bytes
from deploy.failure import Failure
from services.standings.files.trf.export import trf_of
from shared.core.language.messages import say
from shared.trf.writer import write

SWISS_ROUNDS = 5
SHARE = click.FloatRange(0, 1)


@click.command(
    cls=Verb,
    exits={1: say("A round has no legal pairing.")},
    example="arbiter simulate --players 40 --rounds 7 --seed 3 > random.trf",
)
@click.option("--players", default=20, show_default=True, type=Integer(2, 1000), help="Number of players.")
@click.option(
    "--rounds",
    type=Integer(1, 30),
    help="Rounds of a Swiss tournament (default: 5). A round robin determines its own.",
)
@click.option("--seed", default=1, show_default=True, type=int, help="Seed of the random numbers.")
@click.option(
    "--format",
    "system",
    default="swiss",
    show_default=True,
    type=click.Choice(get_args(System)),
    help="Tournament format.",
)
@click.option("--forfeits", default=0.02, show_default=True, type=SHARE, help="Share of games that are forfeited.")
@click.option("--fouls", default=0.02, show_default=True, type=SHARE, help="Share of games that are lost by fouls.")
@click.option(
    "--byes", default=0.0, show_default=True, type=SHARE, help="Share of players who request a bye, per round."
)
@click.option("--withdrawals", default=0.0, show_default=True, type=SHARE, help="Share of players who withdraw.")
@click.option("--late", default=0.0, show_default=True, type=SHARE, help="Share of players who enter late.")
def simulate(players: int, rounds: int | None, seed: int, system: System, **shares: float) -> None:
    """Print a random tournament as a TRF file.

    The same seed gives the same tournament. The format `campus` is a Swiss system with the pairing rules of campus events.
    """
    chosen = Shares(**shares)
    if system not in ("swiss", "campus") and (rounds or chosen.byes or chosen.withdrawals or chosen.late):
        raise Failure(
            say("--rounds, --byes, --withdrawals and --late cannot be used with --format {system}", system=system)
        )
    chance = random.Random(seed)  # noqa: S311 - a game of chance
    tournament = simulated(players, rounds or SWISS_ROUNDS, chance, chosen, system)
    write_bytes(write(trf_of(*tournament)))
