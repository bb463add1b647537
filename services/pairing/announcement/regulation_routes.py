"""The shipped sets of regulations over HTTP."""

from functools import cache
from hashlib import sha256
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from services.pairing.announcement import regulation_schemas
from services.pairing.announcement.regulation_schemas import RegulationsAnswer, RegulationsListAnswer, RegulationsListed
from shared import regulations
from shared.http.common_problems import unknown_regulations
from shared.http.language.language import words
from shared.http.operations import Operation
from shared.http.requests.request_parts import unchanged
from shared.regulations import load, names
from shared.regulations.description import described
from shared.regulations.set_descriptions import SET_DESCRIPTIONS
from shared.regulations.set_names import SET_NAMES

SETS = "/v1/regulations"


def listed() -> RegulationsListAnswer:
    """Return each shipped set, and under ``see`` the address of the whole."""
    shipped = map(load, names())
    return RegulationsListAnswer(
        [
            RegulationsListed(
                s.name,
                words(SET_NAMES[s.name]),
                words(SET_DESCRIPTIONS[s.name]),
                s.edition,
                s.digest,
                [*s.game.rules],
                f"{SETS}/{s.name}",
            )
            for s in shipped
        ]
    )


@cache
def whole(name: str) -> RegulationsAnswer:
    """Return a shipped set, as `described`."""
    return msgspec.convert(described(load(name)), RegulationsAnswer)


def sets(bp: Blueprint) -> None:
    """The sets that an announcement may name, and each whole."""

    @bp.get(SETS)
    @Operation(
        "List the available rulesets",
        name="listRegulations",
        description=("A ruleset in this list can be named when a tournament is created."),
        answer=regulation_schemas.RegulationsListAnswer,
    )
    def list_sets() -> Response:
        return _cacheable(listed())

    @bp.get(f"{SETS}/<name>")
    @Operation(
        "Get a ruleset",
        name="getRegulations",
        description=(
            "Returns every value with its path, unit and article, the infractions with their facts, and the "
            "penalty ladder."
        ),
        answer=regulation_schemas.RegulationsAnswer,
    )
    def show_set(name: str) -> Response:
        if name not in regulations.names():
            raise unknown_regulations(regulations.names())
        return _cacheable(whole(name))


def _cacheable(payload: Any) -> Response:
    """``payload`` as JSON with an ETag of its bytes; 304 where ``If-None-Match`` names it."""
    content = msgspec.json.encode(payload)
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    same = unchanged(request, tag)
    response = Response(status=304) if same else Response(content, mimetype="application/json")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = "no-cache"
    return response
