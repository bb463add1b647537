"""``arbiter pair``: the next round of TRF files."""

from functools import partial

import click

from deploy.cli.files.files import each_outcome, exit_code, read_trf
from deploy.cli.terminal.verb import Verb, encoding_option, json_option, print_json, show
from deploy.cli.trf.trf_pairing import as_lists, own_pairing, refuse_unknown_system, rounds_of
from deploy.failure import Failure
from services.standings.files.trf.to_events import tournament_of
from shared.core.language.messages import say
from shared.core.terms import Refusal


@click.command(
    cls=Verb, exits={1: say("No legal pairing exists, or all rounds are paired.")}, example="arbiter pair open.trf"
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.trf…")
@encoding_option
@json_option
def pair(files: tuple[str, ...], as_json: bool, encoding: str | None) -> int:
    """Pair the next round of a TRF file.

    The number of boards is printed first, then one line per board with the numbers of White and Black. The number 0
    stands for the missing opponent of a player with a bye. With several files, each pairing follows its file name.
    """
    outcomes = []
    for outcome in each_outcome(files, partial(_pair, encoding)):
        outcomes.append(outcome)
        if outcome.answer is None:
            continue
        if as_json:
            print_json({"file": outcome.file, "boards": outcome.answer})
            continue
        if len(files) > 1:
            show(outcome.file)
        show(str(len(outcome.answer)))
        for white, black in outcome.answer:
            show(f"{white} {black}")
    return exit_code(outcomes)


def _pair(encoding: str | None, file: str) -> list[list[int]]:
    """[white, black] of each board of the next round, who has no opponent last as [player, 0]."""
    trf = read_trf(file, encoding)
    refuse_unknown_system(trf)
    number = trf.next_round
    if trf.settings.rounds and number > trf.settings.rounds:
        raise Failure(say("{file}: all {rounds} rounds are paired", file=trf.file, rounds=trf.settings.rounds), 1)
    t = tournament_of(trf, rounds=trf.settings.rounds or rounds_of(trf, number))
    answer = own_pairing(trf, t, number)
    if isinstance(answer, Refusal):
        raise Failure(say("{file}: round {number}: {detail}", file=trf.file, number=number, detail=answer.detail), 1)
    return as_lists(*answer)
