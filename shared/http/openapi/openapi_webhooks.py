"""What is sent to webhooks, as OpenAPI describes it (``webhooks``): one message for each line."""

from typing import Any

_EVENT = "#/components/schemas/EventAnswer"


def _header(name: str, meaning: str, pattern: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "header", "required": True, "description": meaning, "schema": schema}


_HEADERS = [
    _header("webhook-id", "the same whenever the same line is sent again: the event's id", "^[!-~]{1,100}$"),
    _header("webhook-timestamp", "when it is sent, in Unix seconds", "^[0-9]+$"),
    _header(
        "webhook-signature", "of id, timestamp and body by the webhook's secret: v1 and base64", "^v1,[A-Za-z0-9+/=]+$"
    ),
]
_LINE = {
    "type": "object",
    "required": ["tournament", "seq", "event"],
    "properties": {
        "tournament": {"type": "string"},
        "seq": {"type": "integer", "minimum": 1},
        "event": {"$ref": _EVENT},
    },
}
_MESSAGE = {
    "type": "object",
    "required": ["type", "timestamp", "data"],
    "properties": {
        "type": {"type": "string", "description": "the event's type"},
        "timestamp": {"type": "string", "format": "date-time", "description": "the event's time"},
        "data": _LINE,
    },
}
WEBHOOKS: dict[str, Any] = {
    "line": {
        "post": {
            "summary": "A new line of the log, by Standard Webhooks: each at least once, in the order of its tournament",
            "operationId": "receiveLine",
            "tags": ["standings"],
            "security": [],
            "parameters": _HEADERS,
            "requestBody": {"required": True, "content": {"application/json": {"schema": _MESSAGE}}},
            "responses": {
                "2XX": {"description": "taken; the next line follows"},
                "410": {"description": "nothing more is wanted: it stops at once"},
                "default": {"description": "not taken; it is sent again later, and redirects are not followed"},
            },
        }
    }
}
