"""What a user runs, from a fresh clone to its end: `make compose-test CACHE=FOLDER`.

Builds the images of docker-compose.yml on a base made by debootstrap, starts them with podman-compose, plays the sample
tournament through the gateway, restarts each container, verifies the log, checks that nothing listens beyond loopback,
and removes everything. Needs root and podman. ``CACHE`` keeps the base image and the layers for the next time.
"""

import argparse
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from deploy.cli.demo.demo_story import HOLDERS, Story, load_sample
from deploy.server.settings import SERVICES
from shared.client import Client
from shared.core.terms import Role
from tests.deploy.careful_caller import CarefulCaller
from tests.deploy.containers import Engine, missing
from tests.stack.process import free_port
from tests.stack.stack import PROFILES

ROOT = Path(__file__).parents[2]
_HEALTHY_SECONDS = 600
_LOOK_SECONDS = 1.0
_ENGINE = ("podman", "conmon", "netavark", "aardvark-dns", "rootlessport")
"""Programs of the engine that may listen."""
_TOKEN = re.compile(r"eyJ[\w-]+\.[\w-]+\.[\w-]+")


def main() -> int:
    """Run the story; 0 if every step holds."""
    parser = argparse.ArgumentParser(prog="make compose-test", description=__doc__.split("\n")[0])
    parser.add_argument("--cache", type=Path, default=Path("/var/tmp/arbiter-compose"), help="base image and layers")
    parser.add_argument("--profile", choices=PROFILES, default="", help="production: three brokers")
    parser.add_argument("--clean", action="store_true", help="remove the images at the end")
    chosen = parser.parse_args()
    lacks = missing()
    if lacks:
        print("\n".join(lacks), file=sys.stderr)
        return 2
    folder, port = Path(tempfile.mkdtemp(prefix="arbiter-clone-")), free_port()
    site = f"http://127.0.0.1:{port}"
    settings = {"ARBITER_GATEWAY": f"127.0.0.1:{port}", "ARBITER_ADDRESS": site}
    engine = Engine(chosen.cache, folder, PROFILES[chosen.profile], settings)
    try:
        _play(engine, site, port)
    except BaseException:
        for name in engine.services:
            told = engine.compose("logs", "--no-color", "--tail", "8", name, check=False)
            print(f"--- {name}\n{told}", file=sys.stderr)
        raise
    finally:
        left = engine.remove(images=chosen.clean)
        shutil.rmtree(folder, ignore_errors=True)
    assert not left, f"not removed: {left}"
    print("what only Docker does is not tested: deploy/docs/install.md, What is tested")
    print("1 passed, 0 failed")
    return 0


def _play(engine: Engine, site: str, port: int) -> None:
    engine.clear()
    _clone(engine.checkout)
    files = _files(engine.checkout)
    with _step("base image"):
        engine.base()
    with _step("images built"):
        engine.compose("build")
    for name, size in sorted(engine.images().items()):
        print(f"  {name}: {size} MB")
    before = _listening()
    with _step("docker compose up: all healthy"):
        _up(engine)
    once = {name: engine.containers()[name]["State"]["ExitCode"] for name in engine.once}
    assert set(once.values()) == {0}, once
    _check_outside(port, before)
    _check_no_secret_is_seen(engine)
    with _step("first organiser logs in"):
        organiser = _log_in(engine, site)
    with _step("sample tournament played"):
        story = _tournament(engine, site)
    with _step("each container restarted"):
        _restart_each(engine, story)
    with _step("operator: doctor, a rotated key, a backup"):
        _operate(engine, organiser, story, site)
    if "kafka-2" in engine.services:
        with _step("a lost broker, and databases of an earlier time"):
            _lose_a_broker(engine, story)
            _go_back(engine, story)
    with _step("log verified"):
        _verify(engine, story, site)
    with _step("docker compose down, up: the log is kept"):
        table = _table(story)
        engine.compose("down", "--timeout", "30")
        _up(engine)
        assert _table(story) == table
        _verify(engine, story, site)
    assert _files(engine.checkout) == files, "the clone has changed"


# ------------------------------------------------------------------ steps


@contextmanager
def _step(what: str) -> Iterator[None]:
    begun = time.monotonic()
    yield
    print(f"{what}: {time.monotonic() - begun:.0f} s", flush=True)


def _clone(folder: Path) -> None:
    """Copy the files that git knows, as a clone has them."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    archive = subprocess.run(
        ["tar", "--null", "-T", "-", "-c"], cwd=ROOT, input=names, capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def _until(what: str, holds: Callable[[], bool], seconds: float = _HEALTHY_SECONDS) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{what}: not after {seconds:.0f} s"
        time.sleep(_LOOK_SECONDS)


def _up(engine: Engine) -> None:
    """Start everything by one command."""
    engine.compose("up", "-d")
    _until("all healthy", lambda: _is_up(engine))


def _is_up(engine: Engine) -> bool:
    return engine.look(engine.lasting) == set(engine.lasting)


def _log_in(engine: Engine, site: str) -> str:
    """Return the token that the log invites the first organiser with, once it has opened a session."""
    found = _TOKEN.findall(engine.compose("logs", "organiser"))
    assert len(found) == 1, found
    browser = httpx.Client(follow_redirects=True, timeout=30)
    page = browser.post(f"{site}/login", data={"token": found[0]}, headers={"Origin": site})
    assert page.status_code == 200 and "organiser" in page.text, page.text[:500]
    return found[0]


def _operator(engine: Engine, *words: str) -> str:
    """Run one command of `arbiter` as install.md says."""
    return engine.compose("--profile", "operator", "run", "--rm", "-T", "operator", *words)


def _operator_with(engine: Engine, program: str, *words: str) -> str:
    """Run another program beside the operator's keys."""
    return engine.compose(
        "--profile", "operator", "run", "--rm", "-T", "--entrypoint", program, "operator", *words
    )  # fmt: skip


def _tournament(engine: Engine, site: str) -> Story:
    callers: dict[Role, Client] = {}
    for name, role in HOLDERS:
        token = _TOKEN.findall(_operator(engine, "token", "--role", role, "--name", name))[0]
        callers[role] = CarefulCaller(site, token, patience=120)
    story = Story(callers, load_sample())
    story.play()
    assert callers["chief_arbiter"].get(f"{story.path}/audit").json["verdict"] == "agrees"
    return story


def _table(story: Story) -> list[dict]:
    return story.callers["chief_arbiter"].get(f"{story.path}/standings").json["players"]


def _restart_each(engine: Engine, story: Story) -> None:
    table = _table(story)
    for name in engine.lasting:
        engine.compose("restart", "--timeout", "30", name)
        _until(f"{name} restarted", lambda seen={name, "gateway"}: engine.look(seen) == seen)
        assert _table(story) == table, name
    _until("all healthy", lambda: _is_up(engine))
    _note(story, "written after every restart")


def _note(story: Story, reason: str) -> None:
    """Have every service write: a new tournament with a game and a ruling."""
    chief, arbiter = story.callers["chief_arbiter"], story.callers["arbiter"]
    t = f"/v1/tournaments/{re.sub(r'[^a-z]+', '-', reason)}"
    officials = [{"name": name, "role": role} for name, role in HOLDERS]
    announced = {"id": t.rpartition("/")[2], "name": reason, "game": "chess", "format": "swiss", "rounds": 3}
    chief.post("/v1/tournaments", announced | {"regulations": "campus", "officials": officials})
    chief.post(f"{t}/entries", {"players": [{"name": "Anna"}, {"name": "Berta"}]})
    chief.post(f"{t}/rounds", {}, if_match=chief.get(t).etag)
    arbiter.post(f"{t}/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]})
    arbiter.post(f"{t}/rulings", {"player": 1, "round": 1, "infraction": "foul", "note": reason})
    assert chief.get(f"{t}/audit").json["verdict"] == "agrees"


def _operate(engine: Engine, organiser: str, story: Story, site: str) -> None:
    assert "ok" in _operator(engine, "doctor")
    _operator(engine, "topics")
    _operator(engine, "keys", "--rotate", "games")
    engine.compose("run", "--rm", "-T", "keys")
    _note(story, "after the rotation")
    _operator(engine, "token", "--revoke-name", "organiser")
    revoked = httpx.post(f"{site}/v1/tournaments", headers={"Authorization": f"Bearer {organiser}"})
    assert revoked.status_code == 401, revoked.text
    _restore(engine)
    _note(story, "after the restore")


def _restore(engine: Engine) -> None:
    """Back up one database and restore it, as deploy/docs/install.md says."""
    dump = "/tmp/games.dump"
    engine.compose("exec", "-T", "postgres", "pg_dump", "--format=custom", f"--file={dump}", "games")
    keys = _operator_with(engine, "tar", "-C", "/keys", "-c", ".")
    assert "token.key" in keys and "passwords/admin.kafka" in keys
    engine.compose("stop", "games", "games-worker")
    options = ("--clean", "--if-exists", "--exit-on-error", "--single-transaction", "--dbname=games")
    engine.compose("exec", "-T", "postgres", "pg_restore", *options, dump)
    engine.compose("start", "games-worker", "games")
    _until("games restored", lambda: _is_up(engine))


def _lose_a_broker(engine: Engine, story: Story) -> None:
    engine.compose("kill", "kafka-2")
    _note(story, "without a broker")
    engine.compose("start", "kafka-2")
    _until("the broker is back", lambda: _is_up(engine))


def _go_back(engine: Engine, story: Story) -> None:
    """Restore all databases to a point in time, as deploy/docs/install.md and backup.md say."""
    services = [f"{service}{end}" for service in SERVICES for end in ("-worker", "")]
    base = "pg_basebackup --pgdata=- --format=tar --wal-method=fetch --checkpoint=fast > /archive/base.tar"
    ask = ("exec", "-T", "postgres", "psql", "--tuples-only", "--no-align", "--command")
    engine.compose("exec", "-T", "postgres", "sh", "-c", base)
    _note(story, "before the time")
    time = engine.compose(*ask, "SELECT clock_timestamp()").strip()
    _note(story, "after the time")
    engine.compose("stop", *services)
    engine.compose("stop", "postgres")
    restore = f'sh /opt/postgres/restore.sh "{time}" < /archive/base.tar'
    engine.compose("run", "--rm", "-T", "--no-deps", "--entrypoint", "sh", "postgres", "-c", restore)
    engine.compose("start", "postgres")
    _until("recovered", lambda: engine.compose(*ask, "SELECT pg_is_in_recovery()", check=False).strip() == "f")
    engine.compose("start", *services)
    _until("services restored", lambda: _is_up(engine))
    chief = story.callers["chief_arbiter"]
    for t in ("before-the-time", "after-the-time"):
        assert chief.get(f"/v1/tournaments/{t}/audit").json["verdict"] == "agrees"


def _verify(engine: Engine, story: Story, site: str) -> None:
    """Verify the tournament's log outside, with its checkpoint and the operator's public key."""
    t, chief = story.sample.id, story.callers["chief_arbiter"]
    folder = Path(tempfile.mkdtemp(prefix="arbiter-verify-"))
    try:
        log = chief.get(f"{story.path}/events", accept="application/x-ndjson").content
        (folder / "log.ndjson").write_bytes(log)
        (folder / "note").write_bytes(chief.get(f"{story.path}/checkpoint", accept="text/plain").content)
        (folder / "arbiter.vkey").write_text(_operator_with(engine, "cat", "/keys/arbiter.vkey"))
        command = ["verify", "log.ndjson", "--checkpoint", "note", "--key", "arbiter.vkey"]
        ran = subprocess.run(
            [str(Path(sys.executable).with_name("arbiter")), *command],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0 and "agrees" in ran.stdout, ran.stdout + ran.stderr
        print(f"  {t}: {ran.stdout.splitlines()[0]}")
    finally:
        shutil.rmtree(folder)


# ------------------------------------------------------------------ outside


def _listening() -> set[tuple[str, int]]:
    """Return address and port of each TCP socket at which the engine or a container listens on this machine's network."""
    rows = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True, check=True).stdout.splitlines()
    found = ((row.split()[3].rpartition(":"), re.findall(r'"([^"]+)",pid=(\d+)', row)) for row in rows)
    return {(place[0], int(place[2])) for place, owners in found if any(_is_container(*owner) for owner in owners)}


def _is_container(program: str, pid: str) -> bool:
    """True if a process is the engine's, or sees other files than this one."""
    with suppress(OSError):  # it has ended
        return program in _ENGINE or _files_of(pid) != _files_of("self")
    return False


def _files_of(pid: str) -> Path:
    """Return the mount namespace of a process."""
    return Path(f"/proc/{pid}/ns/mnt").readlink()


def _check_outside(port: int, before: set[tuple[str, int]]) -> None:
    """Nothing new listens beyond loopback, and the gateway's port is closed at this machine's other addresses."""
    new = _listening() - before
    assert ("127.0.0.1", port) in new, new
    # The engine's own name server listens at the address of the containers' bridge.
    beyond = {(address, at) for address, at in new if not address.startswith(("127.", "[::1]")) and at != 53}
    assert not beyond, f"listens beyond loopback: {beyond}"
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True, check=True).stdout.split()
    for address in (one for one in addresses if ":" not in one):
        with socket.socket() as probe:
            probe.settimeout(2)
            assert probe.connect_ex((address, port)) != 0, f"{address}:{port} answers"
    print(f"  listening: {sorted(new)}; closed at {len(addresses)} other addresses")


def _check_no_secret_is_seen(engine: Engine) -> None:
    """No password is in what the engine tells of a container."""
    names = _operator_with(engine, "sh", "-c", "cat /keys/passwords/*")
    secrets = set(re.findall(r"[0-9a-f]{48}", names))
    assert len(secrets) == 11, len(secrets)
    told = str(engine.containers())
    assert not [secret for secret in secrets if secret in told]


if __name__ == "__main__":
    sys.exit(main())
