"""Comments of an exported file on what touched the integrity of its pairings: boards set by hand, rules set aside, pairings
taken back, results corrected and regulations changed after later rounds were paired.

The log has all of it and signs it; these lines tell it to who has the file alone. Each names its line of the log and the line
before it: the state that it was made on, which ``?at=`` shows, and what undid it stands in a line of its own.
"""

from collections.abc import Iterator
from itertools import pairwise

from services.standings.rules.integrity import differing
from shared.core.state.tournament import Tournament

_VALUES = 5
"""Changed values of regulations that are named."""


def integrity_comments(t: Tournament) -> list[str]:
    """The comments, in the order of the log; without the record's code."""
    return [text for _, text in sorted((*_pairings(t), *_corrections(t), *_regulations(t)))]


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
    for game in t.standing_games():
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
        values = differing(former, now)
        if rounds and values:
            more = f" and {len(values) - _VALUES} more" if len(values) > _VALUES else ""
            yield seq, _comment("Configuration", max(rounds), f"changed {', '.join(values[:_VALUES])}{more}", seq)


def _comment(kind: str, round: int, what: str, seq: int) -> str:
    return f"{kind} @ Round {round}: {what} (line {seq}; before it: line {seq - 1})"
