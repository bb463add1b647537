"""The one signer of checkpoints: it remembers what it signed, and signs no log that does not continue it."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.keys import signing_key
from deploy.server.keys.signing_key import KEY
from deploy.server.settings import BadSetting
from shared import structured_log
from shared.audit.checkpoints.checkpoint import (
    FORMER_KEYS,
    BadCheckpoint,
    Checkpoint,
    FormerKey,
    KeyFile,
    Signer,
    Verifier,
    parse_key_file,
)
from shared.audit.checkpoints.house_name import BadName
from shared.audit.checkpoints.house_name import house_name as name_of
from shared.audit.checkpoints.note import SignedHead
from shared.audit.checkpoints.signer_memory import FILE, MemoryLost, SignerMemory
from shared.audit.keys import key_files
from shared.core.language.messages import Message, message_of, say
from shared.core.state.tournament import TournamentState
from shared.core.trust.checkpoint_origin import installation_name_of
from shared.core.trust.merkle import EMPTY
from shared.desk.signer_port import Departure, History, NotSigned, history_of

PUBLIC, FORMER = "arbiter.vkey", f"arbiter{FORMER_KEYS}"


def house_name(data: Path, environment: Mapping[str, str] = os.environ) -> str:
    """As `shared.audit.checkpoints.house_name`. Raises `BadSetting`."""
    try:
        return name_of(data, environment)
    except BadName as problem:
        raise BadSetting(message_of(problem)) from None


def verifiers(data: Path) -> tuple[Verifier, ...]:
    """Return the public keys of a folder, the one in force first, then former ones. Raises `key_files.BadKeys`."""
    return key_file(data).keys


def key_file(data: Path) -> KeyFile:
    """Return the public keys of a folder, and how far former ones count. Raises `key_files.BadKeys`."""
    path = data / PUBLIC
    try:
        former = data / FORMER
        return parse_key_file(path.read_text("utf-8"), former.read_text("utf-8") if former.exists() else "")
    except FileNotFoundError:
        return KeyFile(())
    except (OSError, UnicodeDecodeError, BadCheckpoint) as problem:
        raise key_files.BadKeys(
            say("{path} does not contain verifier keys: {problem}", path=str(path), problem=message_of(problem))
        ) from None


@dataclass(frozen=True, slots=True)
class HouseKeys:
    """The keys of a folder as they are when they are asked."""

    data: Path

    @property
    def name(self) -> str:
        return house_name(self.data)

    def text(self) -> str:
        """Return the folder's keys, one per line, the one in force first. Raises `key_files.BadKeys`."""
        return "".join(f"{one}\n" for one in verifiers(self.data))

    def verifies(self, checkpoint: Checkpoint) -> bool:
        """Return whether a key of the folder verifies it, a former one as far as it counts. Raises `key_files.BadKeys`."""
        return key_file(self.data).verifies(checkpoint)

    def verifies_formerly(self, checkpoint: Checkpoint) -> bool:
        return key_file(self.data).verifies_formerly(checkpoint)

    def is_stolen_signature(self, checkpoint: Checkpoint) -> bool:
        return key_file(self.data).is_stolen_signature(checkpoint)


def make_checkpoint_key(data: Path) -> tuple[Verifier, ...]:
    """Create the key of checkpoints if it is missing, and add its public key to ``arbiter.vkey``.

    If the installation had other names, the key is listed under these too, because the origins of older logs contain them.
    Raises `key_files.BadKeys`, `BadSetting`.
    """
    if not (data / KEY).exists():
        signing_key.permit(data)
        key_files.make(data / KEY)
    private: Ed25519PrivateKey = key_files.read(data / KEY)
    known = verifiers(data)
    names = dict.fromkeys((house_name(data), *(one.name for one in known)))
    wanted = tuple(dict.fromkeys((*(Signer(name, private).verifier for name in names), *known)))
    if wanted != known:
        key_files.publish(data / PUBLIC, "".join(f"{one}\n" for one in wanted).encode())
    return wanted


def rotate(data: Path, *, stolen: bool = False) -> Verifier:
    """Create a new key of checkpoints for the same log and return its public key. Raises as `make_checkpoint_key`.

    The former key counts for each log as far as it was signed until now, and not at all if it was ``stolen``.
    """
    keys, listed = make_checkpoint_key(data), key_file(data).former
    signing_key.permit(data)
    key_files.make(data / KEY, replace=True)
    ended = FormerKey(keys[0], "", 0, stolen=True)
    sizes = sorted(_signed_sizes(data).items()) or [("-", 0)]
    former = (ended,) if stolen else tuple(FormerKey(keys[0], origin, size) for origin, size in sizes)
    key_files.publish(data / FORMER, "".join(f"{one}\n" for one in (*former, *listed)).encode())
    if stolen:
        kept = "".join(f"{one}\n" for one in keys if one.key != keys[0].key)
        key_files.publish(data / PUBLIC, kept.encode()) if kept else (data / PUBLIC).unlink()
    return make_checkpoint_key(data)[0]


def _signed_sizes(data: Path) -> dict[str, int]:
    """Return origin → largest size that was signed: those of the signer's memory, and of publications in the folder's log."""
    memory = memory_of(data, readonly=True)
    sizes = {origin: head.size for origin, head in memory.heads().items()} if memory.path.exists() else {}
    for note in signing_key.publications(data / signing_key.LOG):
        sizes[note.origin] = max(note.size, sizes.get(note.origin, 0))
    return sizes


_ATTEMPTS = 20  # several processes sign: the loser of a race reads the new head and tries again
NOTHING = SignedHead(0, EMPTY)
"""Remembered of a log whose first note is of lines that are being written: that its memory was not lost."""


def memory_of(data: Path, environment: Mapping[str, str] = os.environ, *, readonly: bool = False) -> SignerMemory:
    """Return the memory of a folder's signer: ``ARBITER_SIGNED``, or else ``DIR/signed.db``."""
    return SignerMemory(Path(environment.get("ARBITER_SIGNED") or data / FILE), readonly=readonly)


class HouseSigner:
    """Signs with the key of a folder as it is at each signature, so that a changed key signs from then on.

    Raises `key_files.BadKeys` for unusable keys and `settings.BadSetting` for an unusable name.
    """

    def __init__(self, data: Path) -> None:
        self._data, self.memory = data, memory_of(data)
        make_checkpoint_key(data)
        self._stamp, self._private = self._read()
        self._house = house_name(data)

    @property
    def verifier(self) -> Verifier:
        """The public key in force, under the installation's name."""
        return Signer(self._house, self._private).verifier

    def sign(self, origin: str, size: int, root: bytes, history: History) -> str:
        """Return the signed note of a log, with the cosignatures that witnesses have given to this note.

        Raises `NotSigned` with both sizes if the log does not continue everything signed before.
        """
        try:
            for _ in range(_ATTEMPTS):
                before = self.memory.largest_head(origin)
                head = SignedHead(size, root)
                why = forgotten(history) if before is None else departure(before, head, history)
                if why is not None and not restarted(before or history.published_head(), history):
                    self.memory.refuse(origin, why)
                    raise NotSigned(
                        say(
                            "{why}; to continue, use `arbiter checkpoint T {what}`",
                            why=why,
                            what="--restart" if before else "--remember NOTE",
                        )
                    )
                if not self._news(before, head, history, why is not None):
                    if before is None:
                        self.memory.remember(origin, None, NOTHING)
                    self.memory.clear_refusal(origin)
                    break
                if self.memory.remember(origin, before, head):
                    break
            else:
                raise NotSigned(say("other processes keep signing this log; try again"))
        except MemoryLost as problem:
            raise NotSigned(message_of(problem)) from None
        return self._with_cosignatures(origin, self._signer(origin).sign(origin, size, root))

    def _with_cosignatures(self, origin: str, note: str) -> str:
        kept = self.memory.cosigned(origin)
        return kept.note if kept is not None and kept.note.startswith(note) else note

    @staticmethod
    def _news(before: SignedHead | None, head: SignedHead, history: History, anew: bool) -> bool:
        """Return whether the head must be remembered: it is larger, and the log itself already contains it.

        A publication is signed in the commit that writes it: without that commit, the head is not one of this log.
        """
        if before is not None and head.size <= before.size and not anew:
            return False
        try:
            return history.root_at(head.size) == head.root
        except ValueError:
            return False

    def _signer(self, origin: str) -> Signer:
        """Under the name that the origin has, if this installation has or had it: holders of that key can still use it."""
        stamp = self._stat()
        if stamp != self._stamp:
            self._stamp, self._private = self._read()
        name = installation_name_of(origin)
        ours = name == self._house or any(one.name == name for one in verifiers(self._data))
        return Signer(name if ours else self._house, self._private)

    def _stat(self) -> tuple[int, int]:
        found = (self._data / KEY).stat()
        return found.st_mtime_ns, found.st_ino

    def _read(self) -> tuple[tuple[int, int], Any]:
        return self._stat(), key_files.read(self._data / KEY)


def forgotten(history: History) -> Message | None:
    """Return why a log without a memory is not signed, or None if it does not contain a signed publication itself."""
    said = say(
        "{published} events were published and signed, but the signer has no memory of this log",
        published=history.published,
    )
    return said if history.published else None


def departure(before: SignedHead, head: SignedHead, history: History) -> Message | None:
    """Return why a log with this head does not continue the one signed before, or None if it does."""
    if before == NOTHING:
        return None
    try:
        now = head.root if before.size == head.size else history.root_at(before.size)
    except ValueError:
        return say(
            "a checkpoint of {size} events was signed, but this log has only {now}", size=before.size, now=head.size
        )
    if now != before.root:
        return say(
            "a checkpoint of the first {size} events was signed with a root hash that differs from "
            "that of this log ({now} events)",
            size=before.size,
            now=head.size,
        )
    return None


def find_departure(memory: SignerMemory) -> Departure:
    """Return the check of each log against a signer's memory, which logs every tournament found behind once."""
    found: set[str] = set()

    def check(t: TournamentState, size: int, root_at: Callable[[int], bytes]) -> Message | None:
        try:
            before = memory.largest_head(t.origin) if memory.path.exists() else None
        except MemoryLost:
            return None  # the signer refuses, and doctor reports the file
        history = history_of(t, root_at)
        if before is None or restarted(before, history):
            return None
        why = departure(before, SignedHead(size, root_at(size)), history)
        if why is None:
            return None
        if t.id not in found:
            found.add(t.id)
            structured_log.logger().warning("tournament-behind", tournament=t.id, why=str(why))
        return say(
            "{why}; restore the whole log, or run `arbiter checkpoint {t} --restart --reason TEXT` to continue without the rest",
            why=why,
            t=t.id,
        )

    return check


def restarted(before: tuple[int, bytes] | None, history: History) -> bool:
    """Whether the log says itself that it does not continue that head."""
    return before is not None and any((r.size, r.root) == (before[0], before[1].hex()) for r in history.restarts)
