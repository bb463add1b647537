"""Keys and passwords of the distributed system: made once, and shared out so that each container has only its own.

`python -m deploy.server.key_shares FOLDER` makes in ``ARBITER_DATA`` what does not exist yet, and copies to
``FOLDER/<container>`` the files of `SHARES`. Run again, it hands changed keys to the running services. If ``ARBITER_KAFKA``
lists the brokers, they use TLS, and each gets a certificate.
"""

import os
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from deploy.server.keys import broker_certificates
from deploy.server.keys.signing_key import FOLDER as PERMITS
from deploy.server.settings import SERVICES
from deploy.whole_files import write_whole
from shared.log.kafka.broker import READER

PASSWORDS = "passwords"
PGPASS, KAFKA_PASSWORD, KAFKA_PASSWORDS = "pgpass", "kafka-password", "kafka-passwords"
KAFKA_USERS = ("admin", *SERVICES, READER)
NAMES = ("postgres", *(f"{name}.db" for name in SERVICES), *(f"{name}.kafka" for name in KAFKA_USERS))
"""The files in the folder ``passwords``."""
_BYTES = 24
_OWN, _GROUP = 0o600, 0o640
"""Kafka and PostgreSQL run as other users of the same group."""

_CA = f"{broker_certificates.FOLDER}/{broker_certificates.AUTHORITY}"
_TOKENS, _ALL_PUBLIC = "token-keys/*.pem", "keys/*.vkey"
_PUBLIC = ("keys/pairing.vkey", _CA)
SHARES: Mapping[str, tuple[str, ...]] = {
    "pairing": ("token.key", _TOKENS, "keys/pairing.key", _ALL_PUBLIC, _CA),
    "pairing-worker": (_TOKENS, "keys/pairing.key", _ALL_PUBLIC, _CA),
    **{
        name: (_TOKENS, f"keys/{service}.key", *_PUBLIC)
        for service in ("games", "penalties")
        for name in (service, f"{service}-worker")
    },
    "standings": (_TOKENS, "keys/standings.key", *_PUBLIC, "arbiter.vkey", "arbiter.former"),
    "standings-worker": (_TOKENS, "keys/standings.key", *_PUBLIC, "arbiter.key", "arbiter.vkey", "arbiter.former"),
    "prepare": (_ALL_PUBLIC, _CA),
    "kafka": (),
    "postgres": (),
}
"""Container -> the files of the operator's folder that it is given. Pairing alone signs tokens, the worker of standings alone
checkpoints."""


def passwords(keys: Path) -> dict[str, str]:
    """Return the passwords by name, newly made where a file does not exist."""
    folder = keys / PASSWORDS
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in NAMES:
        if not (folder / name).exists():
            _write(folder / name, secrets.token_hex(_BYTES).encode())
    return {name: (folder / name).read_text() for name in NAMES}


def share(keys: Path, shares: Path, hosts: Sequence[str] = ()) -> None:
    """Give each container its files: replace those that differ, and remove those that it should no longer have.

    ``hosts``: those of the brokers, if they use TLS.
    """
    known = passwords(keys)
    _write(keys / PASSWORDS / PGPASS, _pgpass(known, *SERVICES))
    if hosts:
        broker_certificates.make(keys, hosts)
    brokers = {broker_certificates.container(number): () for number in range(1, len(hosts) + 1)}
    for name, patterns in {**SHARES, **brokers}.items():
        folder = shares / name
        given = {path.relative_to(keys): path.read_bytes() for one in patterns for path in sorted(keys.glob(one))}
        given |= {Path(file): content.encode() for file, content in _passwords_of(name, known)}
        if name in brokers:
            given |= broker_certificates.files_of(keys, name)
        for path, content in given.items():
            _write(folder / path, content, _OWN if patterns else _GROUP)
        for path in [path for path in folder.rglob("*") if path.is_file() and PERMITS not in path.parts]:
            if path.relative_to(folder) not in given:
                path.unlink()
        if name.endswith("-worker"):
            _permit(keys, folder, name.removesuffix("-worker"))


def _passwords_of(name: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield file and content of each password that a container needs."""
    service = name.removesuffix("-worker")
    if name.startswith("kafka"):
        yield KAFKA_PASSWORDS, _kafka_passwords(known)
    elif name == "postgres":
        for file in ("postgres", *(f"{one}.db" for one in SERVICES)):
            yield file, known[file]
    elif name == "prepare":
        yield PGPASS, _pgpass(known, *SERVICES).decode()
        yield KAFKA_PASSWORD, known["admin.kafka"]
        yield KAFKA_PASSWORDS, _kafka_passwords(known)
    else:
        yield PGPASS, _pgpass(known, service).decode()
        yield KAFKA_PASSWORD, known[f"{service}.kafka"]


def _kafka_passwords(known: Mapping[str, str]) -> str:
    """Return the password of every user of Kafka, in the form that deploy/kafka/start.sh and `deploy.server.prepare` read."""
    return " ".join(f"{user}={known[f'{user}.kafka']}" for user in KAFKA_USERS)


def _pgpass(known: Mapping[str, str], *services: str) -> bytes:
    """PostgreSQL's own format of a password file, for these users on any server."""
    return "".join(f"*:*:*:{name}:{known[f'{name}.db']}\n" for name in services).encode()


def _permit(keys: Path, folder: Path, service: str) -> None:
    """Move a permit to begin a log to the worker, which uses it up."""
    given, there = keys / PERMITS / service / "permit", folder / PERMITS / service / "permit"
    there.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if given.exists():
        _write(there, b"")
        given.unlink()


def _write(path: Path, content: bytes, mode: int = _OWN) -> None:
    """Replace a file atomically, unless it holds this already: running services notice a new file."""
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
    write_whole(path, content, mode)


def main(shares: str) -> int:
    """Make the keys and passwords, share them out, and print where they are."""
    from deploy.server.data_folder import make_keys
    from deploy.server.settings import settings
    from shared.audit.keys.key_files import BadKeys
    from shared.log.port import BadDatabase

    keys = settings().data
    hosts = [at.rpartition(":")[0] for at in os.environ.get("ARBITER_KAFKA", "").split(",") if at]
    try:
        make_keys(keys)
        share(keys, Path(shares), hosts)
    except (BadKeys, BadDatabase, OSError) as problem:
        print(f"keys: {problem}", file=sys.stderr)
        return 2
    print(f"keys and passwords are in {keys}; each container has its own in {shares}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
