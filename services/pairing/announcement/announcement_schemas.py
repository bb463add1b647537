"""The body that announces a tournament: its format, conditions, points and tie-breaks."""

from collections.abc import Mapping
from typing import Any, ClassVar, get_args

from marshmallow import Schema, ValidationError, fields, pre_load, validate, validates_schema

from services.pairing.announcement.regulation_fields import FILE, FederationSetField, SetSchema, StagesField, named_set
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.announcement.time_schemas import TimeField, check_scheme
from services.pairing.schemas import OfficialSchema, PointsField
from shared.core.language.messages import say
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.game_rules import RULES
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import TeamKind
from shared.core.values.bounds import GAME, PLACE, ROUND, ROUNDS, TIEBREAKS, TITLE_OF_EVENT
from shared.http.language.language import zone_named
from shared.http.openapi.schema_terms import Terms, either, has
from shared.http.requests.renamed_members import RenamedMembers, deprecated
from shared.http.requests.schema_fields import line_field, number_field, whole_field

TEAM_KINDS = get_args(TeamKind)
ID = validate.Regexp(
    r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z",
    error=str(say("must have only letters and digits, and . _ - after the first character")),
)
MOST_OFFICIALS = 1000
LINEUPS = {"kind": "lineup", "boards": 4}
"""Default format of matches in a team Swiss (002-X 12.3)."""


class TeamConditionsSchema(Schema):
    """Kinds: 分台定人, 分台换人, 临时定台, 全队轮赛, 队员总分 (002-X 12)."""

    kind = fields.String(required=True, validate=validate.OneOf(TEAM_KINDS))
    boards = number_field(ROUND, required=True)
    substitutes = whole_field(ROUNDS, load_default=0)


class ConditionsSchema(Schema):
    """Groups and who goes on from them, games of a match, extra games before the lots, matches for places, teams,
    the time of a game in place of that of the regulations."""

    groups = whole_field(ROUNDS, load_default=0)
    qualifiers = whole_field(ROUNDS, load_default=0)
    carried = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    games = number_field(ROUND, load_default=1)
    best = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    extra = whole_field(ROUNDS, load_default=0)
    places = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    team = fields.Nested(TeamConditionsSchema, load_default=None)
    time = TimeField()


class PointsSchema(Schema):
    """The worth of results and byes in this tournament; left out: as the regulations say."""

    win = PointsField()
    draw = PointsField()
    loss = PointsField()
    pairing_bye = PointsField()
    full_bye = PointsField()
    half_bye = PointsField()
    zero_bye = PointsField()


class _GameName(validate.Regexp):
    """The name by which programs know a game."""

    def __init__(self) -> None:
        super().__init__(rf"{GAME.pattern}\Z")

    def __call__(self, value: Any) -> Any:
        if self.regex.match(value) is None:
            detail = say(
                "{game} is not the name of a game: use lower-case letters, digits and -, such as tiaoqi for 跳棋; rulesets have "
                "rules for {games}",
                game=repr(value[:40]),
                games=tuple(RULES),
            )
            raise ValidationError([detail])
        return value


def check_zone(name: str) -> None:
    """Raise `ValidationError` if a time zone is unknown."""
    if name and zone_named(name) is None:
        raise ValidationError([say("unknown time zone {zone}: use an IANA name such as Asia/Shanghai", zone=name)])


class _AnnouncementSchema(RenamedMembers, SetSchema):
    """A new tournament.

    ``points``: only if they differ from the regulations. ``stages``: each has its format, and the first has the format of
    the tournament. The conditions then give only the competitors, and the time control of stages without their own.
    ``rounds_planned`` is required for a Swiss and for manual pairings, and otherwise results from the entries. The format
    ``teams`` is a team Swiss, by default with line-ups for four boards (002-X 11.4, 12.3). ``officials`` are appointed with
    it. ``begins`` and ``ends`` are days (2026-03-07). ``time_zone`` is the IANA name of the zone in which pages show times.
    The ``discipline`` must be one of the regulations, unless ``results_only`` is true. Then games have no moves and no clocks.
    """

    TOGETHER: ClassVar[Terms] = either(has("discipline"), {}, has("game"))
    RENAMED: ClassVar[Mapping[str, str]] = {"discipline": "game", "rounds_planned": "rounds"}

    id = fields.String(validate=ID)
    name = line_field(TITLE_OF_EVENT, required=True)
    discipline = fields.String(validate=_GameName())
    game = fields.String(validate=_GameName(), metadata=deprecated("discipline"))
    format = fields.String(required=True, validate=validate.OneOf(tuple(FORMATS)))
    rounds_planned = number_field(ROUND)
    rounds = number_field(ROUND, load_default=None, metadata=deprecated("rounds_planned"))
    points = fields.Nested(PointsSchema, load_default=None)
    conditions = fields.Nested(ConditionsSchema, load_default=None)
    stages = StagesField()
    place = line_field(PLACE, load_default="")
    begins = fields.String(load_default="")
    ends = fields.String(load_default="")
    time_zone = fields.String(load_default="", validate=check_zone)
    results_only = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    unlisted = fields.Boolean(
        truthy={True},
        falsy={False},
        load_default=False,
        metadata={"description": "If true, only readers with a token see the tournament until it is listed."},
    )
    officials = fields.List(
        fields.Nested(OfficialSchema), load_default=list, validate=validate.Length(0, MOST_OFFICIALS)
    )

    @pre_load
    def _swiss_of_teams(self, data: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict) or data.get("format") != "teams":
            return data
        conditions = data.get("conditions") or {}
        if not isinstance(conditions, dict):
            return data
        return {**data, "format": "swiss", "conditions": {"team": dict(LINEUPS), **conditions}}

    @validates_schema(pass_original=True, skip_on_field_errors=False)
    def _of_a_discipline(self, data: dict[str, Any], sent: Any, **kwargs: Any) -> None:
        if isinstance(sent, dict) and not sent.keys() & {"discipline", "game"}:
            renamed = say("this member has a new name: send {name} instead", name="discipline")
            raise ValidationError({"discipline": [say("Missing data for required field.")], "game": [renamed]})

    @validates_schema
    def _timed_by_a_known_scheme(self, data: dict[str, Any], **kwargs: Any) -> None:
        game = data.get("discipline", data.get("game"))
        if game is None or not isinstance(data.get("regulations", data.get(FILE)), Regulations):
            return
        named = named_set(data)
        check_scheme(named, game, (data.get("conditions") or {}).get("time"), "conditions")
        for n, stage in enumerate(data["stages"]):
            check_scheme(named, game, stage["time"], f"stages[{n}]")


def tournament_schema(codes: TieBreakCodes) -> type[Schema]:
    """Return the schema of the body that creates a tournament, ranked by tie-breaks of these codes."""

    class TournamentSchema(_AnnouncementSchema):
        regulations_file = FederationSetField(codes)
        tiebreaks = fields.List(
            fields.String(
                metadata={
                    "description": "Code of a tie-break of FIDE C.07 or of a Chinese ruleset.",
                    "example": "BH/C1",
                }
            ),
            load_default=list,
            validate=validate.Length(max=TIEBREAKS.most),
        )

        @validates_schema
        def _ranked_as_announced(self, data: dict[str, Any], **kwargs: Any) -> None:
            """Teams that meet are ranked by codes for teams, single players by those for players."""
            team = (data.get("conditions") or {}).get("team")
            known = codes.teams if team and team["kind"] != "members" else codes.players
            order = data["tiebreaks"]
            wrong = {n: [fault] for n in range(len(order)) for fault in [known.fault(order, n)] if fault is not None}
            if wrong:
                raise ValidationError({"tiebreaks": wrong})

    return TournamentSchema
