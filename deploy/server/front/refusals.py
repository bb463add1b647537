"""What is answered to bytes that are no request: a problem document, and the connection ends."""

import json
from http import HTTPStatus

from gunicorn.http import errors
from gunicorn.util import http_date

from shared.http.problems import MEDIA, of_status


class Refused(Exception):
    """No request can be made of what was sent; ``status`` and ``detail`` are what the sender is told."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail

    def response(self) -> bytes:
        """The whole answer, head and problem document."""
        problem = of_status(self.status, self.detail)
        body = json.dumps(problem.document(), ensure_ascii=False).encode()
        lines = [
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}",
            f"Date: {http_date()}",
            "Connection: close",
            f"Content-Type: {MEDIA}",
            f"Content-Length: {len(body)}",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
        ]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


_STATUSES: dict[type[Exception], int] = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ExpectationFailed: 417,
}
"""What gunicorn's parser refuses otherwise than with 400."""


def of_parser(problem: Exception) -> Refused:
    """What gunicorn's parser found, as an answer."""
    text = str(problem) if isinstance(problem, errors.ParseException) else "the head of the request cannot be read"
    return Refused(_STATUSES.get(type(problem), 400), text[:200])
