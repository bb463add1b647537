"""docker-compose.yml as far as this system uses it: services, in the order in which they start."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?:(:-|:\?)([^}]*))?\}|\$(\w+)")
_SECONDS = re.compile(r"(\d+)s")


class BadCompose(Exception):
    """A file that cannot be used; says why."""


@dataclass(frozen=True, slots=True)
class Mount:
    """``source`` is a path of the host, or a volume's name; ``target`` a path of the container."""

    source: str
    target: str

    @property
    def named(self) -> bool:
        return not self.source.startswith((".", "/", "~"))


@dataclass(frozen=True, slots=True)
class Service:
    """``needs``: service -> what it waits for (service_healthy, service_completed_successfully, service_started)."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    ports: tuple[str, ...]
    mounts: tuple[Mount, ...]
    temporary: tuple[str, ...]
    needs: Mapping[str, str]
    healthy: tuple[str, ...]
    grace: float
    signal: str

    @property
    def once(self) -> bool:
        """Whether it is to end by itself."""
        return not self.healthy


def read(path: Path, environment: Mapping[str, str]) -> dict[str, Service]:
    """The services of a file, variables filled in. Raises `BadCompose`."""
    document = yaml.safe_load(path.read_text())
    return _ordered({name: _service(name, _filled(said, environment)) for name, said in document["services"].items()})


def _filled(value: Any, environment: Mapping[str, str]) -> Any:
    """``value`` with its variables, as compose fills them in."""
    if isinstance(value, dict):
        return {key: _filled(one, environment) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, environment) for one in value]
    if not isinstance(value, str):
        return value

    def one(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        name, kind, rest = found[1] or found[4], found[2], found[3] or ""
        said = environment.get(name, "")
        if said or kind is None:
            return said
        if kind == ":?":
            raise BadCompose(f"{name} is not set: {rest}")
        return rest

    return _VARIABLE.sub(one, value)


def _service(name: str, said: dict[str, Any]) -> Service:
    if not isinstance(said.get("command"), list):
        raise BadCompose(f"{name}: its command is to be a list, so that it can be started without a container")
    grace = _SECONDS.fullmatch(said.get("stop_grace_period", "10s"))
    if grace is None:
        raise BadCompose(f"{name}: stop_grace_period is to be in seconds")
    check = said.get("healthcheck", {}).get("test", [])
    if check and check[0] != "CMD":
        raise BadCompose(f"{name}: its health check is to be a CMD")
    return Service(
        name,
        tuple(map(str, said["command"])),
        {key: str(value) for key, value in said.get("environment", {}).items()},
        tuple(map(str, said.get("expose", ()))),
        tuple(Mount(*volume.split(":")[:2]) for volume in said.get("volumes", ())),
        tuple(said.get("tmpfs", ())),
        {other: told["condition"] for other, told in said.get("depends_on", {}).items()},
        tuple(map(str, check[1:])),
        float(grace[1]),
        said.get("stop_signal", "SIGTERM"),
    )


def _ordered(services: dict[str, Service]) -> dict[str, Service]:
    """Each after what it needs."""
    ordered: dict[str, Service] = {}
    left = dict(services)
    while left:
        ready = [name for name, service in left.items() if service.needs.keys() <= ordered.keys()]
        if not ready:
            raise BadCompose(f"these wait for each other, or for what is not there: {', '.join(left)}")
        ordered |= {name: left.pop(name) for name in ready}
    return ordered
