"""Outdated bases in words: the difference, the acts that settle it, and the acts refused until then.

Also the other changes of a state that events cause without listing them: rulings in and out of force, and open games.

`shared.core.readings.outdated_bases` finds them. Answers, pages and refusals take their words from here.
Standard library only.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from shared.core.language.messages import Message, MessageFact, and_more, in_turn, say
from shared.core.readings.outdated_bases import TABLE_ARTICLE, OutdatedBasis, find_outdated_bases
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.stages import whole_competition
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import GameId, Refusal, RulingId

NAMED_AT_MOST = 12
"""Maximum number of sides in a message."""

_DRAWN_UP = frozenset(name for name, traits in FORMATS.items() if traits.drawn_up)
"""Formats whose pairings a table or a bracket fixes: a ruling annulled later can change which game was due."""

UNLISTED = ("out_of_force", "in_force_again", "reopened", "outdated")
"""The members of an answer that `unlisted_changes` returns."""

Act = Literal["withdraw", "void", "uphold", "publish"]


class Settlement(NamedTuple):
    """An act that settles an outdated pairing or table, and the ``rounds`` that it must be done to, in this order."""

    act: Act
    rounds: tuple[int, ...]


def may_have_bases(t: TournamentState) -> bool:
    """Return whether the format has stages, a table or a bracket, so that a pairing or a published table can be outdated."""
    if not isinstance(t, Tournament):
        return False
    return bool(t.regulations.stages) or whole_competition(t.announced).format in _DRAWN_UP


def open_bases(t: TournamentState) -> tuple[OutdatedBasis, ...]:
    """Return the outdated pairings and tables that must be settled: an empty tuple before decision edition 3."""
    return find_outdated_bases(t) if isinstance(t, Tournament) and _must_settle(t) else ()


def _must_settle(t: TournamentState) -> bool:
    return isinstance(t, Tournament) and t.regulations.decisions >= 3 and may_have_bases(t)


def newly_open(before: TournamentState, after: TournamentState) -> tuple[OutdatedBasis, ...]:
    """Return the pairings and tables outdated in state ``after`` but not, or in another way, in state ``before``."""
    bases = open_bases(after)
    former = set(map(difference, open_bases(before))) if bases else set()
    return tuple(basis for basis in bases if difference(basis) not in former)


def rulings_out_of_force(before: TournamentState, after: TournamentState) -> tuple[RulingId, ...]:
    """Return the rulings that are in force in the state ``before`` but no longer in ``after``.

    They were annulled, or lapsed with a ruling that they depend on.
    """
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return ()
    both = (ruling for ruling in before.rulings if ruling in after.rulings)
    return tuple(ruling for ruling in both if before.is_in_force(ruling) and not after.is_in_force(ruling))


def reopened_games(before: TournamentState, after: TournamentState) -> tuple[GameId, ...]:
    """Return the games that have a result in the state ``before`` but none in ``after``."""
    if not isinstance(before, Tournament) or not isinstance(after, Tournament):
        return ()
    open_now = [game for game in after.games_in_force() if game.game in before.games and after.setting(game) is None]
    return tuple(game.game for game in open_now if before.setting(before.games[game.game]) is not None)


def snapshot(t: TournamentState) -> TournamentState | None:
    """Return a copy of the state for `unlisted_changes`, or None if no event can cause such a change."""
    return t.fork() if t.rulings or _must_settle(t) else None


def unlisted_changes(before: TournamentState | None, after: TournamentState) -> dict[str, Sequence[Any]]:
    """Return the changes since the state ``before`` as members of an answer, without empty ones.

    ``before``: from `snapshot` (None: return nothing).
    """
    if before is None or not isinstance(after, Tournament):
        return {}
    lapsed, restored = rulings_out_of_force(before, after), rulings_out_of_force(after, before)
    reopened = reopened_games(before, after) if lapsed or restored else ()
    outdated = [basis_to_data(after, basis) for basis in newly_open(before, after)]
    found = dict(zip(UNLISTED, (lapsed, restored, reopened, outdated), strict=True))
    return {name: change for name, change in found.items() if change}


def difference(basis: OutdatedBasis) -> tuple[object, ...]:
    """Return the key of an outdated pairing or table, which stays the same if another event outdates it again."""
    return basis.kind, basis.pairing, basis.round, basis.match, basis.seated, basis.due


def settlements(t: Tournament, basis: OutdatedBasis) -> tuple[Settlement, ...]:
    """Return the acts that settle an outdated pairing or table. Each of them is enough."""
    if basis.kind == "publication":
        return (Settlement("publish", (basis.round,)),)
    rounds = tuple(range(t.rounds_paired(), basis.round - 1, -1))
    begun = any(t.has_begun(game) for game in t.games_in_force() if game.round >= basis.round)
    take_back: tuple[Settlement, ...] = (Settlement("void" if begun else "withdraw", rounds),)
    if t.closed():
        take_back = ()
    return (*take_back, Settlement("uphold", (basis.round,)))


def describe(t: Tournament, basis: OutdatedBasis) -> Message:
    """Return a sentence that explains why a pairing or table is outdated."""
    seated, due = sides_of(t, basis.seated), sides_of(t, basis.due)
    others = sides_of(t, tuple(side for side in basis.due if side not in basis.seated))
    if basis.kind == "match" and len(basis.due) > 2:
        return say(
            "round {round}, match {match}: {seated} advanced without an opponent, but {others} would play for the other seat now",
            round=basis.round,
            match=basis.match,
            seated=seated,
            others=others,
        )
    if basis.kind == "match":
        return say(
            "round {round}, match {match}: {seated} are seated, but {due} would be seated now",
            round=basis.round,
            match=basis.match,
            seated=seated,
            due=due,
        )
    if basis.kind == "qualifiers" and basis.article == TABLE_ARTICLE:
        return say(
            "round {round} was paired without a game of {sides}, but they would have one now",
            round=basis.round,
            sides=others,
        )
    if basis.kind == "qualifiers":
        return say(
            "round {round} began with {seated}, but {due} would have qualified now",
            round=basis.round,
            seated=seated,
            due=due,
        )
    return say(
        "the table after round {round} was published before event {seq} changed it",
        round=basis.round,
        seq=basis.because,
    )


def sides_of(t: Tournament, sides: tuple[int, ...]) -> Message:
    """Return a message that lists sides (players or teams) by number, or "nobody" for an empty list."""
    numbered = [side for side in sides if side]
    if not numbered:
        return say("nobody")
    numbers = and_more(numbered, NAMED_AT_MOST)
    if teams_meet(t):
        return say("team {sides}", sides=numbers) if len(numbered) == 1 else say("teams {sides}", sides=numbers)
    return say("player {sides}", sides=numbers) if len(numbered) == 1 else say("players {sides}", sides=numbers)


def describe_settlement(one: Settlement) -> Message:
    """Return an act that settles an outdated pairing or table in words, as the end of a sentence."""
    rounds: MessageFact = one.rounds
    if one.act == "publish":
        return say("publish the table after round {round} again", round=rounds)
    if one.act == "uphold":
        return say("uphold the pairing of round {round} with a reason", round=rounds)
    if one.act == "withdraw":
        return say("withdraw the pairing of round {rounds} and pair again", rounds=rounds)
    return say("void the pairing of round {rounds} with a reason and pair again", rounds=rounds)


def basis_to_data(t: Tournament, basis: OutdatedBasis) -> dict[str, Any]:
    """Return an outdated pairing or publication as a member of an HTTP answer, without its sentence (``message``).

    ``seq``: the event that made it outdated.
    """
    return {
        "kind": basis.kind,
        "pairing": basis.pairing,
        "round": basis.round,
        "match": basis.match,
        "boards": basis.boards,
        "seated": basis.seated,
        "due": basis.due,
        "seq": basis.because,
        "article": basis.article,
        "settle": [
            {"act": one.act, "rounds": one.rounds, "href": f"/v1/tournaments/{t.id}/{_path(one)}"}
            for one in settlements(t, basis)
        ],
    }


def basis_from_data(data: dict[str, Any]) -> OutdatedBasis:
    """Return the basis that `basis_to_data` was called with, also after a round trip through JSON."""
    boards, seated, due = (tuple(data[name]) for name in ("boards", "seated", "due"))
    return OutdatedBasis(
        data["kind"], data["pairing"], data["round"], data["match"], boards, seated, due, data["seq"], data["article"]
    )


def _path(one: Settlement) -> str:
    """Return the path of the first request of an act, after that of the tournament."""
    if one.act == "publish":
        return "publications"
    return f"rounds/{one.rounds[0]}/{'upholding' if one.act == 'uphold' else 'withdrawal'}"


def refuse_outdated(t: Tournament, *, table_of: int, where: str | None = None) -> Refusal | None:
    """Return the refusal ``basis-outdated`` if a pairing or table is outdated and not settled, else None.

    A published table after round ``table_of`` is ignored, because the refused command would replace it. ``where``: the
    field of the command that the refusal points to.
    """
    bases = (basis for basis in open_bases(t) if basis.kind != "publication" or basis.round != table_of)
    return next((_refusal(t, basis, where) for basis in bases), None)


def refuse_outdated_table(t: Tournament, round: int) -> Refusal | None:
    """Return the refusal ``basis-outdated`` if the table published after a round is outdated, else None."""
    tables = (basis for basis in open_bases(t) if basis.kind == "publication" and basis.round == round)
    return next((_refusal(t, basis, None) for basis in tables), None)


def _refusal(t: Tournament, basis: OutdatedBasis, where: str | None) -> Refusal:
    ways = in_turn(map(describe_settlement, settlements(t, basis)))
    detail = say("{what}; to settle it: {ways}", what=describe(t, basis), ways=ways)
    return Refusal("rule", "basis-outdated", detail, basis.article, where, f"/v1/tournaments/{t.id}/integrity")
