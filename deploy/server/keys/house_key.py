"""The house: its name, which its checkpoints bear, and the key that signs them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from deploy.server.keys import signing_key
from deploy.server.keys.signing_key import KEY
from deploy.server.settings import BadSetting
from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, Signer, Verifier, parse_key_file
from shared.audit.checkpoints.house_name import BadName
from shared.audit.checkpoints.house_name import house_name as name_of
from shared.audit.keys import key_files
from shared.core.language.messages import message_of, say

PUBLIC = "arbiter.vkey"


def house_name(data: Path, environment: Mapping[str, str] = os.environ) -> str:
    """As `shared.audit.checkpoints.house_name`. Raises `BadSetting`."""
    try:
        return name_of(data, environment)
    except BadName as problem:
        raise BadSetting(message_of(problem)) from None


def verifiers(data: Path) -> tuple[Verifier, ...]:
    """The public keys of a folder, the one in force first, former ones after it. Raises `key_files.BadKeys`."""
    path = data / PUBLIC
    try:
        return parse_key_file(path.read_text("utf-8")).keys
    except FileNotFoundError:
        return ()
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
        """The folder's keys, a line each, the one in force first. Raises `key_files.BadKeys`."""
        return "".join(f"{one}\n" for one in verifiers(self.data))

    def verifies(self, checkpoint: Checkpoint) -> bool:
        """Whether a key of the folder, also a former one, verifies it. Raises `key_files.BadKeys`."""
        return any(key.verifies(checkpoint) for key in verifiers(self.data))


def make_checkpoint_key(data: Path) -> tuple[Verifier, ...]:
    """The key of checkpoints, made where there is none, and its public half in ``arbiter.vkey``, former ones kept.

    Where the house has borne other names, the key stands under these too: what was announced then bears them for ever.
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


def rotate(data: Path) -> Verifier:
    """A new key of checkpoints, which signs for the same log; the public half in force. Raises as `make_checkpoint_key`."""
    make_checkpoint_key(data)
    signing_key.permit(data)
    key_files.make(data / KEY, replace=True)
    return make_checkpoint_key(data)[0]
