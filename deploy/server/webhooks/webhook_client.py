"""One message of a webhook, sent once (Standard Webhooks 1.0.0)."""

import socket
import ssl
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property
from http import HTTPStatus
from http.client import HTTPException, HTTPSConnection
from typing import NamedTuple

from standardwebhooks.webhooks import Webhook as Signer

from shared.desk.desk import SOFTWARE
from shared.http.identity.proxies import Network
from shared.http.webhook_address import RECEIVER_SECONDS, BadAddress, Resolve, Target, resolved, target_of


class Unsent(Exception):
    """A message that was not taken; says why. ``gone``: the receiver wants no more (410)."""

    def __init__(self, why: str, gone: bool = False) -> None:
        super().__init__(why)
        self.gone = gone


class Message(NamedTuple):
    """A body, and the id by which a receiver knows it again when it is sent again."""

    id: str
    body: bytes


class WebhookClient:
    """Sends messages, each over a connection of its own. ``allowed``: networks that are reached though they are not public."""

    def __init__(
        self, allowed: Sequence[Network] = (), seconds: float = RECEIVER_SECONDS, resolve: Resolve | None = None
    ) -> None:
        self._allowed, self._seconds, self._resolve = allowed, seconds, resolve

    def send(self, url: str, secret: str, message: Message) -> None:
        """Send a message; the receiver has taken it where it answers 2xx. Raises `Unsent`."""
        try:
            target = target_of(url, self._allowed)
            address = resolved(target, self._allowed, self._resolve)
        except BadAddress as problem:
            raise Unsent(str(problem.why)) from None
        status = self._status(target, address, _headers(secret, message), message.body)
        if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            redirect = HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST
            why = f"it answers {status}" + (", and a redirect is not followed" if redirect else "")
            raise Unsent(why, status == HTTPStatus.GONE)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()

    def _status(self, target: Target, address: str, headers: dict[str, str], body: bytes) -> int:
        connection = _Pinned(target, address, self._seconds, self._tls)
        watch = threading.Timer(self._seconds, connection.cut)
        watch.daemon = True
        watch.start()
        try:
            connection.request("POST", target.path, body, headers)
            return connection.getresponse().status
        except TimeoutError:
            raise Unsent(f"it does not answer in {self._seconds:g} s") from None
        except (OSError, HTTPException) as problem:
            why = "it does not answer in time" if connection.was_cut else f"{problem or type(problem).__name__}"[:200]
            raise Unsent(why) from None
        finally:
            watch.cancel()
            connection.close()


class _Pinned(HTTPSConnection):
    """A connection to the address that was checked, and to no other; the certificate is to be that of the name."""

    def __init__(self, target: Target, address: str, seconds: float, tls: ssl.SSLContext) -> None:
        super().__init__(target.host, target.port, timeout=seconds, context=tls)
        self._at, self._tls, self.was_cut = (address, target.port), tls, False

    def connect(self) -> None:
        plain = socket.create_connection(self._at, self.timeout)
        self.sock = self._tls.wrap_socket(plain, server_hostname=self.host, do_handshake_on_connect=False)
        if self.was_cut:
            raise TimeoutError
        self.sock.do_handshake()

    def cut(self) -> None:
        """End what is under way, however it drips."""
        self.was_cut = True
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(
                    self.sock, socket.SHUT_RDWR
                )  # a TLS socket's own takes its state away from the reader


def _headers(secret: str, message: Message) -> dict[str, str]:
    now = datetime.now(UTC)
    return {
        "Content-Type": "application/json",
        "User-Agent": f"arbiter/{SOFTWARE}",
        "webhook-id": message.id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Signer(secret).sign(message.id, now, message.body.decode()),
    }
