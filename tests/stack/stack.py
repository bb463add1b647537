"""The whole of docker-compose.yml without containers: `make stack [PORT=P] [FOLDER=F] [PROFILE=production]`.

Each service's own command and environment become a process of this machine, against a real Kafka, a real
PostgreSQL and a real nginx; host names become 127.0.0.1 with free ports, paths a folder. What an image brings
with it is found here: Kafka's jars, PostgreSQL's programs (and what its image does at the first start).
"""

import argparse
import dataclasses
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from deploy.server import healthcheck, key_shares
from deploy.server.first_organiser import READY
from deploy.server.keys import broker_certificates
from deploy.server.settings import SERVICES
from tests.stack import kafka, nginx, postgres
from tests.stack.compose import Service, read
from tests.stack.paths import LocalService, all_ports
from tests.stack.process import NotReady, Process, open_port

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"
PROFILES = {"": [COMPOSE], "production": [COMPOSE, ROOT / "deploy" / "compose.production.yml"]}
"""Profile -> its compose files."""
_DATABASES = ROOT / "deploy" / "postgres" / "databases.sh"
_CHECK_SECONDS = 10
_READY_SECONDS = 300
_LOOK_SECONDS = 0.3
"""Each look is a process of its own, which takes from those that start; the first is made when the port is open."""
_LOOK_HERE_SECONDS = 0.1
_CHECK = ["python", "-m", "deploy.server.healthcheck"]


def missing() -> list[str]:
    """What this machine lacks for the stack."""
    lacks = (kafka.missing(), postgres.missing(), postgres.missing_client(), nginx.missing())
    return [lack for lack in lacks if lack is not None]


class Stack:
    """Started by `start` or as a context; ``url`` is the gateway's address, ``data`` the folder with the keys.

    A folder that is used again keeps its keys, its records and, if no one else has taken them, its ports.
    """

    def __init__(
        self, folder: Path, *, port: int = 0, environment: Mapping[str, str] | None = None, profile: str = ""
    ) -> None:
        files = PROFILES[profile]
        self.folder, self.data = folder, folder / "volumes" / "keys"
        ports = folder / "ports.json"
        former = json.loads(ports.read_text()) if ports.exists() else None
        self.services = read(files, environment or {})
        self.ports = all_ports(self.services, {"gateway": {"8080": port}}, former)
        ports.write_text(json.dumps(self.ports))
        self.url = f"http://127.0.0.1:{self.ports['gateway']['8080']}"
        self.services = read(files, {"ARBITER_ADDRESS": self.url, **(environment or {})})
        self.processes: dict[str, Process] = {}
        deploy = ROOT / "deploy"
        self._images = {
            "/opt/kafka/jars": kafka.jars(),
            "/opt/kafka": kafka.CONFIG,
            "/etc/nginx/nginx.conf": deploy / "nginx.conf",
            "/etc/nginx/gateway.sh": deploy / "gateway.sh",
            "/srv/arbiter.json": deploy / "openapi" / "arbiter.json",
        }
        self._checks: dict[str, list[str]] = {}
        self.postgres: postgres.Postgres | None = None
        self._forked = False
        self.roots: dict[str, Path] = {}
        """The folder of the product for services that are of another version."""

    def hurry(self) -> None:
        """Start later services by a fork (`tests.warm`), compile the broker less, and let the database not wait for the disk."""
        self._forked = True
        for name in self.brokers:
            broker = self.services[name]
            environment = {**broker.environment, "KAFKA_JAVA_OPTIONS": kafka.QUICK}
            self.services[name] = dataclasses.replace(broker, environment=environment)

    # ------------------------------------------------------------ start and end

    def start(self) -> None:
        """Start every service when what it needs is ready. Raises `NotReady`; then everything is ended."""
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
        """End every service in its own way: all at once, and then what they use."""
        used = self.processes.keys() & {*self.brokers, "postgres"}
        self.stop(*self.processes.keys() - used)
        self.stop(*used)
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

    def stop(self, *names: str) -> None:
        """End services in their own way, all at once."""

        def end(name: str) -> None:
            service = self.services[name]
            self.processes[name].end(service.grace, signal.Signals[service.signal])

        with ThreadPoolExecutor(len(names) or 1) as threads:
            list(threads.map(end, names))

    def restart(self, *names: str) -> None:
        """Start services again that were killed; those that run are ended first. Returns when all are healthy."""
        self.stop(*names)
        for name in names:
            self.processes[name].start()
        for name in names:
            self._await(name, "service_healthy")

    @property
    def brokers(self) -> list[str]:
        """The services that are brokers."""
        return [name for name in self.services if re.fullmatch(r"kafka(-\d)?", name)]

    @property
    def kafka(self) -> str:
        """Where the brokers listen."""
        return ",".join(f"127.0.0.1:{self.ports[name]['9092']}" for name in self.brokers)

    def database(self, name: str) -> str:
        """SQLAlchemy's address of a service's database, as its own user."""
        assert self.postgres is not None
        return self.postgres.url(name, name, self.passwords[f"{name}.db"])

    @property
    def passwords(self) -> dict[str, str]:
        """The passwords by name, as `key_shares` made them at the first start."""
        return key_shares.passwords(self.data)

    def share_keys(self) -> None:
        """Hand changed keys to the running services."""
        self.run("keys")

    def run(self, name: str) -> None:
        """Run a service that ends by itself again, as `docker compose run --rm` does."""
        self.processes[name].start()
        self._await(name, "service_completed_successfully")

    def settings(self) -> dict[str, str]:
        """Return the environment that `arbiter doctor`, `topics` and `rebuild` need."""
        assert self.postgres is not None
        at = f"127.0.0.1:{self.postgres.port}"
        databases = [f"{name}=postgresql+psycopg://{name}@{at}/{name}" for name in SERVICES]
        return {
            "ARBITER_DATA": str(self.data),
            "ARBITER_KAFKA": self.kafka,
            "ARBITER_KAFKA_PASSWORD_FILE": str(self.data / key_shares.PASSWORDS / "admin.kafka"),
            "ARBITER_DATABASES": " ".join(databases),
            "PGPASSFILE": str(self.data / key_shares.PASSWORDS / key_shares.PGPASS),
            **self.cluster(),
        }

    def cluster(self) -> dict[str, str]:
        """Return the settings of clients that three brokers need besides their addresses; empty for one broker."""
        if len(self.brokers) == 1:
            return {}
        return {
            "ARBITER_KAFKA_CA": str(self.data / broker_certificates.FOLDER / broker_certificates.AUTHORITY),
            "ARBITER_REPLICATION": str(len(self.brokers)),
        }

    def _begin(self, service: Service) -> None:
        local = LocalService(ROOT, self.folder, service, self.ports, self._images)
        local.settle()
        self._checks[service.name] = local.check()
        if service.name == "postgres":
            self._begin_postgres(service, local)
            return
        self.processes[service.name] = self.process(service.name, local.command(), local.environment())
        self.processes[service.name].start()

    def process(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> Process:
        """Return a process of the stack that is not started."""
        root = self.roots.get(name, ROOT)
        environment = _usual() | environment | {"PYTHONPATH": str(root)}
        words = _with_full_path(list(command))
        if name == "gateway":
            words = nginx.as_this_user(words)
        output = self.folder / f"{name}.log"
        return Process(name, words, environment, output, cwd=root, forked=self._forked, root=root)

    def _begin_postgres(self, service: Service, local: LocalService) -> None:
        """What the image's own entry does: a cluster with its password, and the scripts at the first start."""
        words = local.command()[1:]
        options = dict(word.split("=", 1) for word in words if word != "-c")
        if self._forked:
            options |= postgres.UNSYNCED
        if "/archive" in local.paths:
            postgres.give(local.paths["/archive"])
        environment = local.environment()
        cluster = postgres.Postgres(
            local.paths["/var/lib/postgresql/data"],
            port=self.ports["postgres"]["5432"],
            password=Path(environment["POSTGRES_PASSWORD_FILE"]).read_text(),
            options=options,
        )
        first = not cluster.exists()
        self.postgres, self.processes["postgres"] = cluster, cluster.process
        cluster.start()
        if first:
            where = {"PGHOST": "127.0.0.1", "PGPORT": str(cluster.port), "PGUSER": "postgres"}
            where["PGPASSWORD"] = Path(environment["POSTGRES_PASSWORD_FILE"]).read_text()
            subprocess.run(["sh", str(_DATABASES)], env=_usual() | environment | where, check=True)

    def _await(self, name: str, condition: str) -> None:
        service, process = self.services[name], self.processes[name]
        if service.once or condition == "service_completed_successfully":
            process.wait(_READY_SECONDS)
        else:
            process.wait_until(lambda: all(map(open_port, [*self.ports.get(name, {}).values()][:1])), _READY_SECONDS)
            look = _LOOK_HERE_SECONDS if self._forked else _LOOK_SECONDS
            process.wait_until(lambda: self.healthy(name), _READY_SECONDS, look)

    def healthy(self, name: str) -> bool:
        """Whether the service's own health check says so. In a hurry, the product's check is called here."""
        if self._forked and self._checks[name][:3] == _CHECK:
            return healthcheck.ask(int(self.processes[name].environment["ARBITER_PORT"]), self._checks[name][3])[0]
        environment = _usual() | {
            key: value for key, value in self.processes[name].environment.items() if key.startswith(("ARBITER_", "PG"))
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
    """Start the stack, print its addresses, and end it at Ctrl-C."""
    parser = argparse.ArgumentParser(prog="make stack", description="The distributed system as processes.")
    parser.add_argument("--port", type=int, default=0, help="of the gateway (default: a free one)")
    parser.add_argument("--folder", type=Path, help="kept for the next start (default: temporary, removed at the end)")
    parser.add_argument("--profile", choices=PROFILES, default="", help="production: three brokers, TLS, an archive")
    parser.add_argument("--quick", action="store_true", help="for tests: fork the services")
    chosen = parser.parse_args()
    lacking = missing()
    if lacking:
        print("\n".join(lacking), file=sys.stderr)
        return 2
    folder = (chosen.folder or Path(tempfile.mkdtemp(prefix="arbiter-stack-"))).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.folder is not None and not postgres.may_use(folder):
        print(
            f"{folder}: as root, PostgreSQL runs as another user, which cannot enter this folder; "
            f"choose one such as /var/tmp/arbiter",
            file=sys.stderr,
        )
        return 2
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    stack = Stack(folder, port=chosen.port, profile=chosen.profile)
    if chosen.quick:
        stack.hurry()
    print("starting Kafka, PostgreSQL, four services, four workers and the gateway", file=sys.stderr, flush=True)
    try:
        stack.start()
    except NotReady as problem:
        print(f"{problem}\nlogs are in {folder}", file=sys.stderr)
        return 1
    print(f"URL={stack.url}\nDIR={stack.data}")
    for name, value in stack.settings().items():
        print(f"export {name}={shlex.quote(value)}")
    sys.stdout.flush()
    print(READY + (folder / "organiser.log").read_text().rpartition(READY)[2].rstrip(), file=sys.stderr)
    print(
        f"arbiter doctor, topics and rebuild need the lines with export; logs: {folder}; Ctrl-C: end", file=sys.stderr
    )
    stopped.wait()
    stack.end()
    if chosen.folder is None:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
