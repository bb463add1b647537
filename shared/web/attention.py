"""What waits for somebody in a tournament: outdated bases, claims, findings, crossings, appeals, results that are missing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from shared.core.language.messages import Message, say, term
from shared.core.readings.claims import pending_claims, running_deadlines
from shared.core.readings.settlement import describe, open_bases
from shared.core.rulebook.books import citation
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId, Seq
from shared.web.form import board_address, publication_address, upholding_address
from shared.web.page import link

Waiting = Literal["outdated", "claim", "finding", "crossing", "appeal", "deadline", "result"]
NEAR = timedelta(hours=1)
"""How long before its deadline an appeal that may still come stands above the results that are missing."""


@dataclass(frozen=True, slots=True)
class Attention:
    """What waits for somebody: its kind, where it is, what it is, and the form that settles it (``address``, ``deed``)."""

    kind: Waiting
    game: Game | None
    what: Message
    deed: Message
    address: str


@dataclass(frozen=True, slots=True)
class OpenCrossing:
    """A decision, by its first line, that was right on what its desk saw and would not be on all that came before it."""

    seq: Seq
    why: str


def attention(t: Tournament, round: int, now: str, crossings: Iterable[OpenCrossing] = ()) -> Iterator[Attention]:
    """What needs attention at ``round``, the most urgent first; results are missing of the rounds before it. ``crossings`` are
    those that nobody has noted, as an audit found them."""
    yield from _outdated(t)
    for claim in pending_claims(t):
        game = t.games[claim.event.game]
        what = say("claim {claim}: {kind}", claim=claim.event.claim, kind=_called(claim.event.kind))
        yield Attention("claim", game, what, say("decide it"), board_address(t.id, game.round, game.board, "claim"))
    for finding in t.findings.values():
        if finding.open:
            game = t.games[finding.event.game]
            what = say("finding {finding}: {kind}", finding=finding.event.finding, kind=_called(finding.event.kind))
            yield Attention(
                "finding", game, what, say("rule on it"), board_address(t.id, game.round, game.board, "ruling")
            )
    for one in crossings:
        what = say("concurrent decision (event {seq}): {why}", seq=one.seq, why=one.why)
        yield Attention(
            "crossing", None, what, say("note it"), f"{link('tournament_page', t=t.id)}/crossings/{one.seq}"
        )
    yield from _appeals(t)
    deadlines = _deadlines(t, now)
    yield from (one for left, one in deadlines if left <= NEAR)
    games = [g for g in t.games_in_force() if g.round < round and t.setting(g) is None]
    for game in games:
        yield Attention(
            "result", game, say("no result"), say("enter it"), board_address(t.id, game.round, game.board, "result")
        )
    yield from (one for left, one in deadlines if left > NEAR)


def _outdated(t: Tournament) -> Iterator[Attention]:
    """Outdated bases: a table is published again, a pairing is taken back or upheld."""
    for basis in open_bases(t):
        what = say("outdated ({article}): {what}", article=citation(basis.article).message, what=describe(t, basis))
        if basis.kind == "publication":
            address = publication_address(t.id, basis.round)
            yield Attention("outdated", None, what, say("publish it again"), address)
        else:
            yield Attention("outdated", None, what, say("settle it"), upholding_address(t.id, basis.round))


def _appeals(t: Tournament) -> Iterator[Attention]:
    """Appeals that are open."""
    for id, appeal in t.appeals.items():
        if appeal.decision is None:
            game = _game_of(t, appeal.event.ruling)
            what = say("appeal {appeal} against {ruling}", appeal=id, ruling=appeal.event.ruling)
            yield Attention(
                "appeal", game, what, say("decide it"), f"{link('tournament_page', t=t.id)}/appeals/{id}/decision"
            )


def _deadlines(t: Tournament, now: str) -> list[tuple[timedelta, Attention]]:
    """Rulings that may still be appealed against, with the time that is left, the shortest first."""
    running = []
    for id, left in running_deadlines(t, datetime.fromisoformat(now)).items():
        address = f"{link('tournament_page', t=t.id)}/rulings/{id}/appeal"
        running.append((left, Attention("deadline", _game_of(t, id), _left(id, left), say("lodge an appeal"), address)))
    return sorted(running, key=lambda one: one[0])


def _left(id: RulingId, left: timedelta) -> Message:
    hours, minutes = divmod(max(1, int(left.total_seconds() // 60)), 60)
    if hours:
        return say(
            "{ruling} can still be appealed for {hours} h {minutes} min", ruling=id, hours=hours, minutes=minutes
        )
    return say("{ruling} can be appealed against for {minutes} min more", ruling=id, minutes=minutes)


def _called(kind: str) -> Message:
    """A kind of claim or finding as people call it."""
    return term(kind.replace("_", " "))


def _game_of(t: Tournament, id: RulingId) -> Game | None:
    ruling = t.rulings.get(id)
    return None if ruling is None or ruling.event.game is None else t.games.get(ruling.event.game)
