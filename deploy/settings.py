"""What an operator may set, by environment variables; everything has a default.

=====================  =================================================================
``ARBITER_DATA``       folder of the log, the keys (``./data``)
``ARBITER_HOST``       address to listen at (127.0.0.1)
``ARBITER_PORT``       port to listen at (8000)
``ARBITER_MAX_BODY``   bytes that a request's body may have (1048576)
``ARBITER_RATE``       commands a second and caller (500; 0: no limit)
``ARBITER_BURST``      commands at once and caller (2000)
``ARBITER_STREAMS``    live streams at once (32)
``ARBITER_HEARTBEAT``  seconds between signs of life on a quiet stream (15)
=====================  =================================================================
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from shared.http.limits import Limits

Value = TypeVar("Value", int, float)


class BadSetting(ValueError):
    """A setting that cannot be used; names the variable."""


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path
    host: str
    port: int
    limits: Limits


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of an environment. Raises `BadSetting`."""

    def number(name: str, kind: Callable[[str], Value], default: Value, low: Value) -> Value:
        said = environment.get(name)
        if said is None:
            return default
        try:
            value = kind(said)
        except ValueError:
            raise BadSetting(f"{name}={said!r} is no number") from None
        if not low <= value < 2**53:
            raise BadSetting(f"{name}={said!r} is out of range")
        return value

    usual = Limits()
    limits = Limits(
        body=number("ARBITER_MAX_BODY", int, usual.body, 1),
        rate=number("ARBITER_RATE", float, usual.rate, 0.0),
        burst=number("ARBITER_BURST", int, usual.burst, 1),
        streams=number("ARBITER_STREAMS", int, usual.streams, 0),
        heartbeat=number("ARBITER_HEARTBEAT", float, usual.heartbeat, 0.05),
    )
    data, host = Path(environment.get("ARBITER_DATA", "data")), environment.get("ARBITER_HOST", "127.0.0.1")
    return Settings(data, host, number("ARBITER_PORT", int, 8000, 0), limits)
