"""The verdict on a draft of a pairing: each rule that it breaks, with article and boards, in people's names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from services.pairing.rounds.pairing_draft import Pair, Read
from services.pairing.rules import commands as co
from services.pairing.rules import play_off, rounds
from services.pairing.rules.absolute_criteria import OVERRIDABLE, SEATED_ONCE, Violation
from services.pairing.rules.sides import team_participants as participants
from services.pairing.rules.sides.model import Meeting
from shared.core.events import RoundPaired
from shared.core.language.messages import Message, MessageFact, say
from shared.core.rounds.matches import team_of, teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, PlayerId, Refusal

_WHO = ("player", "pair", "pair2", "p", "p2", "white", "black", "allocated")
"""The facts of a violation that are people."""
_UNSEATED = "unseated"
CALLED = {
    SEATED_ONCE: say("one seat for everybody"),
    "rematch": say("a second meeting"),
    "forbidden-pair": say("pairs two sides that must not meet"),
    "bye-eligibility": say("eligible for the bye"),
    "bye-count": say("the number of byes"),
    "colours": say("colours"),
    _UNSEATED: say("every player must have a seat or the bye"),
}
"""The displayed names of the absolute rules."""
Seats = tuple[tuple[PlayerId, PlayerId], ...]


@dataclass(frozen=True, slots=True)
class People:
    """The labels of players and teams: number and name."""

    players: Mapping[int, str]
    teams: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Broken:
    """A rule that a draft breaks: its slug, the boards, the detail and the article. ``aside``: it may be overridden."""

    rule: str
    boards: tuple[int, ...]
    detail: Message
    article: str
    aside: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the rules: the board number (the first of a match) of each row, and the broken rules."""

    numbers: Mapping[int, int]
    broken: tuple[Broken, ...] = ()
    refusal: Refusal | None = None


def seats_of(t: Tournament, round: int, pairs: Sequence[Pair]) -> Seats:
    """Return the boards of pairs of sides. Two teams have the boards of their line-ups on which both have a player."""
    if not teams_meet(t):
        return tuple((PlayerId(one), PlayerId(other)) for one, other in pairs)
    boards = (pair for one, other in pairs for pair in participants.boards(t, round, Meeting(one, other)))
    return tuple((white, black) for white, black in boards if white and black)


def sides_of(t: Tournament, boards: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the sides that meet on these boards, each pair once, in the order and colours of its first board."""
    teams = team_of(t) if teams_meet(t) else {}
    sides = [(teams.get(PlayerId(one), one), teams.get(PlayerId(other), other)) for one, other in boards]
    first = {frozenset(pair): pair for pair in reversed(sides)}
    return tuple(dict.fromkeys(first[frozenset(pair)] for pair in sides))


def member_of(t: Tournament, side: int | None) -> PlayerId | None:
    """Return the player who represents a side with a bye (a team's first member), or None without such a side."""
    if side is None:
        return None
    return t.teams[side].members[0] if teams_meet(t) else PlayerId(side)


def of_round(t: Tournament, round: int, actor: Actor, seed: int, people: People, draft: Read) -> Verdict:
    """Return the verdict on the next round."""
    seats = seats_of(t, round, draft.pairs)
    made = rounds.judge(t, co.PairRound(actor, seats, member_of(t, draft.bye), seed=seed))
    if isinstance(made, Refusal):
        return Verdict({}, refusal=made)
    boards = {b.board: sides_of(t, [(b.white, b.black)])[0] for b in made.paired.boards}
    broken = [_broken(v, made.paired, boards, people) for v in made.broken if v.rule != _UNSEATED]
    alone = [v for v in made.broken if v.rule == _UNSEATED]
    if alone:
        detail = say("players who are present, but have no seat: {count}", count=len(alone))
        broken.append(Broken(_UNSEATED, (), detail, alone[0].article, True))
    return Verdict(_numbers(draft, boards), tuple(broken))


def of_play_off(t: Tournament, round: int, actor: Actor, seed: int, people: People, draft: Read) -> Verdict:
    """Return the verdict on a play-off."""
    return Verdict(
        {row: n for n, row in enumerate(draft.rows, 1)},
        refusal=play_off.refuse_boards(t, seats_of(t, round, draft.pairs)),
    )


Judge = Callable[[Tournament, int, Actor, int, People, Read], Verdict]


def _numbers(draft: Read, boards: Mapping[int, Pair]) -> dict[int, int]:
    first = {frozenset(pair): number for number, pair in sorted(boards.items(), reverse=True)}
    return {row: first.get(frozenset(pair), 0) for row, pair in zip(draft.rows, draft.pairs, strict=True)}


def _broken(v: Violation, paired: RoundPaired, boards: Mapping[int, Pair], people: People) -> Broken:
    """Return a violation with its boards, and with names for numbers. A violation without players is of two teams."""
    called = people.players if v.players else people.teams
    facts = {name: _named(fact, called) if name in _WHO else fact for name, fact in v.detail.facts.items()}
    sides = {v.detail.facts.get("p"), v.detail.facts.get("p2")}
    own = (
        b.board
        for b in paired.boards
        if ({b.white, b.black} & set(v.players) if v.players else sides == set(boards[b.board]))
    )
    return Broken(v.rule, tuple(own), replace(v.detail, facts=facts), v.article, v.rule in OVERRIDABLE)


def _named(fact: MessageFact, called: Mapping[int, str]) -> MessageFact:
    if isinstance(fact, tuple):
        return tuple(_named(one, called) for one in fact)
    return called.get(fact, str(fact)) if isinstance(fact, int) else fact
