"""Answers about tables: rows, their explanations, cross tables and differences."""

from marshmallow import fields, validate

from shared.http.openapi.answers import (
    OPTIONAL,
    Answer,
    ListAnswer,
)
from shared.http.openapi.tournament_answer import TournamentAnswer


class TournamentsAnswer(ListAnswer):
    tournaments = fields.List(fields.Nested(TournamentAnswer))


class PlacedAnswer(Answer):
    """A place in a ranking, of a player or a team."""

    id = fields.Integer()
    rank = fields.Integer()
    name = fields.String(allow_none=True)
    points = fields.Float()


class EncounterAnswer(Answer):
    """Direct encounter: ``points`` made against the ``opponents`` who are tied too and were met, and the ``place`` among the tied
    that this gives."""

    points = fields.Float()
    opponents = fields.List(fields.Integer())
    place = fields.Integer()


class RowAnswer(PlacedAnswer):
    tb = fields.Dict(keys=fields.String(), values=fields.Float(allow_none=True))


class RankingAnswer(Answer):
    """A table without its rows."""

    tournament = fields.String()
    seq = fields.Integer()
    rounds = fields.Integer()
    tiebreaks = fields.List(fields.String())


class PlayerRowAnswer(RowAnswer):
    """``encounters``: by code of direct encounter, for who is tied; its ``tb`` is the place."""

    encounters = fields.Dict(keys=fields.String(), values=fields.Nested(EncounterAnswer), metadata=OPTIONAL)


class TableAnswer(RankingAnswer):
    players = fields.List(fields.Nested(PlayerRowAnswer))


class PartAnswer(Answer):
    """What one round, or one opponent, gave to a tie-break; ``cut``: why it counts nothing, ``how`` what stands in the place
    of a game. ``player``: of a team's, whose game or foul it was."""

    round = fields.Integer()
    player = fields.Integer(allow_none=True, metadata=OPTIONAL)
    opponent = fields.Integer(allow_none=True)
    value = fields.Float()
    score = fields.Float(allow_none=True)
    cut = fields.String(allow_none=True)
    how = fields.String(allow_none=True)
    events = fields.List(fields.Integer())


class TieBreakAnswer(Answer):
    """``value`` null: it does not apply here. ``counts``: what it is made of, in a sentence; ``article``: where that stands."""

    name = fields.String()
    value = fields.Float(allow_none=True)
    counts = fields.String()
    article = fields.String()
    encounter = fields.Nested(EncounterAnswer, allow_none=True, metadata=OPTIONAL)
    parts = fields.List(fields.Nested(PartAnswer))
    events = fields.List(fields.Integer())


class ExplainedAnswer(PlacedAnswer):
    """The explanation of a row, a player's or a team's."""

    tournament = fields.String()
    seq = fields.Integer()
    rounds_counted = fields.Integer()
    tiebreaks = fields.List(fields.Nested(TieBreakAnswer))
    events = fields.List(fields.Integer(), metadata={"description": "the lines that the row came from"})


class ExplainedRoundAnswer(Answer):
    """A player's round: ``annulled`` says why its result does not count."""

    round = fields.Integer()
    kind = fields.String()
    bye = fields.String(allow_none=True)
    opponent = fields.Integer(allow_none=True)
    side = fields.String(allow_none=True)
    game = fields.String(allow_none=True)
    points = fields.Float()
    annulled = fields.String(allow_none=True)
    events = fields.List(fields.Integer())


class AdjustmentAnswer(Answer):
    points = fields.Float()
    events = fields.List(fields.Integer())


class ExplanationAnswer(ExplainedAnswer):
    rounds = fields.List(fields.Nested(ExplainedRoundAnswer))
    adjustments = fields.List(fields.Nested(AdjustmentAnswer))


class CellAnswer(Answer):
    """A round in a cross table.

    ``result`` as TRF writes it: 1 = 0 over the board, + and - by forfeit, U F H Z for byes, * open.
    """

    round = fields.Integer()
    opponent = fields.Integer(allow_none=True)
    rank = fields.Integer(allow_none=True)
    side = fields.String(allow_none=True)
    result = fields.String()
    points = fields.Float()
    annulled = fields.String(allow_none=True)
    events = fields.List(fields.Integer())


class CrossedPlayerAnswer(PlacedAnswer):
    starting_number = fields.Integer(allow_none=True)
    rounds = fields.List(fields.Nested(CellAnswer))
    play_off = fields.List(fields.Nested(CellAnswer))


class CrosstableAnswer(Answer):
    tournament = fields.String()
    seq = fields.Integer()
    rounds = fields.Integer()
    players = fields.List(fields.Nested(CrossedPlayerAnswer))


class PlaceAnswer(Answer):
    """A row of a table as the difference tells it; ``encounters`` as `PlayerRowAnswer` has them."""

    rank = fields.Integer()
    points = fields.Float()
    tb = fields.Dict(keys=fields.String(), values=fields.Float(allow_none=True))
    encounters = fields.Dict(keys=fields.String(), values=fields.Nested(EncounterAnswer), metadata=OPTIONAL)


class CauseAnswer(Answer):
    """Why a row changed: a ``round`` or a ``ruling`` that gives other points, or an ``opponent`` who has others; ``before`` and
    ``after`` are those points, null where none were given."""

    kind = fields.String(validate=validate.OneOf(("round", "ruling", "opponent")))
    round = fields.Integer(allow_none=True)
    opponent = fields.Integer(allow_none=True)
    game = fields.String(allow_none=True)
    ruling = fields.String(allow_none=True)
    before = fields.Float(allow_none=True)
    after = fields.Float(allow_none=True)


class ChangeAnswer(Answer):
    """A row that changed; ``before`` null: not entered then. One without causes moved because others did."""

    id = fields.Integer()
    before = fields.Nested(PlaceAnswer, allow_none=True)
    after = fields.Nested(PlaceAnswer, allow_none=True)
    causes = fields.List(fields.Nested(CauseAnswer))
    events = fields.List(fields.Integer())


class DifferenceAnswer(Answer):
    """``events``: the lines that the changes rest on."""

    tournament = fields.String()
    from_ = fields.Integer(data_key="from")
    to = fields.Integer()
    changes = fields.List(fields.Nested(ChangeAnswer))
    events = fields.List(fields.Integer())
