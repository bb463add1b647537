"""The compose files as far as this system uses them: services, in the order in which they start."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import yaml

_VARIABLE = re.compile(r"\$\$|\$\{(\w+)(?:(:-|:\?)([^}]*))?\}|\$(\w+)")
_SECONDS = re.compile(r"(\d+)s")
_REPLACED = ("command", "test")


class BadCompose(Exception):
    """A file that cannot be used; says why."""


@dataclass(frozen=True, slots=True)
class Mount:
    """``source`` is a path of the host, or a volume's name; ``target`` a path of the container."""

    source: str
    target: str

    @property
    def is_volume(self) -> bool:
        """Whether it is a named volume, not a path."""
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


def read(paths: Sequence[Path], environment: Mapping[str, str]) -> dict[str, Service]:
    """Return the services that `up` starts, by one file or several, with variables filled in. Raises `BadCompose`."""
    rows = merged(paths)["services"]
    started = {name: row for name, row in rows.items() if "profiles" not in row}
    return _ordered({name: _service(name, _filled(row, environment)) for name, row in started.items()})


def merged(paths: Sequence[Path]) -> dict[str, Any]:
    """Return the document of several files, of which later ones override earlier ones."""
    return reduce(_merged, (yaml.safe_load(path.read_text()) for path in paths))


def _merged(first: Any, second: Any) -> Any:
    """Return both as compose merges them: lists other than commands are added."""
    if isinstance(first, dict) and isinstance(second, dict):
        common = {
            key: second[key] if key in _REPLACED else _merged(first[key], second[key])
            for key in first.keys() & second.keys()
        }
        return {**first, **second, **common}
    return [*first, *second] if isinstance(first, list) else second


def _filled(value: Any, environment: Mapping[str, str]) -> Any:
    """``value`` with its variables, as compose fills them in."""
    if isinstance(value, dict):
        return {key: _filled(one, environment) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, environment) for one in value]
    if not isinstance(value, str):
        return value

    def one(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        name, kind, rest = match[1] or match[4], match[2], match[3] or ""
        setting = environment.get(name, "")
        if setting or kind is None:
            return setting
        if kind == ":?":
            raise BadCompose(f"{name} is not set: {rest}")
        return rest

    return _VARIABLE.sub(one, value)


def _service(name: str, row: dict[str, Any]) -> Service:
    if not isinstance(row.get("command"), list):
        raise BadCompose(f"{name}: its command is to be a list, so that it can be started without a container")
    grace = _SECONDS.fullmatch(row.get("stop_grace_period", "10s"))
    if grace is None:
        raise BadCompose(f"{name}: stop_grace_period is to be in seconds")
    check = row.get("healthcheck", {}).get("test", [])
    if check and check[0] != "CMD":
        raise BadCompose(f"{name}: its health check is to be a CMD")
    return Service(
        name,
        tuple(map(str, row["command"])),
        {key: str(value) for key, value in row.get("environment", {}).items()},
        tuple(map(str, row.get("expose", ()))),
        tuple(Mount(*volume.split(":")[:2]) for volume in row.get("volumes", ())),
        tuple(row.get("tmpfs", ())),
        {other: needed["condition"] for other, needed in row.get("depends_on", {}).items()},
        tuple(map(str, check[1:])),
        float(grace[1]),
        row.get("stop_signal", "SIGTERM"),
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
