"""Revocations that an earlier version kept in the file ``token-keys/revoked.json``: taken over once, then that is gone."""

from contextlib import suppress
from pathlib import Path

import msgspec

from shared.audit.keys.key_files import BadKeys
from shared.core.language.handles import InvalidLoginName, login_name
from shared.core.language.messages import message_of, say
from shared.core.trust.token_revocations import Revocation, is_token_id
from shared.desk.keys.revocations import Revocations

FILE = Path("token-keys") / "revoked.json"


class _Old(msgspec.Struct, forbid_unknown_fields=True):
    at: int
    by: str
    jti: str | None = None
    name: str | None = None
    tournament: str | None = None


_READER = msgspec.json.Decoder(tuple[_Old, ...], strict=True)


def read_old(data: Path) -> tuple[Revocation, ...]:
    """Those of the file, if it is there; ids that no token has are left out.

    Raises `BadKeys` for a file that cannot be read: nothing is taken as not revoked.
    """
    path = data / FILE
    try:
        found = _READER.decode(path.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadKeys(say("{path} cannot be read: {problem}", path=str(path), problem=message_of(problem))) from None
    kept = [_as_now(one) for one in found if one.name is not None or is_token_id(one.jti or "")]
    for one in kept:
        if why := one.invalid_reason():
            raise BadKeys(say("{path} cannot be imported: {why}", path=str(path), why=why))
    return tuple(kept)


def take_over(data: Path, revocations: Revocations) -> None:
    """Revoke what the file says, and remove it; where it may only be read, it is read again at the next start.

    Raises as `read_old` and `Revocations.revoke`.
    """
    for one in read_old(data):
        revocations.revoke(one)
    with suppress(OSError):
        (data / FILE).unlink(missing_ok=True)


def _as_now(old: _Old) -> Revocation:
    try:
        by = login_name(old.by)
    except InvalidLoginName:
        by = "operator"
    return Revocation(old.at, by, old.jti, old.name, old.tournament)
