"""Lists over HTTP: entries, officials, teams, byes, lots and rounds, in their current state."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response
from marshmallow import fields, validate

from services.pairing import list_answers as answers
from services.pairing import responses
from shared.core.events import PersonalMember
from shared.core.readings.particulars import Particulars
from shared.core.state.entities import Player, Team
from shared.core.state.tournament import TournamentState
from shared.core.terms import PlayerId
from shared.core.values.bounds import FEDERATION, HIGHEST
from shared.desk.desk import Desk, View
from shared.http.addresses import T
from shared.http.common_problems import unknown_player, unknown_team
from shared.http.operations import Operation
from shared.http.reads import paging, tournament_query
from shared.web.particulars import hidden_from_reader, names_of, particulars_of
from shared.wire.answer import answer_of

PAGED = tournament_query.POINT | paging.QUERY
_PERSONAL = (
    "Personal members that the organiser did not make public (`setVisibility`) are included only for officials of the "
    "tournament and auditors. A name or club that is not public is null."
)


class EntriesQuery(tournament_query.ReadQuery):
    """The point to which the log is read, the page, and which entries are asked for."""

    cursor = fields.String(metadata={"description": paging.QUERY["cursor"]})
    limit = fields.Integer(
        metadata={"description": paging.QUERY["limit"], "minimum": 1, "maximum": paging.LIMIT_AT_MOST}
    )
    federation = fields.String(
        validate=validate.Regexp(FEDERATION.pattern + r"\Z"),
        metadata={"description": "Return only entries of this federation, such as `CHN`."},
    )
    team = fields.Integer(
        metadata={"description": "Return only members of this team.", "minimum": 1, "maximum": HIGHEST}
    )
    round = fields.Integer(
        metadata={
            "description": "Return only entries that are not withdrawn before this round.", "minimum": 1, "maximum": HIGHEST,
        }
    )  # fmt: skip


def _entries(desk: Desk, view: View, players: Sequence[Player]) -> list[answers.EntryAnswer]:
    t, ids = view.state, [entry.player for entry in players]
    names, said, hidden = names_of(desk, t, ids), particulars_of(desk, t, ids), hidden_from_reader(desk, t)
    return [_entry(t, entry, names.get(entry.player), said[entry.player], hidden) for entry in players]


def _entry(
    t: TournamentState, entry: Player, name: str | None, said: Particulars, hidden: frozenset[PersonalMember]
) -> answers.EntryAnswer:
    private: dict[str, Any] = {name: getattr(said, name) for name in ("sex", "birth_year", "fide_id", "national_id")}
    private |= {"public_history": entry.public_history, "checked_in": entry.player in t.checked_in}
    if "national_id" in hidden:  # consent belongs to the identity
        del private["public_history"]
    return answers.EntryAnswer(
        id=entry.player,
        name=name,
        starting_number=entry.starting_number,
        rating=entry.rating,
        title=entry.title,
        club=said.club,
        federation=entry.federation,
        first_round=entry.first_round,
        left_after=entry.left_after,
        board=t.fixed_boards.get(entry.player),
        seq=max(*entry.lines, entry.withdrawal_seq or 0),
        **{name: value for name, value in private.items() if name not in hidden},
    )


def _chosen(t: TournamentState) -> list[Player]:
    """Return the entries that the query asks for, by number. Raises `Problem` 422 for an invalid query."""
    federation, round = tournament_query.query().get("federation"), tournament_query.number("round", 1)
    team = tournament_query.number("team", 1)
    members: Collection[PlayerId] | None = None
    if team is not None:
        members = frozenset(t.teams[team].members) if team in t.teams else ()
    return [
        entry
        for id, entry in sorted(t.players.items())
        if federation in (None, entry.federation)
        and (members is None or id in members)
        and (round is None or entry.left_after is None or entry.left_after >= round)
    ]


def _team(team: Team, names: Mapping[str, str]) -> answers.TeamAnswer:
    """Return a team in its current state. ``names``: by text hash."""
    return answers.TeamAnswer(team.team, names.get(team.name.text), team.members, team.seq)


def entry_lists(bp: Blueprint, desk: Desk) -> None:
    """Register the routes that read entries."""

    @bp.get(f"{T}/entries")
    @Operation(
        "List entries",
        name="listEntries",
        description=f"Returns the entries in their current state, by player number. {_PERSONAL}",
        answer=answers.EntriesAnswer,
        query=EntriesQuery,
        errors=(401,),
    )
    def entries(t: str) -> Response:
        view = tournament_query.view(desk, t)
        chosen = [(entry.player, entry) for entry in _chosen(view.state)]
        return paging.page(view, answers.EntriesAnswer, chosen, partial(_entries, desk, view))

    @bp.get(f"{T}/entries/<int:p>")
    @Operation(
        "Get an entry",
        name="getEntry",
        description=f"Returns the entry of a player in its current state. {_PERSONAL}",
        answer=answers.EntryAnswer,
        query=tournament_query.POINT,
        errors=(401,),
    )
    def entry(t: str, p: int) -> Response:
        view = tournament_query.view(desk, t)
        found = view.state.players.get(PlayerId(p))
        if found is None:
            raise unknown_player(t, p)
        (row,) = _entries(desk, view, [found])
        return tournament_query.answer(view, row)


def lists(bp: Blueprint, desk: Desk) -> None:
    """Register the routes that read officials, teams, byes, lots and rounds."""

    @bp.get(f"{T}/officials")
    @Operation(
        "List officials",
        name="listOfficials",
        description=(
            "Returns the officials with the roles that they hold now, by login name, and their names, which pages and papers "
            "print too."
        ),
        answer=answers.OfficialsAnswer,
        query=PAGED,
        errors=(401,),
    )
    def officials(t: str) -> Response:
        view = tournament_query.view(desk, t)
        held = sorted(view.state.officials.items())
        names = desk.called({one.person.text for _, one in held if one.person is not None})
        rows = []
        for place, (name, one) in enumerate(held, 1):
            person = names.get(one.person.text) if one.person else None
            row = answers.OfficialAnswer(
                name=name, roles=sorted(one.roles), boards=one.boards, seq=one.seq, person=person
            )
            rows.append((place, row))
        return paging.page(view, answers.OfficialsAnswer, rows)

    @bp.get(f"{T}/teams")
    @Operation(
        "List teams",
        name="listTeams",
        description="Returns the teams with their members in the order of their boards, by team number.",
        answer=answers.TeamsAnswer,
        query=PAGED,
    )
    def teams(t: str) -> Response:
        view = tournament_query.view(desk, t)
        held = sorted(view.state.teams.items())
        names = desk.called({team.name.text for _, team in held})
        rows = [(n, _team(team, names)) for n, team in held]
        return paging.page(view, answers.TeamsAnswer, rows)

    @bp.get(f"{T}/teams/<int:team>")
    @Operation(
        "Get a team",
        name="getTeam",
        description="Returns a team with its members in the order of their boards.",
        answer=answers.TeamAnswer,
        query=tournament_query.POINT,
    )
    def team(t: str, team: int) -> Response:
        view = tournament_query.view(desk, t)
        found = view.state.teams.get(team)
        if found is None:
            raise unknown_team(t, team)
        return tournament_query.answer(view, _team(found, desk.called({found.name.text})))

    @bp.get(f"{T}/byes")
    @Operation(
        "List requested byes",
        name="listByes",
        description=(
            "Returns the byes that were granted on request, by round and player. A bye that a pairing allocates is in the round."
        ),
        answer=answers.ByesAnswer,
        query=PAGED,
    )
    def byes(t: str) -> Response:
        view = tournament_query.view(desk, t)
        held = sorted((round, player, bye) for (player, round), bye in view.state.byes.items())
        rows = [answers.RequestedByeAnswer(player, round, bye.kind, bye.seq) for round, player, bye in held]
        return paging.page(view, answers.ByesAnswer, [*enumerate(rows, 1)])

    @bp.get(f"{T}/lots")
    @Operation(
        "List lots",
        name="listLots",
        description="Returns the lots that decided drawn matches and shared places, in the order in which they were drawn.",
        answer=answers.LotsAnswer,
        query=PAGED,
    )
    def lots(t: str) -> Response:
        view = tournament_query.view(desk, t)
        drawn = [answers.LotAnswer(match, [lot.winner], lot.seq) for match, lot in view.state.lots.items()]
        drawn += [answers.LotAnswer(None, lot.order, lot.seq) for lot in view.state.place_lots]
        return paging.page(view, answers.LotsAnswer, [*enumerate(sorted(drawn, key=lambda lot: lot.seq), 1)])

    @bp.get(f"{T}/rounds")
    @Operation(
        "List rounds",
        name="listRounds",
        description="Returns the rounds whose pairings are in force, with their boards and byes.",
        answer=answers.RoundsAnswer,
        query=PAGED,
    )
    def rounds(t: str) -> Response:
        view = tournament_query.view(desk, t)
        rows = []
        for number in range(1, view.state.rounds_paired() + 1):
            pairing, found = view.state.current(number), responses.round_of(view.state, number)
            if pairing is not None and found is not None:
                rows.append((number, answer_of(answers.ListedRoundAnswer, found, seq=pairing.seq)))
        return paging.page(view, answers.RoundsAnswer, rows)
