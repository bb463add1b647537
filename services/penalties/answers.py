"""What penalties answers: rulings, appeals, arrivals and breaks."""

from marshmallow import fields

from shared.http.openapi.answers import (
    FACT_VALUES,
    OPTIONAL,
    Answer,
    Described,
    MarkAnswer,
    TextReference,
    TournamentListAnswer,
    WrittenAnswer,
    of_type,
)


class EffectAnswer(Answer):
    """An effect with its kind's own members: marks, points, seconds on the clock, rounds."""

    kind = fields.String()
    white = fields.Nested(MarkAnswer, metadata=OPTIONAL)
    black = fields.Nested(MarkAnswer, metadata=OPTIONAL)
    points = fields.Float(metadata=OPTIONAL)
    clock = fields.Integer(metadata=OPTIONAL)
    rounds = fields.List(fields.Integer(), metadata=OPTIONAL)


class ReachedRungAnswer(Answer):
    """The rung of the ladder that a ruling is: whose, counted within what, at which count."""

    rule = fields.String()
    player = fields.Integer()
    scope = fields.String()
    count = fields.Integer()


class RulingAnswer(Answer):
    """A ruling, or an annulment (``annuls``, ``appeal``, ``retracted``, ``reason`` in place of what a ruling has).

    ``standing``: not taken away; ``effective``: standing and the first of its rung; ``why`` says why not. ``player`` null: a
    decision on a game that nobody is accused for. Of a lateness ``late`` (seconds; null: did not come), those that are
    ``counted``, and the ``limit``."""

    ruling = fields.String()
    seq = fields.Integer()
    role = fields.String()
    actor = fields.String()
    article = fields.String()
    annuls = fields.String(metadata=OPTIONAL)
    appeal = fields.String(allow_none=True, metadata=OPTIONAL)
    reason = fields.Nested(TextReference, allow_none=True, metadata=OPTIONAL)
    retracted = fields.Boolean(metadata=OPTIONAL)
    player = fields.Integer(allow_none=True, metadata=OPTIONAL)
    round = fields.Integer(allow_none=True, metadata=OPTIONAL)
    game = fields.String(allow_none=True, metadata=OPTIONAL)
    infraction = fields.String(metadata=OPTIONAL)
    counter = fields.String(allow_none=True, metadata=OPTIONAL)
    effect = fields.Nested(EffectAnswer, metadata=OPTIONAL)
    rung = fields.Nested(ReachedRungAnswer, allow_none=True, metadata=OPTIONAL)
    finding = fields.String(allow_none=True, metadata=OPTIONAL)
    note = fields.Nested(TextReference, allow_none=True, metadata=OPTIONAL)
    ply = fields.Integer(allow_none=True, metadata=OPTIONAL)
    facts = Described(FACT_VALUES, metadata=OPTIONAL)
    because = fields.List(fields.String(), metadata=OPTIONAL)
    arrival = fields.String(allow_none=True, metadata=OPTIONAL)
    breaks = fields.List(fields.String(), metadata=OPTIONAL)
    late = fields.Integer(allow_none=True, metadata=OPTIONAL)
    counted = fields.Integer(allow_none=True, metadata=OPTIONAL)
    limit = fields.Integer(metadata=OPTIONAL)
    standing = fields.Boolean()
    effective = fields.Boolean()
    why = fields.String(allow_none=True)


class RulingsAnswer(TournamentListAnswer):
    rulings = fields.List(fields.Nested(RulingAnswer))


class AppealAnswer(Answer):
    """``lodged``: RFC 3339, null in logs from before it was noted; ``upheld`` and ``article`` null: not decided."""

    appeal = fields.String()
    seq = fields.Integer()
    ruling = fields.String()
    by = fields.Integer()
    lodged = fields.String(allow_none=True)
    upheld = fields.Boolean(allow_none=True)
    article = fields.String(allow_none=True)


class AppealsAnswer(TournamentListAnswer):
    appeals = fields.List(fields.Nested(AppealAnswer))


class RulebookAnswer(Answer):
    """The rulebook of the set in force, as the log has it."""

    regulations = fields.String()
    rulebook = of_type("Rulebook")


class AppealWrittenAnswer(WrittenAnswer):
    appeal = fields.String()


class ConsequencesAnswer(WrittenAnswer):
    """``brought``: as ``rulings``."""

    brought = fields.List(fields.String())


class RulingWrittenAnswer(ConsequencesAnswer):
    """``ruling``: the first that was written; ``brought``: those that followed from it."""

    ruling = fields.String(allow_none=True)


class ArrivalsWrittenAnswer(ConsequencesAnswer):
    """``arrival``: the first of ``arrivals``."""

    arrival = fields.String()
    arrivals = fields.List(fields.String())


class BreakWrittenAnswer(ConsequencesAnswer):
    id = fields.String(data_key="break")


class ArrivalAnswer(Answer):
    """An arrival: ``late`` seconds (null: absent), of which so many are ``counted`` against the limit, from his ``turn`` where
    lateness counts from then. ``corrected_by``: what is in force instead; ``rulings`` are those that follow from it."""

    arrival = fields.String()
    seq = fields.Integer()
    player = fields.Integer()
    round = fields.Integer(allow_none=True)
    board = fields.Integer(allow_none=True)
    game = fields.String()
    late = fields.Integer(allow_none=True)
    absent = fields.Boolean()
    place = fields.String()
    turn = fields.Integer(allow_none=True)
    counted = fields.Integer(allow_none=True)
    in_force = fields.Boolean()
    corrects = fields.String(allow_none=True)
    corrected_by = fields.String(allow_none=True)
    reason = fields.Nested(TextReference, allow_none=True)
    rulings = fields.List(fields.String())


class SeatAnswer(Answer):
    """A seat; ``arrival`` null: nobody is noted yet."""

    player = fields.Integer()
    arrival = fields.String(allow_none=True)
    late = fields.Integer(allow_none=True)
    absent = fields.Boolean(allow_none=True)
    place = fields.String(allow_none=True)


class ArrivedBoardAnswer(Answer):
    board = fields.Integer()
    game = fields.String()
    white = fields.Nested(SeatAnswer)
    black = fields.Nested(SeatAnswer)


class ArrivalsAnswer(TournamentListAnswer):
    """``boards``: of the round that is asked for, each with who is there and who is not noted yet."""

    arrivals = fields.List(fields.Nested(ArrivalAnswer))
    boards = fields.List(fields.Nested(ArrivedBoardAnswer), metadata=OPTIONAL)


class BreakAnswer(Answer):
    """A break: ``seconds`` away (null: there was none); the rest as of an arrival."""

    id = fields.String(data_key="break")
    seq = fields.Integer()
    player = fields.Integer()
    game = fields.String()
    seconds = fields.Integer(allow_none=True)
    in_force = fields.Boolean()
    corrects = fields.String(allow_none=True)
    corrected_by = fields.String(allow_none=True)
    reason = fields.Nested(TextReference, allow_none=True)
    rulings = fields.List(fields.String())


class BreaksAnswer(TournamentListAnswer):
    breaks = fields.List(fields.Nested(BreakAnswer))
