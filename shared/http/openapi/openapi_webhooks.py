"""What is sent to webhooks, as OpenAPI describes it (``webhooks``): one message for each line."""

from typing import Any

_EVENT = "#/components/schemas/EventAnswer"


def _header(name: str, meaning: str, pattern: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "header", "required": True, "description": meaning, "schema": schema}


_HEADERS = [
    _header("webhook-id", "ID of the event. A retry has the same ID.", "^[!-~]{1,100}$"),
    _header("webhook-timestamp", "Time of this delivery, in Unix seconds.", "^[0-9]+$"),
    _header(
        "webhook-signature",
        "Signature of ID, timestamp and body with the webhook's secret: `v1,` and base64.",
        "^v1,[A-Za-z0-9+/=]+$",
    ),
]
_LINE = {
    "type": "object",
    "required": ["tournament", "seq", "event"],
    "properties": {
        "tournament": {"type": "string", "description": "Tournament ID."},
        "seq": {"type": "integer", "minimum": 1, "description": "Sequence number of the event in the log."},
        "event": {"$ref": _EVENT},
    },
}
_MESSAGE = {
    "type": "object",
    "required": ["type", "timestamp", "data"],
    "properties": {
        "type": {"type": "string", "description": "Type of the event."},
        "timestamp": {"type": "string", "format": "date-time", "description": "Time of the event."},
        "data": _LINE,
    },
}
WEBHOOKS: dict[str, Any] = {
    "line": {
        "post": {
            "summary": "Receive a new event",
            "operationId": "receiveLine",
            "description": "Sent for each new event, according to Standard Webhooks. Each event is delivered at least once, and "
            "in the order of its tournament. Failed deliveries are retried for three days. Redirects are not followed.",
            "tags": ["standings"],
            "security": [],
            "parameters": _HEADERS,
            "requestBody": {"required": True, "content": {"application/json": {"schema": _MESSAGE}}},
            "responses": {
                "2XX": {"description": "The event was received. The next one follows."},
                "410": {"description": "Delivery stops at once."},
                "default": {"description": "The delivery failed and is retried later."},
            },
        }
    }
}
