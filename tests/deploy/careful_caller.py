"""A caller of services apart: each of its commands is decided by services that have read what it wrote before."""

import re
import uuid
from typing import Any

from deploy.server.settings import SERVICES
from shared.client import Answer, Client
from tests.conditional_writes import outcome
from tests.log.distributed import until

_TURNS = 20


class CarefulCaller(Client):
    """A client of the gateway that waits after each command of a tournament until all services have read its events."""

    def post(self, path: str, body: Any = None, *, if_match: str | None = None, key: str | None = None) -> Answer:
        """Send a command and wait. Raises `ClientError`."""
        key = key or uuid.uuid4().hex
        for _ in range(_TURNS):  # an answer that came before its event was in the log has no ETag: the next one has it
            answer = super().post(path, body, if_match=if_match, key=key)
            if answer.etag:
                break
        place = re.match(r"/v1/tournaments/([\w-]+)", path)
        t, seq = place[1] if place else body["id"], answer.etag.strip('"')
        wait_for_services(self, t, seq)
        return answer


def wait_for_services(reader: Client, t: str, seq: int | str) -> None:
    """Return when each service has read a tournament up to an event. A service answers 404 before it has read the first."""
    for service in SERVICES:
        path = f"/services/{service}/v1/tournaments/{t}?after={seq}"
        until(lambda path=path: outcome(lambda: reader.get(path)).status == 200, path)
