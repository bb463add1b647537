"""The form of a manual pairing: seats are typed or swapped, each change is checked, the checked draft is written."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flask import Response, request
from marshmallow import Schema, fields, pre_load, validate

from services.pairing.entries.absent_players import absent_players
from services.pairing.rounds.draft_verdict import CALLED, Judge, People, Verdict, sides_of
from services.pairing.rounds.pairing_draft import (
    MOST_ROWS,
    Draft,
    Pair,
    Read,
    Sides,
    acted,
    changes,
    draft_of,
    drafted,
    lines_of,
    pairs_of,
    read,
)
from services.pairing.rules.absolute_criteria import OVERRIDABLE
from shared.core.language.messages import Message, say
from shared.core.readings.authority import permit
from shared.core.readings.scoring import scores
from shared.core.readings.team_scoring import team_scores
from shared.core.rounds.matches import team_of, teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId
from shared.core.values.bounds import REASON
from shared.desk.desk import Desk, View
from shared.http.common_problems import bad_fields
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.log.texts import Texts
from shared.web.attention import attention
from shared.web.board_seen import columns_of
from shared.web.form import Form
from shared.web.names import isolated
from shared.web.particulars import hidden_from_reader, names_of, units_of

HAND = "hand"
_PUBLISH, _START, _LINES = "publish", "start", "lines"
_EDITOR = re.compile(r"by|do|pick|bye|seen|basis|equals|lines|[wb][1-9][0-9]{0,3}")
"""The fields that the editor reads itself."""
_BYES = re.compile(r"([1-9][0-9]{0,8})([UZ])(?= |$)")
_LONGEST_LINES = 200_000


class HandForm(Schema):
    """The fields that are sent in addition to the seats."""

    reason = fields.String(load_default=None, validate=validate.Length(1, REASON.longest))
    overrides = fields.List(fields.String(validate=validate.OneOf(OVERRIDABLE)), load_default=list)

    @pre_load
    def _of_the_command(self, data: Mapping[str, Any], **kwargs: Any) -> dict[str, Any]:
        own = {name: value for name, value in data.items() if not _EDITOR.fullmatch(name)}
        one = own.get("overrides")
        return own | ({"overrides": [one]} if isinstance(one, str) else {})


@dataclass(frozen=True)
class Sheet:
    """The context of a manual pairing: round ``n`` of the tournament, its ``judge``, and whether there is a bye.

    ``seed`` is the seed of its lots. ``present`` are the sides that can be seated, in starting order. ``begins`` are
    the pairs of the first draft.
    """

    desk: Desk
    view: View
    n: int
    judge: Judge
    seed: int
    present: tuple[int, ...]
    heading: Message
    publish: Message
    has_bye: bool = True
    why_not: Message | None = None
    begins: tuple[Pair, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def t(self) -> Tournament:
        state = self.view.state
        assert isinstance(state, Tournament)
        return state

    @property
    def sides(self) -> Sides:
        """All entered sides, with their numbers and names."""
        if not teams_meet(self.t):
            return player_sides(self.desk, self.t)
        return Sides({n: n for n in self.t.teams}, called_teams(self.desk, self.t))

    @property
    def looked_up(self) -> Sides:
        """The sides by number, and also by name for users who may pair, since a name is searched among all entries."""
        who = auth.visitor_of(self.t.id)
        may = who is not None and permit(self.t, who.actor, "pair a round") is None
        return self.sides if may else Sides(self.sides.numbers, {})

    def people(self, sides: Sides) -> People:
        """Return players and teams by number and name."""
        numbers = {p: entry.starting_number for p, entry in self.t.players.items()}
        names = names_of(self.desk, self.t, self.t.players)
        players = {int(p): f"{numbers[p]} {isolated(names.get(p, ''))}".strip() for p in self.t.players}
        teams = sides.names if teams_meet(self.t) else {}
        return People(players, {n: f"{n} {isolated(teams.get(n, ''))}".strip() for n in self.t.teams})

    def empty(self) -> Draft:
        """Return a draft with an empty row for every two present sides."""
        return Draft((("", ""),) * max(1, min(len(self.present) // 2, MOST_ROWS)))


def player_sides(desk: Desk, t: Tournament) -> Sides:
    """Return all players with their starting numbers, and with their names if these are available."""
    names = {int(p): name for p, name in names_of(desk, t, t.players).items()}
    return Sides({e.starting_number: p for p, e in t.players.items()}, names)


def called_teams(desk: Desk, t: Tournament) -> dict[int, str]:
    """Return the available names of teams."""
    called = desk.called(team.name.text for team in t.teams.values())
    return {n: called[team.name.text] for n, team in t.teams.items() if team.name.text in called}


def started(sheet: Sheet) -> tuple[Draft, str]:
    """Return the first draft of the form and its text: the displayed pairing (``boards``, ``byes``), or empty rows."""
    pairs = sheet.begins or sides_of(
        sheet.t, pairs_of(request.form.get("boards", "")[:_LONGEST_LINES])[: len(sheet.t.players)]
    )
    byes = [int(player) for player, _ in _BYES.findall(request.form.get("byes", "")[:_LONGEST_LINES])]
    teams = team_of(sheet.t) if teams_meet(sheet.t) else {}
    free = {teams.get(PlayerId(player), player) for player in byes}
    bye = free.pop() if len(free) == 1 else None
    if not pairs:
        return sheet.empty(), ""
    draft = drafted(pairs, bye, sheet.sides)
    return draft, read(draft, sheet.sides).text


def respond(sheet: Sheet, form: Form, make: Callable[[Any, Texts, dict[str, Any], Read], Any]) -> Response:
    """Answer a GET, a POST that changes the draft (``do``), or a POST that publishes it.

    A changed draft is shown with its verdict. A draft is published only if it was checked as it is (``seen``). ``make``
    returns the command for the sender and the draft.
    """
    act = request.form.get("do", "")
    told: Message | None = None
    if request.method != "POST" or act == _START:
        draft, basis = started(sheet)
    else:
        draft, basis = draft_of(request.form), request.form.get("basis", "")[:_LONGEST_LINES]
    if act == _LINES and request.form.get(_LINES, "").strip():
        draft = lines_of(request.form[_LINES][:_LONGEST_LINES])
    elif request.method == "POST" and act not in (_PUBLISH, _START):
        changed = acted(draft, act, request.form.getlist("pick"))
        draft, told = (draft, changed) if isinstance(changed, Message) else (changed, None)

    draft = replace(draft, rows=draft.rows[: max(1, len(sheet.sides.numbers))])

    def command(actor: Any, texts: Texts, sent: dict[str, Any]) -> Any:
        meant = read(draft, sheet.looked_up)
        _looked_at(meant)
        return make(actor, texts, sent, meant)

    def context() -> dict[str, Any]:
        return _shown(sheet, draft, basis, told)

    whole = replace(form, context=context)
    if request.method == "POST" and act != _PUBLISH and "by" in request.form:
        return whole.shown()
    return whole.respond(HandForm, command)


def _looked_at(meant: Read) -> None:
    """Raise `Problem` if a draft has errors, or if it was not checked in its present form."""
    if meant.faults:
        raise bad_fields(None, say("the pairing has errors: see the remark next to each row"))
    if meant.text != request.form.get("seen", ""):
        raise Problem(
            409,
            "not-looked-at",
            say("The pairing was changed after it was checked"),
            say("check it again before you publish it"),
        )


def _shown(sheet: Sheet, draft: Draft, basis: str, told: Message | None) -> dict[str, Any]:
    """Return the context of the template for a draft."""
    t, sides = sheet.t, sheet.sides
    meant = read(draft, sheet.looked_up)
    who = auth.visitor_of(t.id)
    barred = None if who is None else permit(t, who.actor, "pair a round")
    why_not = sheet.why_not or (None if barred is None else barred.detail)
    verdict = Verdict({})
    if who is not None and why_not is None and (meant.pairs or meant.bye):
        verdict = sheet.judge(t, sheet.n, who.actor, sheet.seed, sheet.people(sides), meant)
    seated, began = set(meant.found.values()), dict(enumerate(pairs_of(basis), 1))
    return {
        "n": sheet.n,
        "sheet": sheet,
        "draft": draft,
        "basis": basis,
        "meant": meant,
        "verdict": verdict,
        "rules": CALLED,
        "told": told,
        "why_not": why_not,
        "headings": columns_of(t),
        "numbers": {side: number for number, side in sides.numbers.items()},
        "names": sides.names,
        "absent": [] if _hides_check_in(sheet) else absent_players(t, sheet.n),
        "units": {} if teams_meet(t) else units_of(sheet.desk, t, t.players),
        "points": side_points(t, sheet.n),
        "left": [side for side in sheet.present if side not in seated],
        "changes": changes(began, dict(zip(meant.rows, meant.pairs, strict=True))),
        "waiting": list(attention(t, sheet.n)),
        "aside": set(request.form.getlist("overrides")),
        "may_override": who is not None and permit(t, who.actor, "override an absolute rule") is None,
        "address": f"{request.script_root}{request.path}",
        **sheet.more,
    }


def _hides_check_in(sheet: Sheet) -> bool:
    """Return whether absent players are not marked: if sides are teams, or if the reader may not see the check-in."""
    return teams_meet(sheet.t) or bool(hidden_from_reader(sheet.desk, sheet.t, ("checked_in",)))


def side_points(t: Tournament, n: int) -> dict[int, int]:
    """Return the points of each side before the round, in half-points, or match points for a team."""
    if n < 2:
        return {}
    if teams_meet(t):
        return {team: score.match_points for team, score in team_scores(t, n - 1).items()}
    return {int(player): score.points for player, score in scores(t, n - 1).items()}
