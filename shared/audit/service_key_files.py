"""The keys of services in files: ``DIR/keys/<service>.key`` private, ``<service>.vkey`` public beside it.

A private file holds the newest key first, and behind it those before, which tournaments are signed by that have not heard of
the newest yet.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from shared.audit import key_files
from shared.audit.key_files import BadKeys
from shared.core.service_keys import BadServiceKey, parse_key
from shared.core.terms import SOURCES, Source, service_of
from shared.signing.service_keys import OwnKey, ServiceKeys

FOLDER = "keys"


def ensure(folder: Path, sources: Iterable[Source] = SOURCES) -> None:
    """Make the keys of these services in a data folder where they are not there yet. Raises `BadKeys`."""
    for source in sources:
        key_files.make(_private(folder, source))
        _publish(folder, source)


def rotate(folder: Path, source: Source) -> str:
    """A new key of a service, and its public text; those before stay behind it in the same file. Raises `BadKeys`."""
    path = _private(folder, source)
    _read(path, source)
    key_files.make(path, replace=True, behind=path.read_bytes())
    return _publish(folder, source)


def load(folder: Path, sources: Sequence[Source] = SOURCES, public: Path | None = None) -> ServiceKeys:
    """The keys of these services in a data folder; ``public`` is a folder with the ``.vkey`` of every other service.

    Raises `BadKeys`.
    """
    own = {source: _read(_private(folder, source), source) for source in sources}
    others = [_read_public(public / f"{service_of(s)}.vkey", s) for s in SOURCES if s not in own] if public else []
    return ServiceKeys(own, others)


def _private(folder: Path, source: Source) -> Path:
    return folder / FOLDER / f"{service_of(source)}.key"


def _publish(folder: Path, source: Source) -> str:
    """Put the newest public key beside the private ones, where it is not there already."""
    path = folder / FOLDER / f"{service_of(source)}.vkey"
    text = str(_read(_private(folder, source), source)[0].public)
    if not path.exists() or path.read_text(encoding="utf-8") != f"{text}\n":
        key_files.publish(path, f"{text}\n".encode())
    return text


def _read(path: Path, source: Source) -> list[OwnKey]:
    """A service's keys, newest first."""
    try:
        return [OwnKey.of(source, private) for private in key_files.read_all(path)]
    except BadKeys as problem:
        if path.exists():
            raise
        raise BadKeys(f"{problem}: {service_of(source)} signs its records (`arbiter keys` makes the key)") from None


def _read_public(path: Path, source: Source) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
        key = parse_key(text)
    except FileNotFoundError:
        raise BadKeys(
            f"there is no {path}: an announcement names every service's key (`arbiter keys` makes it)"
        ) from None
    except (OSError, UnicodeDecodeError, BadServiceKey) as problem:
        raise BadKeys(f"{path} is no service's public key: {problem}") from None
    if key.source != source:
        raise BadKeys(f"{path} is the key of {key.source}")
    return text
