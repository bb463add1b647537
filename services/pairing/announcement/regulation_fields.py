"""The regulations in a body: the name of a shipped set or the text of a federation's own, and the changes of its values."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, post_load, validate, validates_schema

from services.pairing.announcement.stage_changes import of_stages
from services.pairing.announcement.tiebreak_codes import TieBreakCodes, unknown_tiebreaks
from services.pairing.announcement.time_schemas import TimeField
from shared import regulations
from shared.core.language.messages import message_of, say
from shared.core.rulebook.regulations import Regulations, Value
from shared.core.values.bounds import QUALIFIERS, REASON, ROUND, ROUNDS, STAGE
from shared.http.requests.schema_fields import number_field, text_field, whole_field
from shared.regulations.changes import BadChange, changed
from shared.regulations.editions import MOST_BYTES, parse_federation_set
from shared.regulations.former import in_written_edition
from shared.regulations.typed_toml import TomlError

STAGE_FORMATS = ("swiss", "round_robin", "double_round_robin", "groups", "knockout", "double_knockout", "match")
MOST_STAGES = 10
NAME = validate.Regexp(rf"{STAGE.pattern}\Z", error=str(say("must have only lower case letters, digits, _ and -")))


class StageSchema(Schema):
    """A stage of a tournament.

    ``name``: default: its number. ``format``: default: that of the tournament. ``qualifiers``: number of qualified
    competitors, per group if it has groups; in a knock-out, the remaining ones. The last stage has none. ``games``,
    ``best``, ``extra`` and ``places``: as in the conditions. ``time``: replaces that of the conditions.
    """

    name = fields.String(load_default=None, validate=NAME)
    format = fields.String(load_default=None, validate=validate.OneOf(STAGE_FORMATS))
    rounds = whole_field(ROUNDS, load_default=0)
    groups = whole_field(ROUNDS, load_default=0)
    qualifiers = whole_field(QUALIFIERS, load_default=0)
    games = number_field(ROUND, load_default=1)
    best = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    extra = whole_field(ROUNDS, load_default=0)
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


MOST_CHANGES = 100
FILE = "regulations_file"


class ShippedSetField(fields.String):
    """The name of a shipped set; loaded, the set."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        name = super()._deserialize(value, attr, data, **kwargs)
        if name not in regulations.names():
            raise ValidationError([say("unknown; available: {names}", names=tuple(regulations.names()))])
        return in_written_edition(regulations.load(name))


class FederationSetField(fields.String):
    """The text of a federation's own set as TOML; loaded, the set."""

    def __init__(self, codes: TieBreakCodes) -> None:
        super().__init__(
            metadata={
                "description": f"Ruleset as TOML, instead of `regulations`. At most {MOST_BYTES} bytes. Its name must "
                "differ from those of the server."
            }
        )
        self._codes = codes

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        try:
            own = parse_federation_set(text, FILE)
        except TomlError as problem:
            raise ValidationError([message_of(problem)]) from problem
        for unknown in unknown_tiebreaks(own, self._codes):
            raise ValidationError([say("{file}: {problem}", file=FILE, problem=unknown)])
        return in_written_edition(own)


class ChangedValue(fields.Field[Value]):
    """True or false, a whole number, a word, or a list of words."""

    SCHEMA: ClassVar[dict[str, Any]] = {
        "anyOf": [{"type": ["boolean", "integer", "string"]}, {"type": "array", "items": {"type": "string"}}]
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Value:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        if not isinstance(value, bool | int | str):
            raise ValidationError([say("a value must be true or false, a whole number, a word, or a list of words")])
        return value


class ChangesField(fields.Dict):
    """Values in place of those of the regulations, by path: true or false, a whole number, a word, or a list of words."""

    def __init__(self) -> None:
        super().__init__(
            keys=fields.String(validate=validate.Length(1, 100)),
            values=ChangedValue(),
            load_default=dict,
            validate=validate.Length(max=MOST_CHANGES),
            metadata={"description": "Values of the ruleset to change, by path, within their bounds."},
        )


def named_set(data: Mapping[str, Any]) -> Regulations:
    """Return the set that a loaded body names or contains."""
    one: Regulations = data.get("regulations") or data[FILE]
    return one


class SetSchema(Schema):
    """The set, by its name or as a file, and the changes.

    Loaded, ``regulations`` is the set with the changes, except ``stage_changes``, the changes of stages.
    """

    regulations = ShippedSetField()
    changes = ChangesField()

    @validates_schema
    def _one_set_changed_within_bounds(self, data: dict[str, Any], **kwargs: Any) -> None:
        if "regulations" in data and FILE in data:
            raise ValidationError([say("give either this or regulations, not both")], FILE)
        if "regulations" not in data and FILE not in data:
            raise ValidationError([say("Missing data for required field.")], "regulations")
        try:
            changed(named_set(data), _of_the_set(data["changes"]))
        except BadChange as problem:
            raise ValidationError({problem.path: [problem.why]}, "changes") from problem

    @post_load
    def _whole(self, data: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        others = {name: value for name, value in data.items() if name not in ("changes", FILE)}
        later = of_stages(data["changes"])
        return others | {"regulations": changed(named_set(data), _of_the_set(data["changes"])), "stage_changes": later}


def _of_the_set(changes: Mapping[str, Value]) -> dict[str, Value]:
    later = of_stages(changes)
    return {path: value for path, value in changes.items() if path not in later}


def adoption_schema(codes: TieBreakCodes) -> type[Schema]:
    """Return the body that adopts other regulations, with a reason; ``codes``: the tie-breaks that a set may rank by."""

    class RegulationsSchema(SetSchema):
        regulations_file = FederationSetField(codes)
        stages = StagesField()
        reason = text_field(REASON, required=True)

    return RegulationsSchema
