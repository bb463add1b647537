"""The open tasks of a tournament: outdated bases, claims, findings, crossings, appeals, results that are missing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from shared.core.language.messages import Message, say, term
from shared.core.readings.authority import DECIDE_APPEAL, permit_granted
from shared.core.readings.claims import pending_claims
from shared.core.readings.settlement import describe, open_bases
from shared.core.readings.statements import differing_games
from shared.core.rulebook.articles import own_citation
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RulingId, Seq
from shared.http.requests import auth
from shared.web.form import board_address, publication_address, upholding_address
from shared.web.page import link

Waiting = Literal["outdated", "claim", "finding", "crossing", "appeal", "call", "statement", "result"]


@dataclass(frozen=True, slots=True)
class Attention:
    """An open task: its kind, its game, its description, and the form that settles it (``address``, ``deed``)."""

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


def attention(t: Tournament, round: int, crossings: Iterable[OpenCrossing] = ()) -> Iterator[Attention]:
    """Yield what needs attention at ``round``, the most urgent first. Missing results are those of the rounds before it.

    ``crossings``: those that nobody has noted, as an audit found them. A ruling that may still be appealed against is no task.
    """
    yield from _outdated(t)
    for game in (t.games[id] for id in t.calls):
        if game.pairing not in t.withdrawn_pairings and not t.closed():  # nobody can answer one after that
            address = board_address(t.id, game.round, game.board, "call")
            yield Attention("call", game, say("a player calls an arbiter"), say("answer it"), address)
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
    for game in differing_games(t):
        address = board_address(t.id, game.round, game.board, "result")
        yield Attention("statement", game, say("the players state different results"), say("enter it"), address)
    for one in crossings:
        what = say("concurrent decision (event {seq}): {why}", seq=one.seq, why=one.why)
        yield Attention(
            "crossing", None, what, say("note it"), f"{link('tournament_page', t=t.id)}/crossings/{one.seq}"
        )
    yield from open_appeals(t)
    games = [g for g in t.games_in_force() if g.round < round and t.setting(g) is None]
    for game in games:
        yield Attention(
            "result", game, say("no result"), say("enter it"), board_address(t.id, game.round, game.board, "result")
        )


def _outdated(t: Tournament) -> Iterator[Attention]:
    """Outdated bases: a table is published again, a pairing is taken back or upheld."""
    for basis in open_bases(t):
        article = own_citation(t.regulations, basis.article)
        what = describe(t, basis)
        if article is None:
            what = say("outdated: {what}", what=what)
        else:
            what = say("outdated ({article}): {what}", article=article, what=what)
        if basis.kind == "publication":
            address = publication_address(t.id, basis.round)
            yield Attention("outdated", None, what, say("publish it again"), address)
        else:
            yield Attention("outdated", None, what, say("settle it"), upholding_address(t.id, basis.round))


def may_decide_appeals(t: TournamentState) -> bool:
    """Return whether the reader of this page holds an office that decides appeals by the rulebook."""
    who = auth.visitor_of(t.id)
    return who is not None and permit_granted(t, who.actor, DECIDE_APPEAL) is None


def open_appeals(t: Tournament) -> Iterator[Attention]:
    """Yield the open appeals. Each leads to its decision, for other readers than those who decide it to the ruling."""
    decides = may_decide_appeals(t)
    for id, appeal in t.appeals.items():
        if appeal.decision is not None:
            continue
        what = say("appeal {appeal} against {ruling}", appeal=id, ruling=appeal.event.ruling)
        deed, address = say("see it"), link("ruling_page", t=t.id, r=appeal.event.ruling, at=None, without=None)
        if decides:
            deed, address = say("decide it"), link("appeal_decision_form", t=t.id, a=id, at=None, without=None)
        yield Attention("appeal", _game_of(t, appeal.event.ruling), what, deed, address)


def _called(kind: str) -> Message:
    """A kind of claim or finding as people call it."""
    return term(kind.replace("_", " "))


def _game_of(t: Tournament, id: RulingId) -> Game | None:
    ruling = t.rulings.get(id)
    return None if ruling is None or ruling.event.game is None else t.games.get(ruling.event.game)
