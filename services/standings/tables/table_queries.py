"""Queries of tables."""

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from services.standings.rules.table.table import EDITIONS
from services.standings.schemas import MOST_TIEBREAKS, ReadQuery
from shared.core.language.messages import say


class Codes(fields.Field[tuple[str, ...]]):
    """Codes of tie-breaks, separated by commas in one value or given as several; the table says which are none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        codes = tuple(code for v in values if isinstance(v, str) for code in v.split(",") if code)
        if len(codes) > MOST_TIEBREAKS:
            raise ValidationError([say("at most {most}", most=MOST_TIEBREAKS)])
        return codes


class TableQuery(ReadQuery):
    tiebreaks = Codes(
        load_default=None,
        metadata={
            "description": "Comma-separated tie-break codes, for example `BH/C1,SB`. Default: the tie-breaks of the tournament."
        },
    )
    rules = fields.String(
        load_default=None,
        validate=validate.OneOf(EDITIONS),
        metadata={"description": "Edition of the FIDE tie-break rules (C.07). Default: the edition of the ruleset."},
    )
    round = fields.Integer(
        load_default=None,
        validate=validate.Range(0, 100),
        metadata={"description": "Return the standings after this round. Default: the last paired round."},
    )


class ListQuery(Schema):
    from_ = fields.String(
        data_key="from",
        attribute="from",
        load_default="",
        metadata={"description": "Return tournaments whose ID sorts after this one."},
    )
    limit = fields.Integer(
        load_default=100,
        validate=validate.Range(1, 500),
        metadata={"description": "Maximum number of tournaments on a page. Default 100."},
    )
