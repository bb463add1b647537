"""The stages of a competition as an announcement says them, one after the other."""

from typing import Any

from marshmallow import Schema, fields, validate

from services.pairing.announcement.time_schemas import TimeField
from shared.core.language.messages import say

STAGE_FORMATS = ("swiss", "round_robin", "double_round_robin", "groups", "knockout", "double_knockout", "match")
MOST_STAGES = 10
NAME = validate.Regexp(r"[a-z0-9][a-z0-9_-]{0,39}\Z", error=str(say("lower case letters, digits, _ and -")))


class StageSchema(Schema):
    """A stage of a tournament.

    ``name``: default: its number. ``format``: default: that of the tournament. ``qualifiers``: number of qualified
    competitors, per group if it has groups; in a knock-out, the remaining ones. The last stage has none. ``games``,
    ``best``, ``extra`` and ``places``: as in the conditions. ``time``: replaces that of the conditions.
    """

    name = fields.String(load_default=None, validate=NAME)
    format = fields.String(load_default=None, validate=validate.OneOf(STAGE_FORMATS))
    rounds = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))
    groups = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))
    qualifiers = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 1000))
    games = fields.Integer(strict=True, load_default=1, validate=validate.Range(1, 100))
    best = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    extra = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))
    places = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    time = TimeField()


class StagesField(fields.List[dict[str, Any]]):
    """The stages in order; none: the competition has one, as its conditions say."""

    def __init__(self) -> None:
        super().__init__(
            fields.Nested(StageSchema),
            load_default=list,
            validate=validate.Length(max=MOST_STAGES),
            metadata={"description": "Stages, each with its own format, length of matches and time."},
        )
