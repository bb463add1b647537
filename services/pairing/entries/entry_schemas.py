"""The bodies of requests about entries."""

from marshmallow import Schema, fields, validate

from shared.core.language.messages import say
from shared.core.values.bounds import (
    BIRTH_YEAR,
    CLUB,
    ENTRY,
    FEDERATION,
    FIDE_ID,
    NATIONAL_ID,
    PERSON,
    RATING,
    REASON,
    TITLE,
)
from shared.http.requests.schema_fields import line_field, number_field, text_field, whole_field

FEDERATION_CODE = validate.Regexp(
    rf"{FEDERATION.pattern}\Z", error=str(say("must be a federation's code: three capital letters, such as CHN"))
)
TITLE_CODE = validate.Regexp(
    rf"(?:{TITLE.pattern})\Z",
    error=str(say("must be a title of up to three capital letters such as WGM, or a rank such as 5d")),
)
SEXES = ("m", "f")
FIDE_NUMBER = validate.Regexp(rf"{FIDE_ID.pattern}\Z", error=str(say("a FIDE ID must have up to eleven digits")))
NATIONAL_NUMBER = validate.Regexp(
    rf"{NATIONAL_ID.pattern}\Z",
    error=str(say("must be a number or licence: up to 24 digits, capital letters, points, hyphens and slashes")),
)


class PlayerSchema(Schema):
    """Name, club, ``sex``, ``birth_year``, ``fide_id`` and ``national_id`` are kept as texts that can be erased.

    ``national_id``: the number or licence that the player's ``federation`` gave. ``public_history``: the player has consented
    that everyone sees the player's results across tournaments.
    """

    id = number_field(load_default=None)
    name = line_field(PERSON, required=True)
    rating = whole_field(RATING, load_default=None, allow_none=True)
    title = fields.String(load_default=None, allow_none=True, validate=TITLE_CODE)
    club = text_field(CLUB, load_default=None, allow_none=True)
    federation = fields.String(load_default=None, allow_none=True, validate=FEDERATION_CODE)
    sex = fields.String(load_default=None, allow_none=True, validate=validate.OneOf(SEXES))
    birth_year = whole_field(BIRTH_YEAR, load_default=None, allow_none=True)
    fide_id = fields.String(load_default=None, allow_none=True, validate=FIDE_NUMBER)
    national_id = fields.String(load_default=None, allow_none=True, validate=NATIONAL_NUMBER)
    public_history = fields.Boolean(load_default=False, truthy={True}, falsy={False})


class EntryCorrectionSchema(Schema):
    """A correction of an entry, with a reason. Omitted fields keep their value, and null removes it.

    ``starting_number``: the player's new number; the numbers in between move by one. If it is omitted before the first
    round is paired, numbers in the order of strength follow the correction.
    """

    name = line_field(PERSON)
    rating = whole_field(RATING, allow_none=True)
    title = fields.String(allow_none=True, validate=TITLE_CODE)
    club = text_field(CLUB, allow_none=True)
    federation = fields.String(allow_none=True, validate=FEDERATION_CODE)
    sex = fields.String(allow_none=True, validate=validate.OneOf(SEXES))
    birth_year = whole_field(BIRTH_YEAR, allow_none=True)
    fide_id = fields.String(allow_none=True, validate=FIDE_NUMBER)
    starting_number = number_field(load_default=None)
    reason = text_field(REASON, required=True)


class IdentitySchema(Schema):
    """The identity of a player across tournaments. Omitted fields keep their value, and null removes ``national_id``."""

    national_id = fields.String(allow_none=True, validate=NATIONAL_NUMBER)
    public_history = fields.Boolean(truthy={True}, falsy={False})
    reason = text_field(REASON, load_default=None)


class EntriesSchema(Schema):
    players = fields.List(fields.Nested(PlayerSchema), required=True, validate=validate.Length(1, ENTRY.high))
