"""What pairing answers: rounds, and what its commands wrote."""

from marshmallow import fields

from shared.http.openapi.answers import Answer, WrittenAnswer


class AnnouncedAnswer(WrittenAnswer):
    id = fields.String()


class EnteredPlayerAnswer(Answer):
    id = fields.Integer()
    starting_number = fields.Integer(allow_none=True)


class EnteredAnswer(WrittenAnswer):
    players = fields.List(fields.Nested(EnteredPlayerAnswer))


class EnteredTeamAnswer(Answer):
    id = fields.Integer()
    members = fields.List(fields.Integer())


class TeamsWrittenAnswer(WrittenAnswer):
    teams = fields.List(fields.Nested(EnteredTeamAnswer))


class BoardAnswer(Answer):
    board = fields.Integer()
    game = fields.String()
    white = fields.Integer()
    black = fields.Integer()


class ByeAnswer(Answer):
    player = fields.Integer()
    kind = fields.String()


class AppointmentWrittenAnswer(WrittenAnswer):
    """``held_before``: the office was held already, so that no line had to say so."""

    held_before = fields.Boolean()


class LotWrittenAnswer(WrittenAnswer):
    """``winner``: the entry or team that the lots gave the match to; ``order``: of equals, as the lots part them."""

    match = fields.Integer(allow_none=True)
    winner = fields.Integer()
    order = fields.List(fields.Integer())


class MatchAnswer(Answer):
    match = fields.Integer()
    first = fields.Integer()
    second = fields.Integer()
    boards = fields.List(fields.Integer())
    leg = fields.Integer()
    places = fields.List(fields.Integer())


class RoundAnswer(Answer):
    """``matches``: where two meet on several boards or over several rounds; ``stage`` the part of the competition."""

    round = fields.Integer()
    pairing = fields.Integer()
    boards = fields.List(fields.Nested(BoardAnswer))
    byes = fields.List(fields.Nested(ByeAnswer))
    stage = fields.String()
    matches = fields.List(fields.Nested(MatchAnswer))
    groups = fields.List(fields.List(fields.Integer()))


class RoundWrittenAnswer(RoundAnswer, WrittenAnswer):
    """A pairing as it was written."""
