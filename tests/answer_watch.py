"""Every answer of the API that a test gets is compared with the OpenAPI document, by `tests.answer_contract`.

Its imports are most of the product, so it is imported with the first answer.
"""

from functools import wraps
from typing import Any

from tests.when_imported import when_imported


def watch() -> None:
    """Compare every answer to a test's own client or to httpx from now on, also if these are imported later."""
    when_imported("flask.testing", _watch_flask)
    when_imported("httpx", _watch_httpx)


def _watch_flask(testing: Any) -> None:
    opened = testing.FlaskClient.open

    @wraps(opened)
    def watched(client: Any, *args: Any, **options: Any) -> Any:
        response = opened(client, *args, **options)
        from tests import answer_contract

        answer_contract.hold_flask(client, response)
        return response

    testing.FlaskClient.open = watched


def _watch_httpx(httpx: Any) -> None:
    opened = httpx.Client.send

    @wraps(opened)
    def watched(client: Any, request: Any, **options: Any) -> Any:
        response = opened(client, request, **options)
        from tests import answer_contract

        answer_contract.hold_httpx(client, request, response)
        return response

    httpx.Client.send = watched
