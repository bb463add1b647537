"""The compose files: what they promise of every container, and that this machine reads it as compose does."""

import os
from pathlib import Path

import pytest

from deploy.server.data_folder import make_keys
from deploy.server.key_shares import SHARES, passwords, share
from deploy.server.settings import SERVICES, BadSetting, settings
from shared.audit.keys import service_key_files
from shared.core.terms import PAIRING
from tests.stack.compose import BadCompose, merged, read
from tests.stack.paths import LocalService, all_ports
from tests.stack.stack import COMPOSE, PROFILES

ROOT = Path(__file__).parents[2]
DOCUMENT = merged(PROFILES["production"])["services"]
ONCE = ("keys", "prepare", "organiser", "operator")
LASTING = [name for name in DOCUMENT if name not in ONCE]
IMAGES = {"deploy/Dockerfile", "deploy/kafka/Dockerfile", "deploy/postgres/Dockerfile", "deploy/gateway.Dockerfile"}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "docker-compose.yml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(("profile", "brokers"), [("", ["kafka"]), ("production", ["kafka", "kafka-2", "kafka-3"])])
def test_there_are_brokers_a_database_four_services_with_workers_and_a_gateway(profile, brokers):
    assert set(merged(PROFILES[profile])["services"]) == {
        *brokers, "postgres", "gateway", *SERVICES, *(f"{service}-worker" for service in SERVICES), *ONCE,
    }  # fmt: skip


@pytest.mark.parametrize("name", DOCUMENT)
def test_a_container_may_write_nowhere_and_gain_nothing(name):
    said = DOCUMENT[name]
    assert said["read_only"] is True
    assert said["cap_drop"] == ["ALL"]
    assert said["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", LASTING)
def test_a_container_tells_its_health_and_has_time_to_end(name):
    assert DOCUMENT[name]["healthcheck"]["test"][0] == "CMD"
    assert int(DOCUMENT[name]["stop_grace_period"].removesuffix("s")) >= 10
    assert DOCUMENT[name]["restart"] == "unless-stopped"


def test_pairing_alone_knows_the_address_of_the_api():
    told = {name: read([COMPOSE], {})[name].environment for name in (*SERVICES, "prepare")}
    assert {name: one["ARBITER_API_URL"] for name, one in told.items() if "ARBITER_API_URL" in one} == {
        "pairing": "http://gateway:8080"
    }
    assert set(SERVICES) == {one.partition("=")[0] for one in told["prepare"]["ARBITER_DATABASES"].split()}


def test_only_the_gateway_listens_and_on_loopback():
    assert [name for name, said in DOCUMENT.items() if "ports" in said] == ["gateway"]
    assert DOCUMENT["gateway"]["ports"] == ["${ARBITER_GATEWAY:-127.0.0.1:8080}:8080"]


@pytest.mark.parametrize("name", DOCUMENT)
def test_a_container_has_a_memory_limit(name):
    assert DOCUMENT[name]["mem_limit"]


def test_each_image_has_one_build_on_one_base():
    built = [(said["image"], said["build"]) for said in DOCUMENT.values() if "build" in said]
    assert sorted(image for image, _ in built) == sorted({said["image"] for said in DOCUMENT.values()})
    assert {str(Path(b["context"], b.get("dockerfile", "Dockerfile"))) if b["context"] != "deploy" else
            f"deploy/{b['dockerfile']}" for _, b in built} == IMAGES  # fmt: skip
    assert all(build["args"] == {"BASE": "${ARBITER_BASE:-debian:bookworm-slim}"} for _, build in built)
    for image in IMAGES:
        lines = (ROOT / image).read_text().splitlines()
        assert {line.split()[1] for line in lines if line.startswith("FROM ")} == {"${BASE}"}


@pytest.mark.parametrize("profile", PROFILES)
def test_each_volume_that_a_container_uses_is_declared(profile):
    document = merged(PROFILES[profile])
    used = {volume.split(":")[0] for said in document["services"].values() for volume in said.get("volumes", ())}
    assert used == set(document["volumes"])


@pytest.mark.parametrize("name", [*SHARES, "kafka-2", "kafka-3"])
def test_a_container_sees_no_keys_but_its_share(name):
    keys = f"keys-{name}"
    assert f"{keys}:/shares/{name}" in DOCUMENT["keys"]["volumes"]
    users = {one for one, said in DOCUMENT.items() for v in said.get("volumes", ()) if v.startswith(f"{keys}:")}
    assert users == {"keys", name}
    masters = {one for one, said in DOCUMENT.items() if any(v.startswith("keys:") for v in said.get("volumes", ()))}
    assert masters == {"keys", "organiser", "operator"}


@pytest.mark.parametrize(("key", "service"), [("arbiter.key", "standings-worker"), ("token.key", "pairing")])
def test_one_container_has_the_key_of_checkpoints_and_one_that_of_tokens(key, service):
    assert [name for name, files in SHARES.items() if key in files] == [service]


def test_shared_keys_are_replaced_and_withdrawn_but_permits_are_given_once(tmp_path):
    keys, shares = tmp_path / "keys", tmp_path / "shares"
    make_keys(keys)
    share(keys, shares)
    permit = shares / "games-worker" / "new" / "games" / "permit"
    assert permit.exists() and not list(keys.glob("new/*/permit"))
    assert {path.stat().st_mode & 0o777 for path in (shares / "games").rglob("*") if path.is_file()} == {0o600}
    assert (shares / "games" / "pgpass").read_text() == f"*:*:*:games:{passwords(keys)['games.db']}\n"
    permit.unlink()
    (shares / "games" / "token-keys" / "old.pem").write_text("x")
    first = (shares / "games" / "keys" / "pairing.vkey").read_text()
    service_key_files.rotate(keys, PAIRING)
    share(keys, shares)
    assert not permit.exists() and not (shares / "games" / "token-keys" / "old.pem").exists()
    assert (shares / "games" / "keys" / "pairing.vkey").read_text().endswith(first)
    assert (shares / "pairing-worker" / "keys" / "pairing.key").exists()


@pytest.mark.parametrize("image", sorted(IMAGES))
def test_an_image_runs_as_a_user_without_rights(image):
    users = [line.split()[1] for line in (ROOT / image).read_text().splitlines() if line.startswith("USER ")]
    assert users
    assert int(users[-1].partition(":")[0]) > 10_000


def test_no_password_is_in_the_file_or_an_environment():
    for name, said in DOCUMENT.items():
        for variable, value in said.get("environment", {}).items():
            assert "PASSWORD" not in variable or value.startswith(("/secrets", "/keys")), (name, variable)


def test_each_service_has_its_own_database_and_user():
    services = read([COMPOSE], {})
    password = {"ARBITER_KAFKA_PASSWORD_FILE": os.devnull}
    for name in SERVICES:
        for one in (name, f"{name}-worker"):
            service = settings({**services[one].environment, **password}).distributed
            assert service is not None
            assert service.service == name
            assert service.database == f"postgresql+psycopg://{name}@postgres:5432/{name}"


@pytest.mark.parametrize(
    ("profile", "protocol"),
    [
        ("", {"security_protocol": "SASL_PLAINTEXT"}),
        ("production", {"security_protocol": "SASL_SSL", "ssl_cafile": "/keys/kafka/ca.pem"}),
    ],
)
def test_each_service_connects_to_kafka_under_its_own_name(tmp_path, profile, protocol):
    (tmp_path / "password").write_text("g\n")
    environment = {
        **read(PROFILES[profile], {})["games-worker"].environment,
        "ARBITER_KAFKA_PASSWORD_FILE": f"{tmp_path}/password",
    }
    service = settings(environment).distributed
    assert service is not None
    assert service.broker.security == protocol | {
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": "games",
        "sasl_plain_password": "g",
    }
    with pytest.raises(BadSetting, match="ARBITER_KAFKA_PASSWORD_FILE='/nowhere'"):
        settings({**environment, "ARBITER_KAFKA_PASSWORD_FILE": "/nowhere"})


@pytest.mark.parametrize("profile", PROFILES)
def test_services_start_after_what_they_need(profile):
    order = list(read(PROFILES[profile], {}))
    for name, service in read(PROFILES[profile], {}).items():
        assert all(order.index(other) < order.index(name) for other in service.needs)
    assert order[-1] == "gateway"


def test_a_circle_is_refused(tmp_path):
    text = """
services:
  a: {command: [a], depends_on: {b: {condition: service_started}}}
  b: {command: [b], depends_on: {a: {condition: service_started}}}
"""
    with pytest.raises(BadCompose, match="a, b"):
        read([written(tmp_path, text)], {})


def test_variables_are_filled_in_as_compose_does(tmp_path):
    text = """
services:
  a:
    command: [run, "$$HOME", "${A}", "${B:-usual}", "${C:-}", "x${A}y"]
"""
    service = read([written(tmp_path, text)], {"A": "1"})["a"]
    assert service.command == ("run", "$HOME", "1", "usual", "", "x1y")


def test_a_container_s_world_is_moved_to_this_machine(tmp_path):
    text = """
services:
  web:
    command: [serve, --config, /etc/web/web.conf]
    environment: {LISTEN: "0.0.0.0:80", HOST: "0.0.0.0", ALL: "0.0.0.0/0", PORT: "80",
      PEER: "http://db:5432/x", KEYS: /keys, NOT: "webdb:5432 /keysx"}
    expose: ["80"]
    tmpfs: [/tmp]
    volumes: ["./web.conf:/etc/web/web.conf:ro", "./token:/keys/token:ro"]
  db: {command: [db], expose: ["5432"], volumes: ["db:/data"]}
"""
    services = read([written(tmp_path, text)], {})
    (tmp_path / "web.conf").write_text("peer db:5432; pid /tmp/pid; listen 0.0.0.0:80;")
    (tmp_path / "token").write_text("t")
    ports = all_ports(services, {"web": {"80": 1080}, "db": {"5432": 1543}})
    local = LocalService(tmp_path, tmp_path / "here", services["web"], ports, {})
    local.settle()
    moved = local.environment()
    assert (moved["LISTEN"], moved["PORT"], moved["PEER"]) == ("127.0.0.1:1080", "1080", "http://127.0.0.1:1543/x")
    assert (moved["HOST"], moved["ALL"]) == ("127.0.0.1", "0.0.0.0/0")
    assert moved["NOT"] == "webdb:5432 /keysx"
    assert (Path(moved["KEYS"]) / "token").read_text() == "t"
    assert (
        Path(local.command()[2]).read_text()
        == f"peer 127.0.0.1:1543; pid {local.paths['/tmp']}/pid; listen 127.0.0.1:1080;"
    )


def test_git_ignores_settings_and_keys_and_images_get_no_others():
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"/keys/", "/.env", "/data/"} <= set(ignored)
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert rules[0] == "*"
    assert {line.strip("!") for line in rules if line.startswith("!")} == {
        "requirements.lock", "pyproject.toml", "setup.py", "LICENSE", "README.md", "shared", "services", "deploy",
    }  # fmt: skip
