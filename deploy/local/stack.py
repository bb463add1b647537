"""The whole of docker-compose.yml without containers: `python -m deploy.local.stack [--port P] [--folder F]`.

Each service's own command and environment become a process of this machine, against a real Kafka, a real
PostgreSQL and a real nginx; host names become 127.0.0.1 with free ports, paths a folder. What an image brings
with it is found here: Kafka's jars, PostgreSQL's programs (and what its image does at the first start).
"""

import argparse
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

from deploy.local import kafka, nginx, postgres
from deploy.local.compose import Service, read
from deploy.local.paths import LocalService, all_ports
from deploy.local.process import NotReady, Process

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
_PASSWORDS = ("POSTGRES", *(f"{s}_DB" for s in ("PAIRING", "GAMES", "PENALTIES", "STANDINGS")))
_KAFKA = ("KAFKA_ADMIN", *(f"{s}_KAFKA" for s in ("PAIRING", "GAMES", "PENALTIES", "STANDINGS")))
_CHECK_SECONDS = 10
_READY_SECONDS = 120
_LOOK_SECONDS = 0.3
"""Each look is a process of its own, which takes from those that start."""


def missing() -> list[str]:
    """What this machine lacks for the stack."""
    lacks = (kafka.missing(), postgres.missing(), postgres.missing_client(), nginx.missing())
    return [lack for lack in lacks if lack is not None]


class Stack:
    """Started by `start` or as a context; ``url`` is the gateway's address, ``data`` the folder with the keys."""

    def __init__(
        self, folder: Path, *, port: int = 0, profile: str = "plain", environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder, self.data = folder, folder / "keys"
        variables = {f"ARBITER_{name}": secrets.token_hex(16) for name in _PASSWORDS}
        if profile == "production":
            variables |= {f"ARBITER_{name}": secrets.token_hex(16) for name in _KAFKA}
        variables |= {"ARBITER_KEYS": str(self.data), "ARBITER_PROFILE": profile, **(environment or {})}
        self.services = read(COMPOSE, variables)
        self.ports = all_ports(self.services, {"gateway": {"8080": port}})
        self.secrets = variables
        self.url = f"http://127.0.0.1:{self.ports['gateway']['8080']}"
        self.processes: dict[str, Process] = {}
        self._images = {"/opt/kafka/jars": kafka.jars(), "/opt/kafka": kafka.CONFIG}
        self._checks: dict[str, list[str]] = {}
        self.postgres: postgres.Postgres | None = None

    # ------------------------------------------------------------ start and end

    def start(self) -> None:
        """Start every service when what it needs is ready. Raises `NotReady`; then everything is ended."""
        from deploy.cli.data_folder import make_keys

        make_keys(self.data)
        try:
            for service in self.services.values():
                for other, condition in service.needs.items():
                    self._await(other, condition)
                self._begin(service)
            for name in self.services:
                self._await(name, "service_healthy")
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End every service in its own way, the last started first."""
        for name in reversed(list(self.processes)):
            self.stop(name)
        if self.postgres is not None:
            self.postgres.end()

    def __enter__(self) -> "Stack":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, what: BaseException | None, where: TracebackType | None
    ) -> None:
        self.end()

    # ------------------------------------------------------------ one service

    def address(self, name: str) -> str:
        """Where a service or worker itself listens."""
        return f"http://127.0.0.1:{next(iter(self.ports[name].values()))}"

    def stop(self, name: str) -> None:
        """End a service in its own way."""
        service = self.services[name]
        self.processes[name].end(service.grace, signal.Signals[service.signal])

    def restart(self, *names: str) -> None:
        """Start services again that were killed; those that run are ended first. Returns when all are healthy."""
        for name in names:
            self.stop(name)
        for name in names:
            self.processes[name].start()
        for name in names:
            self._await(name, "service_healthy")

    @property
    def kafka(self) -> str:
        """Where the broker listens."""
        return f"127.0.0.1:{self.ports['kafka']['9092']}"

    def database(self, name: str) -> str:
        """SQLAlchemy's address of a service's database, as its own user."""
        assert self.postgres is not None
        return self.postgres.url(name, name, self.secrets[f"ARBITER_{name.upper()}_DB"])

    def _begin(self, service: Service) -> None:
        local = LocalService(ROOT, self.folder, service, self.ports, self._images)
        local.settle()
        self._checks[service.name] = local.check()
        if service.name == "postgres":
            self._begin_postgres(service, local)
            return
        output = self.folder / f"{service.name}.log"
        environment = _usual() | local.environment()
        command = _with_full_path(local.command())
        if service.name == "gateway":
            command = nginx.as_this_user(command)
        self.processes[service.name] = Process(service.name, command, environment, output, cwd=ROOT)
        self.processes[service.name].start()

    def _begin_postgres(self, service: Service, local: LocalService) -> None:
        """What the image's own entry does: a cluster with its password, and the scripts at the first start."""
        words = service.command[1:]
        options = dict(word.split("=", 1) for word in words if word != "-c")
        environment = local.environment()
        cluster = postgres.Postgres(
            local.paths["/var/lib/postgresql/data"],
            port=self.ports["postgres"]["5432"],
            password=environment["POSTGRES_PASSWORD"],
            options=options,
        )
        first = not cluster.exists()
        self.postgres, self.processes["postgres"] = cluster, cluster.process
        cluster.start()
        if first:
            where = {"PGHOST": "127.0.0.1", "PGPORT": str(cluster.port), "PGUSER": "postgres"}
            where["PGPASSWORD"] = environment["POSTGRES_PASSWORD"]
            for target, script in local.paths.items():
                if target.startswith("/docker-entrypoint-initdb.d/"):
                    subprocess.run(["sh", str(script)], env=_usual() | environment | where, check=True)

    def _await(self, name: str, condition: str) -> None:
        service, process = self.services[name], self.processes[name]
        if service.once or condition == "service_completed_successfully":
            process.wait(_READY_SECONDS)
        else:
            process.wait_until(lambda: self.healthy(name), _READY_SECONDS, _LOOK_SECONDS)

    def healthy(self, name: str) -> bool:
        """Whether the service's own health check says so."""
        environment = _usual() | {
            key: value for key, value in self.processes[name].environment.items() if key.startswith("ARBITER_")
        }
        try:
            check = subprocess.run(
                _with_full_path(self._checks[name]),
                env=environment,
                cwd=ROOT,
                capture_output=True,
                timeout=_CHECK_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        return check.returncode == 0


def _usual() -> dict[str, str]:
    """What an image's environment gives: programs first of all those of this Python."""
    programs = [str(Path(sys.executable).parent), os.environ["PATH"], "/usr/sbin"]
    database = postgres.program("pg_isready")
    if database is not None:
        programs.insert(1, str(Path(database).parent))
    kept = {name: os.environ[name] for name in ("HOME", "JAVA_HOME") if name in os.environ}
    return {"PATH": os.pathsep.join(programs), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", **kept}


def _with_full_path(command: list[str]) -> list[str]:
    """The command with its program's full path."""
    return [shutil.which(command[0], path=_usual()["PATH"]) or command[0], *command[1:]]


def main() -> int:
    """Start the stack, say where it is, and end it at Ctrl-C."""
    parser = argparse.ArgumentParser(prog="make stack", description="The distributed system as processes.")
    parser.add_argument("--port", type=int, default=0, help="of the gateway (chosen by itself)")
    parser.add_argument("--folder", type=Path, help="kept for the next time (else a temporary one, removed at the end)")
    parser.add_argument("--profile", choices=("plain", "production"), default="plain")
    chosen = parser.parse_args()
    lacking = missing()
    if lacking:
        print("\n".join(lacking), file=sys.stderr)
        return 2
    folder = (chosen.folder or Path(tempfile.mkdtemp(prefix="arbiter-stack-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    stack = Stack(folder, port=chosen.port, profile=chosen.profile)
    print("starting Kafka, PostgreSQL, four services, four workers and the gateway", file=sys.stderr, flush=True)
    try:
        stack.start()
    except NotReady as problem:
        print(f"{problem}\nlogs lie in {folder}", file=sys.stderr)
        return 1
    print(f"URL={stack.url}\nDIR={stack.data}", flush=True)
    print("logs lie beside the keys; Ctrl-C ends it", file=sys.stderr, flush=True)
    stopped.wait()
    stack.end()
    if chosen.folder is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
