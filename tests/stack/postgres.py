"""A real PostgreSQL as a process of this machine: a private cluster, run by a user without rights."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.stack.process import NotReady, Process, Server, free_port, unprivileged

_EVERYWHERE = Path("/usr/lib/postgresql")
_ATTEMPTS = 20
_AGAIN_SECONDS = 0.25


def program(name: str) -> str | None:
    """Where a program of PostgreSQL lies: where Debian hides it, else on the path."""
    versions = sorted(_EVERYWHERE.glob(f"*/bin/{name}"), key=lambda p: float(p.parents[1].name))
    return str(versions[-1]) if versions else shutil.which(name)


def missing() -> str | None:
    """What this machine lacks for a database; None where all is here."""
    if program("initdb") is None or program("postgres") is None:
        return "PostgreSQL is not installed (Debian: postgresql)"
    return None


def missing_client() -> str | None:
    """What this machine lacks of the programs that make databases and backups; None where all are here."""
    for name in ("psql", "pg_dump", "pg_restore", "pg_isready"):
        path = program(name)
        # Debian's wrapper is there without the program that it wraps.
        if path is None or subprocess.run([path, "--version"], capture_output=True, check=False).returncode != 0:
            return f"{name} is not installed (Debian: postgresql-client)"
    return None


UNSYNCED = {"fsync": "off", "full_page_writes": "off"}
"""Settings for tests: the disk is not waited for. A killed server loses nothing by them, only a machine without power."""


class Postgres(Server):
    """One cluster in ``folder``, listening on 127.0.0.1 only.

    Where another user may not enter ``folder``, the cluster lies in a folder of its own beside it,
    which `end` removes.
    """

    def __init__(
        self,
        folder: Path,
        *,
        port: int = 0,
        password: str | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.port = port or free_port()
        self._user = unprivileged()
        self._password = password
        self._own_folder = not _may_enter(folder) if self._user else False
        place = Path(tempfile.mkdtemp(prefix="arbiter-postgres-")) if self._own_folder else folder
        self._place = place
        self.data = place / "postgres"
        self.data.mkdir(parents=True, exist_ok=True)
        if self._user:
            owner = pwd.getpwnam(self._user)
            for path in (place, self.data) if self._own_folder else (self.data,):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        self.data.chmod(0o700)
        settings = {"max_connections": "300", **(options or {})}
        self._synced = settings.get("fsync") != "off"
        arguments = [f"-c{name}={value}" for name, value in settings.items()]
        command = [
            str(program("postgres")), "-D", str(self.data), "-p", str(self.port), "-h", "127.0.0.1",
            "-k", str(self.data), *arguments,
        ]  # fmt: skip
        self.process = Process("postgres", command, _environment(), folder / "postgres.log", self._user)

    def url(self, database: str = "postgres", user: str = "postgres", password: str | None = None) -> str:
        """SQLAlchemy's address of a database."""
        secret = password or self._password
        return f"postgresql+psycopg://{user}{f':{secret}' if secret else ''}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it, made at the first start; returns when it answers."""
        if not self.exists():
            self._make()
        for attempt in range(_ATTEMPTS):
            self.process.start()
            try:
                self.process.wait_until(self.answers)
                return
            except NotReady:
                # A child of the one before may still hold its memory; PostgreSQL looks for that itself.
                if self.process.alive or attempt == _ATTEMPTS - 1:
                    raise
                time.sleep(_AGAIN_SECONDS)

    def exists(self) -> bool:
        """Whether the cluster was made before."""
        return (self.data / "PG_VERSION").exists()

    def _make(self) -> None:
        command = [str(program("initdb")), "-D", str(self.data), "-E", "UTF8", "--locale=C", "-U", "postgres"]
        secret = self._place / "password"
        if self._password is not None:
            secret.write_text(self._password)
            secret.chmod(0o644 if self._user else 0o600)
            command += ["--auth=scram-sha-256", f"--pwfile={secret}"]
        else:
            command += ["--auth=trust"]
        if not self._synced:
            command.append("--no-sync")
        group = None if self._user is None else pwd.getpwnam(self._user).pw_gid
        subprocess.run(
            command, env=_environment(), user=self._user, group=group, cwd="/", check=True, capture_output=True
        )
        secret.unlink(missing_ok=True)

    def answers(self) -> bool:
        """Whether it takes connections."""
        import psycopg

        try:
            psycopg.connect(self.url().replace("+psycopg", ""), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def run(self, sql: str, database: str = "postgres") -> None:
        """Run statements as the cluster's owner."""
        import psycopg

        with psycopg.connect(self.url(database).replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(sql.encode())

    def restart(self) -> None:
        """Start it again after `kill`; after a running one was ended in order."""
        self.process.end(by=signal.SIGINT)
        self.start()

    def end(self) -> None:
        self.process.end(by=signal.SIGINT)
        if self._own_folder:
            shutil.rmtree(self._place, ignore_errors=True)


def give(folder: Path) -> None:
    """Give a folder to the user that PostgreSQL runs as."""
    user = unprivileged()
    if user:
        owner = pwd.getpwnam(user)
        os.chown(folder, owner.pw_uid, owner.pw_gid)


def may_use(folder: Path) -> bool:
    """True if a cluster can be kept in ``folder``: as root, PostgreSQL runs as another user, which must enter it."""
    return unprivileged() is None or _may_enter(folder)


def _environment() -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"}


def _may_enter(folder: Path) -> bool:
    """Whether everybody may walk to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return all(path.stat().st_mode & 0o001 for path in (folder.resolve(), *folder.resolve().parents))
