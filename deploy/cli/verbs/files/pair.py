"""``arbiter pair``: the next round of TRF files."""

from functools import partial
from typing import NamedTuple

import click

from deploy.cli.files.files import each_outcome, exit_code, read_trf, tell
from deploy.cli.terminal.verb import Verb, encoding_option, json_option, note, print_json, show
from deploy.cli.trf.trf_pairing import as_lists, own_pairing, refuse_unknown_system, rounds_of
from deploy.failure import Failure
from deploy.imports import remarks
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
    A round in which every player has a bye is skipped, and a note says so.
    """
    outcomes = []
    for outcome in each_outcome(files, partial(_pair, encoding)):
        outcomes.append(outcome)
        if outcome.answer is None:
            continue
        if as_json:
            print_json({"file": outcome.file, "round": outcome.answer.round, "boards": outcome.answer.boards})
            continue
        if len(files) > 1:
            show(outcome.file)
        show(str(len(outcome.answer.boards)))
        for white, black in outcome.answer.boards:
            show(f"{white} {black}")
    return exit_code(outcomes)


class _NextRound(NamedTuple):
    """The next round of a file: its number, and [white, black] of each board, a player without opponent last as [player, 0]."""

    round: int
    boards: list[list[int]]


def _pair(encoding: str | None, file: str) -> _NextRound:
    trf = read_trf(file, encoding)
    refuse_unknown_system(trf)
    tell(remarks.on_records(trf))
    number = trf.next_round
    for empty in range(trf.rounds_recorded + 1, number):
        note(
            say("{file}: round {empty} is not paired, because every player has a bye in it", file=trf.file, empty=empty)
        )
    if trf.settings.rounds and number > trf.settings.rounds:
        raise Failure(say("{file}: all {rounds} rounds are paired", file=trf.file, rounds=trf.settings.rounds), 1)
    t = tournament_of(trf, rounds=trf.settings.rounds or rounds_of(trf, number))
    answer = own_pairing(trf, t, number)
    if isinstance(answer, Refusal):
        raise Failure(say("{file}: round {number}: {detail}", file=trf.file, number=number, detail=answer.detail), 1)
    return _NextRound(number, as_lists(*answer))
