"""What pairing's routes take, and what they answer with."""

from typing import Any, NamedTuple, get_args

from marshmallow import Schema, ValidationError, fields, pre_load, validate, validates_schema

from services.pairing.rules.absolute_criteria import OVERRIDABLE
from services.pairing.time_schemas import TimeField
from shared import regulations
from shared.core.formats import FORMATS
from shared.core.terms import ROLES, PlayerId, TeamKind

TEAM_KINDS = get_args(TeamKind)

ID = validate.Regexp(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z", error="letters, digits, and . _ - after the first")
SLUG = validate.Regexp(r"[a-z0-9][a-z0-9-]{0,39}\Z", error="lower case letters, digits and -")
MOST_POINTS = 1000
MOST_PLAYERS = 9999
"""What TRF's four columns hold."""
MOST_MEMBERS = 100


def _number(high: int = MOST_PLAYERS, **options: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(1, high), **options)


def _text(longest: int, **options: Any) -> fields.String:
    return fields.String(validate=validate.Length(1, longest), **options)


def _known_regulations(name: str) -> None:
    if name not in regulations.names():
        raise ValidationError(f"unknown; there are {', '.join(regulations.names())}")


class SeatsField(fields.Field[tuple[PlayerId, PlayerId]]):
    """A board: ``{"white": 3, "black": 7}`` or ``[3, 7]``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[PlayerId, PlayerId]:
        if isinstance(value, dict) and set(value) == {"white", "black"}:
            value = [value["white"], value["black"]]
        if not isinstance(value, list) or len(value) != 2:
            raise ValidationError('a board is {"white": id, "black": id} or [white, black]')
        for player in value:
            if type(player) is not int or not 1 <= player <= MOST_PLAYERS:
                raise ValidationError("a player is named by the number of the entry")
        return PlayerId(value[0]), PlayerId(value[1])


LINEUPS = {"kind": "lineup", "boards": 4}
"""What a Swiss of teams is played by where the announcement does not say (002-X 12.3)."""


class TeamConditionsSchema(Schema):
    """Kinds: 分台定人, 分台换人, 临时定台, 全队轮赛, 队员总分 (002-X 12)."""

    kind = fields.String(required=True, validate=validate.OneOf(TEAM_KINDS))
    boards = _number(100, required=True)
    substitutes = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))


class ConditionsSchema(Schema):
    """Groups and who goes on from them, games of a match, extra games before the lots, matches for places, teams,
    the time of a game in place of that of the regulations."""

    groups = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))
    qualifiers = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))
    carried = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    games = _number(100, load_default=1)
    best = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    extra = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 100))
    places = fields.Boolean(truthy={True}, falsy={False}, load_default=False)
    team = fields.Nested(TeamConditionsSchema, load_default=None)
    time = TimeField()


class PointsField(fields.Field[int]):
    """Points as a number of halves, kept as half-points."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_POINTS:
            raise ValidationError(f"points are a number from 0 to {MOST_POINTS}")
        if value * 2 != int(value * 2):
            raise ValidationError("points come in halves")
        return int(value * 2)


class PointsSchema(Schema):
    """What results and byes are worth in this tournament; left out: as the regulations say."""

    win = PointsField()
    draw = PointsField()
    loss = PointsField()
    pairing_bye = PointsField()
    full_bye = PointsField()
    half_bye = PointsField()
    zero_bye = PointsField()


class TieBreakCodes(NamedTuple):
    """The codes of the tie-breaks that single players may be ranked by, and teams that meet."""

    players: tuple[str, ...]
    teams: tuple[str, ...]


class _AnnouncementSchema(Schema):
    """``points``: where they are not those of the regulations. ``rounds`` are told of a Swiss and of what is paired by
    hand; elsewhere they follow from the entries. The format ``teams`` is a Swiss of teams, by default with line-ups
    handed in for four boards (002-X 11.4, 12.3)."""

    id = fields.String(validate=ID)
    name = _text(200, required=True)
    game = fields.String(required=True, validate=SLUG)
    format = fields.String(required=True, validate=validate.OneOf(tuple(FORMATS)))
    rounds = _number(100, load_default=None)
    regulations = fields.String(required=True, validate=_known_regulations)
    points = fields.Nested(PointsSchema, load_default=None)
    conditions = fields.Nested(ConditionsSchema, load_default=None)

    @pre_load
    def _swiss_of_teams(self, data: Any, **kwargs: Any) -> Any:
        if not isinstance(data, dict) or data.get("format") != "teams":
            return data
        conditions = data.get("conditions") or {}
        if not isinstance(conditions, dict):
            return data
        return {**data, "format": "swiss", "conditions": {"team": dict(LINEUPS), **conditions}}

    @validates_schema
    def _timed_by_a_known_scheme(self, data: dict[str, Any], **kwargs: Any) -> None:
        time = (data.get("conditions") or {}).get("time")
        rules = regulations.load(data["regulations"]).game
        if isinstance(time, str) and rules.scheme(data["game"], time) is None:
            there = [one.article for one in rules.schemes if one.game == data["game"]]
            known = f"there are {', '.join(there)}" if there else "there is none"
            raise ValidationError(
                {"time": [f"no scheme of {data['regulations']} for {data['game']}; {known}"]}, "conditions"
            )


def tournament_schema(codes: TieBreakCodes) -> type[Schema]:
    """The body that announces a tournament, ranked by tie-breaks of these codes."""
    of_either = tuple(dict.fromkeys((*codes.players, *codes.teams)))

    class TournamentSchema(_AnnouncementSchema):
        tiebreaks = fields.List(fields.String(validate=validate.OneOf(of_either)), load_default=list)

        @validates_schema
        def _ranked_as_announced(self, data: dict[str, Any], **kwargs: Any) -> None:
            """Teams that meet are ranked by codes for teams, single players by those for players."""
            team = (data.get("conditions") or {}).get("team")
            known = codes.teams if team and team["kind"] != "members" else codes.players
            wrong = [code for code in data["tiebreaks"] if code not in known]
            if wrong:
                raise ValidationError(f"{', '.join(wrong)}: not of this event", "tiebreaks")

    return TournamentSchema


class RegulationsSchema(Schema):
    regulations = fields.String(required=True, validate=_known_regulations)
    reason = _text(2000, required=True)


class OfficialSchema(Schema):
    name = _text(100, required=True)
    role = fields.String(required=True, validate=validate.OneOf(ROLES))


class ReasonSchema(Schema):
    reason = _text(2000, load_default=None)


class PlayerSchema(Schema):
    id = _number(load_default=None)
    name = _text(200, required=True)
    rating = fields.Integer(strict=True, load_default=None, allow_none=True, validate=validate.Range(0, 9999))
    title = _text(20, load_default=None, allow_none=True)
    club = _text(200, load_default=None, allow_none=True)
    federation = _text(40, load_default=None, allow_none=True)


class EntriesSchema(Schema):
    players = fields.List(fields.Nested(PlayerSchema), required=True, validate=validate.Length(1, MOST_PLAYERS))


class TeamSchema(Schema):
    """``members``: ids of players who are entered, in the order of their boards, substitutes last."""

    id = _number(load_default=None)
    name = _text(200, required=True)
    members = fields.List(_number(), required=True, validate=validate.Length(1, MOST_MEMBERS))


class TeamsSchema(Schema):
    teams = fields.List(fields.Nested(TeamSchema), required=True, validate=validate.Length(1, MOST_PLAYERS))


class LineupSchema(Schema):
    """``players``: from the first board on; fewer than there are boards leave the last ones empty."""

    team = _number(required=True)
    round = _number(100, required=True)
    players = fields.List(_number(), required=True, validate=validate.Length(1, MOST_MEMBERS))


class NumberSchema(Schema):
    player = _number(required=True)
    number = _number(required=True)


class NumbersSchema(Schema):
    """Without ``numbers``: all by order of strength, or by ``lot``."""

    numbers = fields.List(fields.Nested(NumberSchema), load_default=None, validate=validate.Length(1, MOST_PLAYERS))
    lot = fields.Boolean(truthy={True}, falsy={False}, load_default=False)

    @validates_schema
    def one_way(self, data: dict[str, Any], **kwargs: Any) -> None:
        if data["lot"] and data["numbers"] is not None:
            raise ValidationError("numbers are either told or drawn", "lot")


class ByeSchema(Schema):
    player = _number(required=True)
    round = _number(100, required=True)
    kind = fields.String(required=True, validate=validate.OneOf(("H", "Z", "F")))


class PairsSchema(Schema):
    """All pairs that may not meet from here on; none: everybody may."""

    pairs = fields.List(
        fields.List(_number(), validate=validate.Length(2, 2)), required=True, validate=validate.Length(0, MOST_PLAYERS)
    )
    reason = _text(2000, load_default=None)


class FixedBoardSchema(Schema):
    """``board`` 0: the player moves again."""

    board = fields.Integer(strict=True, required=True, validate=validate.Range(0, MOST_PLAYERS))
    reason = _text(2000, load_default=None)


class LotsSchema(Schema):
    match = _number(10**6, required=True)


class RoundSchema(Schema):
    """Nothing: the format says who meets. ``boards``, with a ``reason``: by hand. ``seed``: of lots drawn in the hall,
    in sight of all; left out, it is drawn here."""

    boards = fields.List(SeatsField(), load_default=None, validate=validate.Length(0, MOST_PLAYERS))
    bye = _number(load_default=None)
    reason = _text(2000, load_default=None)
    overrides = fields.List(fields.String(validate=validate.OneOf(OVERRIDABLE)), load_default=list)
    initial_colour = fields.String(load_default=None, validate=validate.OneOf(("white", "black")))
    seed = _number(2**48, load_default=None)


class PlayOffSchema(Schema):
    boards = fields.List(SeatsField(), required=True, validate=validate.Length(1, MOST_PLAYERS))
    reason = _text(2000, required=True)


class BoardAnswer(Schema):
    board = fields.Integer()
    game = fields.String()
    white = fields.Integer()
    black = fields.Integer()


class ByeAnswer(Schema):
    player = fields.Integer()
    kind = fields.String()


class LotAnswer(Schema):
    """``winner``: the entry or team that the lots gave the match to."""

    match = fields.Integer()
    winner = fields.Integer()


class MatchAnswer(Schema):
    match = fields.Integer()
    first = fields.Integer()
    second = fields.Integer()
    boards = fields.List(fields.Integer())
    leg = fields.Integer()
    places = fields.List(fields.Integer())


class RoundAnswer(Schema):
    """``matches``: where two meet on several boards or over several rounds; ``stage`` the part of the competition."""

    round = fields.Integer()
    pairing = fields.Integer()
    boards = fields.List(fields.Nested(BoardAnswer))
    byes = fields.List(fields.Nested(ByeAnswer))
    stage = fields.String()
    matches = fields.List(fields.Nested(MatchAnswer))
    groups = fields.List(fields.List(fields.Integer()))
