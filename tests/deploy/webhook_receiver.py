"""A receiver of webhooks: a real https server with a certificate of an authority of its own."""

import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks.webhooks import Webhook

HOST = "receiver.example"
Answer = Callable[[BaseHTTPRequestHandler], None]


class Received(NamedTuple):
    """A message: its header fields by their names in lower case, its body, and where it was sent."""

    headers: dict[str, str]
    body: bytes
    path: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


def status(code: int, **fields: str) -> Answer:
    """An answer of a status alone."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(code)
        for name, value in fields.items():
            request.send_header(name, value)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer


TAKEN = status(204)


class Receiver:
    """Answers each message by the next of ``answers``, then by 204. What has come stands in ``received``, as it came."""

    def __init__(self, folder: Path) -> None:
        self.answers: list[Answer] = []
        self.received: list[Received] = []
        self.changed = threading.Condition()
        self.authority = folder / "authority.pem"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(_certificate(folder, self.authority))
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def url(self, host: str = HOST) -> str:
        return f"https://{host}:{self.port}/hooks"

    def wait(self, number: int, seconds: float = 30) -> list[Received]:
        """The first so many messages, once they are there."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.received) >= number, seconds), len(self.received)
            return self.received[:number]

    def verified(self, secret: str) -> list[dict[str, Any]]:
        """What every message says, each checked by the standard's own library."""
        with self.changed:
            return [Webhook(secret).verify(one.body, one.headers) for one in self.received]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.changed:
                    answer = receiver.answers.pop(0) if receiver.answers else TAKEN
                    received = {k.lower(): v for k, v in self.headers.items()}
                    receiver.received.append(Received(received, body, self.path))
                    receiver.changed.notify_all()
                answer(self)

            def log_message(self, *said: object) -> None:
                pass

        return Handler


def _certificate(folder: Path, authority: Path) -> Path:
    """A file with a key and its certificate, for `HOST` and 127.0.0.1; that of who signed it is written to ``authority``."""
    signer, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test authority")])
    now = datetime.now(UTC)

    def begun(subject: x509.Name, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(days=1))
        )

    names = x509.SubjectAlternativeName([x509.DNSName(HOST), x509.IPAddress(ip_address("127.0.0.1"))])
    root = begun(issuer, signer).add_extension(x509.BasicConstraints(True, None), True).sign(signer, hashes.SHA256())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    leaf = begun(subject, own).add_extension(names, False).sign(signer, hashes.SHA256())
    authority.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    file = folder / "receiver.pem"
    key = own.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(key + leaf.public_bytes(serialization.Encoding.PEM))
    return file
