"""What standings answers of teams."""

from marshmallow import fields

from services.standings.tables.table_answers import (
    EncounterAnswer,
    ExplainedAnswer,
    PlacedAnswer,
    RankingAnswer,
    RowAnswer,
    TieBreakAnswer,
)
from shared.http.openapi.answers import OPTIONAL, Answer


class TeamEncounterAnswer(EncounterAnswer):
    """``opponents`` are teams. ``game_points``: of extended direct encounter (C.07 13.3), whose ``points`` are match points."""

    game_points = fields.Float(metadata=OPTIONAL)


class TeamRowAnswer(RowAnswer):
    """``points`` are match points; ``places`` stands in their place where members' places are summed up. ``encounters``: by code
    of direct encounter, for who is tied; its ``tb`` is the place."""

    points = fields.Float(metadata=OPTIONAL)
    game_points = fields.Float(metadata=OPTIONAL)
    places = fields.Float(metadata=OPTIONAL)
    members = fields.List(fields.Integer())
    encounters = fields.Dict(keys=fields.String(), values=fields.Nested(TeamEncounterAnswer), metadata=OPTIONAL)


class TeamTableAnswer(RankingAnswer):
    teams = fields.List(fields.Nested(TeamRowAnswer))


class MatchCellAnswer(Answer):
    """A team's match; ``counted``: its result counts."""

    round = fields.Integer()
    match = fields.Integer(allow_none=True)
    kind = fields.String()
    opponent = fields.Integer(allow_none=True)
    rank = fields.Integer(allow_none=True)
    side = fields.String(allow_none=True)
    counted = fields.Boolean()
    points = fields.Float()
    game_points = fields.Float()
    events = fields.List(fields.Integer())


class MatchBoardAnswer(Answer):
    round = fields.Integer()
    board = fields.Integer()
    player = fields.Integer()
    name = fields.String(allow_none=True)
    opponent = fields.Integer(allow_none=True)
    side = fields.String(allow_none=True)
    kind = fields.String()
    game = fields.String(allow_none=True)
    points = fields.Float()
    events = fields.List(fields.Integer())


class PlayedMatchAnswer(MatchCellAnswer):
    boards = fields.List(fields.Nested(MatchBoardAnswer))


class MemberAnswer(Answer):
    id = fields.Integer()
    name = fields.String(allow_none=True)
    place = fields.Integer()
    events = fields.List(fields.Integer())


class TeamTieBreakAnswer(TieBreakAnswer):
    encounter = fields.Nested(TeamEncounterAnswer, allow_none=True, metadata=OPTIONAL)


class TeamExplanationAnswer(ExplainedAnswer):
    """``matches`` with their boards, or of 队员总分 the ``members`` with their places."""

    points = fields.Float(metadata=OPTIONAL)
    game_points = fields.Float(metadata=OPTIONAL)
    places = fields.Float(metadata=OPTIONAL)
    tiebreaks = fields.List(fields.Nested(TeamTieBreakAnswer))
    matches = fields.List(fields.Nested(PlayedMatchAnswer), metadata=OPTIONAL)
    members = fields.List(fields.Nested(MemberAnswer), metadata=OPTIONAL)


class CrossedTeamAnswer(PlacedAnswer):
    points = fields.Float(metadata=OPTIONAL)
    game_points = fields.Float(metadata=OPTIONAL)
    places = fields.Float(metadata=OPTIONAL)
    matches = fields.List(fields.Nested(MatchCellAnswer))


class TeamCrosstableAnswer(Answer):
    tournament = fields.String()
    seq = fields.Integer()
    rounds = fields.Integer()
    teams = fields.List(fields.Nested(CrossedTeamAnswer))
