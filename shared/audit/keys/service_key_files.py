"""The keys of services in files: ``DIR/keys/<service>.key`` is private, ``<service>.vkey`` next to it is public.

Both contain the newest key first, followed by former ones. These sign tournaments that have not received the newest key
yet, and were used to announce them. After a theft, delete the key's line in the public file; it is not added again.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from shared import structured_log
from shared.audit.keys import key_files
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import message_of, say
from shared.core.terms import PAIRING, SOURCES, Source, service_of
from shared.core.trust.recovery import NAME
from shared.core.trust.service_keys import BadServiceKey, ServiceKey, parse_key
from shared.core.trust.verifier_key import VerifierKey
from shared.signing.service_keys import Keys, OwnKey, ServiceKeys

FOLDER = "keys"
RECOVERY, RECOVERY_PUBLIC = "recovery.key", "recovery.vkey"
"""The recovery key in the data folder, to be moved offline, and its public file in `FOLDER`."""


def ensure(folder: Path, sources: Iterable[Source] = SOURCES) -> None:
    """Create the missing keys of these services and the recovery key in a data folder. Raises `BadKeys`."""
    for source in sources:
        key_files.make(_private(folder, source))
        _publish(folder, source)
    _ensure_recovery(folder)


def _ensure_recovery(folder: Path) -> None:
    """Create the recovery key unless its public file exists: the operator may have moved the private one elsewhere."""
    public = folder / FOLDER / RECOVERY_PUBLIC
    if not public.exists():
        key_files.make(folder / RECOVERY)
        key = key_files.read(folder / RECOVERY).public_key()
        key_files.publish(public, f"{VerifierKey(NAME, key.public_bytes_raw())}\n".encode())


def rotate(folder: Path, source: Source) -> str:
    """Create a new key of a service and return its public text. Former keys stay after it in the same file. Raises `BadKeys`."""
    path = _private(folder, source)
    _read(path, source)
    key_files.make(path, replace=True, behind=path.read_bytes())
    return _publish(folder, source)


def load(folder: Path, sources: Sequence[Source] = SOURCES, public: Path | None = None) -> ServiceKeys:
    """Return the private keys of these services in a data ``folder``, and the public recovery key if there is one.

    ``public``: a folder with the ``.vkey`` of every other service, which is returned too (None: only these services).
    Raises `BadKeys`.
    """
    paths = [_private(folder, source) for source in sources]
    if public is not None:
        paths += [_public(public, source) for source in SOURCES if source not in sources]

    recovery = (public or folder / FOLDER) / RECOVERY_PUBLIC
    paths.append(recovery)

    def read() -> Keys:
        own = {source: _read(_private(folder, source), source) for source in sources}
        others = [str(_read_public(_public(public, s), s)[0]) for s in SOURCES if s not in own] if public else []
        return own, [*others, recovery.read_text("utf-8", "replace").strip()] if recovery.exists() else others

    files = _Files(paths, read)
    return ServiceKeys(*files.content, changed=files.changed)


class Announcers:
    """Pairing's public keys, which announce tournaments, read again from the file in a folder at each call.

    Raises `BadKeys` when it is created. If the file becomes unreadable later, the keys stay unchanged.
    """

    def __init__(self, folder: Path) -> None:
        path = _public(folder, PAIRING)
        self._files = _Files([path], lambda: _read_public(path, PAIRING))

    def __call__(self) -> Collection[ServiceKey]:
        self._files.changed()
        return self._files.content


_Content = TypeVar("_Content")


class _Files(Generic[_Content]):
    """The contents of some files, read again after a change. If they cannot be read, the contents stay unchanged."""

    def __init__(self, paths: Sequence[Path], read: Callable[[], _Content]) -> None:
        self._paths, self._read, self._stamps = paths, read, _stamps(paths)
        self.content = read()

    def changed(self) -> _Content | None:
        """Return the contents of the files if these changed since the last call, else None.

        None is also returned if the files cannot be read.
        """
        stamps = _stamps(self._paths)
        if stamps == self._stamps:
            return None
        self._stamps = stamps
        try:
            self.content = self._read()
        except BadKeys as problem:
            structured_log.logger().error("keys-not-read", why=str(problem))
            return None
        return self.content


def _stamps(paths: Sequence[Path]) -> list[tuple[int, int] | None]:
    """Return the modification time and inode of each file, which change when it is replaced (None: unreadable)."""
    stamps: list[tuple[int, int] | None] = []
    for path in paths:
        try:
            stat = path.stat()
            stamps.append((stat.st_mtime_ns, stat.st_ino))
        except OSError:
            stamps.append(None)
    return stamps


def _private(folder: Path, source: Source) -> Path:
    return folder / FOLDER / f"{service_of(source)}.key"


def _public(keys: Path, source: Source) -> Path:
    return keys / f"{service_of(source)}.vkey"


def _publish(folder: Path, source: Source) -> str:
    """Put the newest public key first in the public file, before the keys already in it, and return it as text."""
    path = _public(folder / FOLDER, source)
    newest = _read(_private(folder, source), source)[0].public
    former = _read_public(path, source) if path.exists() else []
    if former[:1] != [newest]:
        keys = [newest, *(key for key in former if key != newest)]
        key_files.publish(path, "".join(f"{key}\n" for key in keys).encode())
    return str(newest)


def _read(path: Path, source: Source) -> list[OwnKey]:
    """Return a service's keys, newest first."""
    try:
        return [OwnKey.of(source, private) for private in key_files.read_all(path)]
    except BadKeys as problem:
        if path.exists():
            raise
        raise BadKeys(
            say(
                "{problem}: {service} signs its records (`arbiter keys` makes the key)",
                problem=message_of(problem),
                service=service_of(source),
            )
        ) from None


def _read_public(path: Path, source: Source) -> list[ServiceKey]:
    """Return a service's public keys, newest first, at least one."""
    try:
        keys = [parse_key(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    except FileNotFoundError:
        raise BadKeys(
            say(
                "{path} is missing: the public key of {service} is required (`arbiter keys` creates it)",
                path=str(path),
                service=service_of(source),
            )
        ) from None
    except (OSError, UnicodeDecodeError, BadServiceKey) as problem:
        raise BadKeys(
            say("{path} is not a service's public key: {problem}", path=str(path), problem=message_of(problem))
        ) from None
    foreign = [key for key in keys if key.source != source]
    if foreign or not keys:
        raise BadKeys(
            say("{path} contains the key of {source}, a different service", path=str(path), source=foreign[0].source)
            if foreign
            else say("{path} holds no key", path=str(path))
        )
    return keys
