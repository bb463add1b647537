"""The embedded server: four services, their pages, one desk and one SQLite file in one process."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from deploy.server import audit_job, gunicorn_app
from deploy.server.rules import RULES
from deploy.server.settings import settings
from deploy.server.tiebreak_codes import TIEBREAK_CODES
from services.games import app as games
from services.pairing import app as pairing
from services.penalties import app as penalties
from services.standings import app as standings
from shared import structured_log
from shared.audit import key_files
from shared.audit.checkpoint import Signer
from shared.desk.desk import Desk
from shared.http.app import Settings, create_app, mount
from shared.http.rate_limits import Limits
from shared.http.tokens import Keyring, ensure_keys
from shared.log.sqlite import SqliteLog

LOG = "arbiter.db"
SIGNER_NAME = "arbiter"


def signer(data: Path) -> Signer:
    """This server's signer of checkpoints; its public key lies in ``DIR/arbiter.vkey``."""
    path = data / "arbiter.key"
    key_files.make(path)
    private: Ed25519PrivateKey = key_files.read(path)
    signer = Signer(SIGNER_NAME, private)
    public = data / "arbiter.vkey"
    if not public.exists():
        key_files.publish(public, f"{signer.verifier}\n".encode())
    return signer


def open_desk(data: Path, **options: Any) -> Desk:
    """The desk of a data folder, made where it is not there yet. ``options`` are the desk's own."""
    data.mkdir(parents=True, exist_ok=True)
    return Desk(SqliteLog(data / LOG), RULES, signer(data).sign, **options)


def make_app(data: Path, limits: Limits | None = None, desk: Desk | None = None) -> Flask:
    """The app on a data folder: every service's routes at the root, and its own under ``/services/<name>``.

    Whoever makes it ends it with `shared.http.app.close`, unless it is given the desk of another.
    """
    data.mkdir(parents=True, exist_ok=True)
    ensure_keys(data)
    desk = desk or open_desk(data)
    key = signer(data).verifier
    own = {
        "pairing": pairing.blueprint(desk, TIEBREAK_CODES),
        "games": games.blueprint(desk),
        "penalties": penalties.blueprint(desk),
        "standings": standings.blueprint(desk, audit_job.auditor(desk, key), audit_job.integrity(desk, key)),
    }
    http = Settings(data / "token-keys", limits or settings().limits)
    app = create_app(tuple(own.values()), desk, http, "arbiter")
    for name, blueprint in own.items():
        mount(app, name, blueprint, desk)
    return app


def serve(
    data: Path,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    limits: Limits | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a data folder until SIGTERM or Ctrl-C, then end the process (SystemExit).

    ``ready`` is called once with the address (port 0: chosen by the system) when connections are taken.
    Raises `key_files.BadKeys` and `port.BadDatabase` before it listens.
    """

    # Before the fork, so that keys and a database that cannot be used are told to the one who starts it.
    ensure_keys(data)
    Keyring(data / "token-keys")
    signer(data)
    SqliteLog(data / LOG).close()

    def load() -> Flask:
        structured_log.configure()
        return make_app(data, limits)

    gunicorn_app.run(load, host, port, ready)
