"""The permissions of roles: pure, checked by every service's ``decide`` so that the audit can check them too.

The regulations decide which roles may do what a rulebook leaves to its authorities (effects, annulments). This module only
names these acts. It also lists the acts of a role in the tournament office, with the roles that may do them.
"""

from collections.abc import Callable
from dataclasses import dataclass

from shared.core.language.handles import is_named
from shared.core.language.messages import either, say, term
from shared.core.readings.alike_names import alike_official, name_looks_alike
from shared.core.readings.player_acts import has_entered, player_rules, refuse_unallowed
from shared.core.readings.token_boards import refuse_other_board
from shared.core.rulebook.effects import CHOSEN
from shared.core.rulebook.player_rules import PlayerAct
from shared.core.rulebook.regulations import AuthorityRule
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import OFFICES, Actor, GameId, Refusal, Role


@dataclass(frozen=True, slots=True)
class OfficeAct:
    """An act of the tournament office, with the ``roles`` that may do it and the ``article``.

    If no rule text covers the act, the article is a choice of this project, and its prefix says so. ``players``: the act that
    the regulations must allow players, for an act that they do themselves; None if players always may.
    """

    roles: tuple[Role, ...]
    article: str
    players: PlayerAct | None = None


_OFFICE: tuple[Role, ...] = ("organiser", "chief_arbiter")
_CHIEF: tuple[Role, ...] = ("chief_arbiter",)
_HALL: tuple[Role, ...] = ("chief_arbiter", "deputy_chief_arbiter", "arbiter")
_RULEBOOK: tuple[Role, ...] = ("rulebook",)

APPLY = "apply"
"""The act of imposing what the rulebook fixes for an infraction."""
ANNUL = "annul"
RETRACT = "retract"
"""The act of retracting another official's slip. The author may do it in any role."""
LODGE_APPEAL = "lodge an appeal"
DECIDE_APPEAL = "decide an appeal"
DECIDE_GAME = "decide a game"
"""The act of deciding a game that cannot continue and for which nobody is accused."""
DECIDE_CLAIM = "decide a claim"
RULING_ACTS: tuple[str, ...] = (APPLY, *CHOSEN)
RULEBOOK_ACTS = (*RULING_ACTS, ANNUL, RETRACT, LODGE_APPEAL, DECIDE_APPEAL, DECIDE_GAME)
"""The acts that a rulebook grants to roles."""

ANNOUNCE = "announce"
"""The only act that the token alone permits: before it no log exists that could grant a role."""
APPOINT = "appoint or dismiss officials"
READ_TEXTS = "read texts"
WEBHOOKS = "register webhooks"
OFFICE_NOT_HELD = "office-not-held"

_OFFICES_SOURCE = "002-X"
"""The text that names the offices. A rulebook that cites it also accepts the articles of other Chinese texts."""
_ORGANISATION = "002-X 16.1: 竞赛组织机构; default: also the chief arbiter, on its behalf"
_COMPETITION = "002-X 16.1, 17.5: 竞赛组织机构, and 裁判长 for each round"
_EACH_ROUND = "002-X 17.5: 负责每场比赛的组织和监局,公布比赛结果; default: also the deputy 副裁判长 (16.2)"
_CHIEF_ALONE = "default: only the chief arbiter, not a deputy"

ACTS: dict[str, OfficeAct] = {
    ANNOUNCE: OfficeAct(_OFFICE, _ORGANISATION),
    "correct the tournament": OfficeAct(_OFFICE, "default: officials who create a tournament correct it"),
    "list the tournament": OfficeAct(_OFFICE, "default: officials who create a tournament decide when it is listed"),
    "adopt regulations": OfficeAct(_OFFICE, "002-X 16.1, 17.1: 章程和补充规定"),
    APPOINT: OfficeAct(_OFFICE, "002-X 16.2: 指定裁判人员, 任命裁判长, 增设副裁判长"),
    "enter players": OfficeAct(_OFFICE, _ORGANISATION),
    "correct an entry": OfficeAct(_OFFICE, "C.04.2: data that were not correct can be adjusted at any time"),
    "enter teams": OfficeAct(_OFFICE, _ORGANISATION),
    "hand in a line-up": OfficeAct(("organiser", *_HALL), _EACH_ROUND),
    "assign starting numbers": OfficeAct(_OFFICE, _COMPETITION),
    "withdraw a player": OfficeAct((*_OFFICE, *_RULEBOOK), "002-X 18.3, 20.1"),
    "let a player return": OfficeAct((*_OFFICE, *_RULEBOOK), _COMPETITION),
    "grant a bye": OfficeAct((*_OFFICE, "player"), f"{_COMPETITION}, and the players themselves", "half_bye"),
    "check in players": OfficeAct(
        ("organiser", *_HALL, "player"), f"{_EACH_ROUND}, and the players themselves", "check_in"
    ),
    "forbid pairs": OfficeAct(_OFFICE, _COMPETITION),
    "give virtual points": OfficeAct(_OFFICE, _COMPETITION),
    "fix a board": OfficeAct(_OFFICE, _COMPETITION),
    "draw lots": OfficeAct(_OFFICE, _COMPETITION),
    "pair a round": OfficeAct(_OFFICE, _COMPETITION),
    "override an absolute rule": OfficeAct(_CHIEF, _CHIEF_ALONE),
    "withdraw a pairing": OfficeAct(_CHIEF, _CHIEF_ALONE),
    "uphold a pairing": OfficeAct(_CHIEF, _CHIEF_ALONE),
    "erase a text": OfficeAct(("organiser",), "default: the official responsible for personal data"),
    "set visibility": OfficeAct(_OFFICE, "default: officials who enter players decide what everyone sees of them"),
    "set the venue notice": OfficeAct(
        ("organiser", *_HALL), "default: officials at the venue announce what happens next"
    ),
    READ_TEXTS: OfficeAct((*_OFFICE, "auditor"), "default: officials responsible for personal data, and auditors"),
    WEBHOOKS: OfficeAct(
        _OFFICE, "default: officials who decide where data of the event are sent may register webhooks"
    ),
    "report results": OfficeAct(_HALL, _EACH_ROUND),
    "call an arbiter": OfficeAct((*_HALL, "player"), "002-X 17.4: 裁决比赛中出现的问题; default: players call", "call"),
    "state a result": OfficeAct(("player",), "default: both players state the result of their game", "report"),
    "correct results": OfficeAct(_HALL, _EACH_ROUND),
    "give a loss to both": OfficeAct(
        ("deputy_chief_arbiter", *_CHIEF),
        "000-A 围棋, 行棋 3: 裁判长根据实际情况裁判; default: in every game, and also the deputy",
    ),
    "feed moves": OfficeAct(("board", *_HALL, "player"), "002-X 7.1: 棋手记录; default: also an arbiter or a device"),
    "make a claim": OfficeAct(
        ("board", *_HALL, "player"), "default: players make claims, also by an arbiter or a device", "claim"
    ),
    DECIDE_CLAIM: OfficeAct(_HALL, "002-X 17.4: 裁决比赛中出现的问题"),
    "set up a position": OfficeAct(
        _HALL, "default: the same as 002-X 17.4; a board or a player begins from the usual position"
    ),
    "take moves back": OfficeAct(_HALL, "002-X 5.8, 17.4"),
    "set a clock": OfficeAct(_HALL, "002-X 21.3, 22.4; 000-E 围棋 5(5)"),
    "settle boundaries": OfficeAct(_CHIEF, "000-E 围棋 5(4): 双方地界的勘定由裁判长负责"),
    "note arrivals": OfficeAct(_HALL, "002-X 21"),
    "note breaks": OfficeAct(_HALL, "002-X 8.3"),
    "note a crossing": OfficeAct(_CHIEF, _CHIEF_ALONE),
    "announce a key": OfficeAct(
        ("organiser", *_RULEBOOK), "default: the officials responsible for the servers; each service for its own key"
    ),
    "publish": OfficeAct(_OFFICE, _COMPETITION),
    "keep a report file": OfficeAct(_OFFICE, _ORGANISATION),
    "restart checkpoints": OfficeAct(_OFFICE, "default: officials responsible for the log of the event"),
    "answer a finding": OfficeAct(_RULEBOOK, "default: the rulebook decides, not a person"),
    "check facts": OfficeAct(_RULEBOOK, "default: the score sheet decides, not a person"),
    "draw consequences": OfficeAct(_RULEBOOK, "default: the rulebook decides, not a person"),
}
MAY_IMPORT = tuple(role for role in ACTS[ANNOUNCE].roles if role in ACTS["report results"].roles)
"""Roles that may do all of an import. The API would refuse an organiser at the first result, half way."""


Permit = Callable[[TournamentState, Actor], Refusal | None]
"""A check that returns why somebody may not do something in a tournament, or None if they may."""


def permit_any(*acts: str) -> Permit:
    """Return a check that permits any actor allowed at least one of these acts, of an office or of the rulebook.

    If none is allowed, it returns the refusal that is about the person rather than the role, or the first one. If `RETRACT` is
    among the acts, every actor is permitted, because a ruling's author may retract it in any role.
    """

    def permitted(t: TournamentState, actor: Actor) -> Refusal | None:
        if RETRACT in acts:
            return None
        refusals = [permit(t, actor, act) if act in ACTS else permit_granted(t, actor, act) for act in acts]
        if None in refusals:
            return None
        return next((one for one in refusals if one is not None and one.code != "role-may-not"), refusals[0])

    return permitted


def permit(t: TournamentState, actor: Actor, act: str, game: GameId | None = None) -> Refusal | None:
    """Return None if ``actor`` may do ``act`` in this tournament (and in this ``game`` of it), else the refusal.

    Refusals: ``official-dismissed``, ``role-may-not``, ``office-not-held``, ``other-board``.
    """
    dismissed = refuse_dismissed(t, actor)
    if dismissed is not None:
        return dismissed
    row = ACTS[act]
    if actor.role not in row.roles:
        may = [term(role) for role in roles_of(t, act) if role != "rulebook" or len(row.roles) == 1]
        roles = either(may) if may else say("nobody: the regulations do not allow it to players")
        return Refusal(
            "authority",
            "role-may-not",
            say(
                "the role {role} may not {act}; roles that may: {roles}",
                role=term(actor.role),
                act=term(act),
                roles=roles,
            ),
            _article(t, row),
        )
    if act == ANNOUNCE:
        return None
    unallowed = refuse_unallowed(t, row.players, act) if row.players and actor.role == "player" else None
    other = refuse_other_board(t, actor, game) if actor.role == "board" else None
    return refuse_without_office(t, actor) or unallowed or other


def roles_of(t: TournamentState, act: str) -> tuple[Role, ...]:
    """Return the roles that may do an act of the office in a tournament, without players if its regulations forbid it."""
    row = ACTS[act]
    if row.players is None or row.players in player_rules(t).allowed_acts:
        return row.roles
    return tuple(role for role in row.roles if role != "player")


def _article(t: TournamentState, row: OfficeAct) -> str:
    """Return the article of an act, marked as a choice of this project if the rulebook grants nothing by the same text."""
    source, _, _ = row.article.partition(" ")
    if source == "default:" or not isinstance(t, Tournament):
        return row.article
    granted = {one.article.partition(" ")[0] for one in t.regulations.rulebook.authority}
    return row.article if granted & {source, _OFFICES_SOURCE} else f"default, as in {row.article}"


def authority_rule(t: Tournament, act: str) -> AuthorityRule | None:
    """Return the rulebook's row for an act, or None if nobody may do it."""
    return next((row for row in t.regulations.rulebook.authority if row.act == act), None)


def permit_granted(t: TournamentState, actor: Actor, *acts: str) -> Refusal | None:
    """Return None if the rulebook grants the actor's role one of these acts and the log says that they hold the role.

    Else return the refusal.
    """
    if not isinstance(t, Tournament):
        return unknown_tournament(t)
    refusal = refuse_dismissed(t, actor)
    if refusal is not None:
        return refusal
    rows = [row for row in (authority_rule(t, act) for act in acts) if row is not None]
    if any(actor.role in row.roles for row in rows):
        return refuse_without_office(t, actor)
    roles = dict.fromkeys(role for row in rows for role in row.roles)
    takes = either(map(term, roles)) if roles else say("nobody: the rulebook does not grant it to any role")
    return Refusal(
        "authority",
        "role-may-not",
        say(
            "the role {role} may not {act}; roles that may: {roles}",
            role=term(actor.role),
            act=term(acts[0].replace("_", " ")),
            roles=takes,
        ),
        rows[0].article if rows else None,
        see=f"/v1/tournaments/{t.id}/rulebook",
    )


def unknown_tournament(t: TournamentState) -> Refusal:
    """Return the refusal ``unknown-tournament``: the tournament does not exist, or has no regulations yet."""
    return Refusal(
        "unknown", "unknown-tournament", say("the tournament {id} does not exist, or has no regulations yet", id=t.id)
    )


def refuse_dismissed(t: TournamentState, actor: Actor) -> Refusal | None:
    """Return the refusal ``official-dismissed`` for a dismissed official, who may do nothing more here, or None."""
    if not t.dismissed or actor.role == "rulebook":
        return None
    for name, seq in t.dismissed.items():
        if is_named(actor.name, name):
            detail = say("{name} was dismissed from {id} (event {seq})", name=name, id=t.id, seq=seq)
            return Refusal("authority", "official-dismissed", detail)
    return None


def refuse_without_office(t: TournamentState, actor: Actor) -> Refusal | None:
    """Return the refusal ``office-not-held`` if the token claims a role that the log does not grant, or None.

    It says who can appoint the actor, and how. A player's name is the number of their entry. If the tournament was created
    before roles were checked, the result is always None.
    """
    if t.offices < 2:
        return None
    if actor.role == "player":
        return None if has_entered(t, actor.name) else _no_entry(t, actor)
    official = t.officials.get(actor.name)
    if official is not None and (actor.role not in OFFICES or actor.role in official.roles):
        return None
    other = alike_official(t, actor.name)
    if other is not None:
        return name_looks_alike("authority", actor.name, other)
    if actor.role not in OFFICES:
        return None
    row = ACTS[APPOINT]
    appointers = tuple(
        sorted(name for name, official in t.officials.items() if not official.roles.isdisjoint(row.roles))
    )
    detail = say(
        "{name} does not hold the role {role} in {id}, although the token states it; {who} may "
        "appoint: POST /v1/tournaments/{id}/officials",
        name=actor.name,
        role=term(actor.role),
        id=t.id,
        who=appointers,
    )
    return Refusal("authority", OFFICE_NOT_HELD, detail, _article(t, row), see=f"/v1/tournaments/{t.id}")


def _no_entry(t: TournamentState, actor: Actor) -> Refusal:
    detail = say(
        "{id} has no player {name}; the name of a player's token must be the player's number in the tournament",
        name=actor.name,
        id=t.id,
    )
    return Refusal("authority", OFFICE_NOT_HELD, detail, see=f"/v1/tournaments/{t.id}/standings")
