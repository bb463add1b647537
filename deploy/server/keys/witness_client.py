"""Requests to the configured witnesses to cosign a checkpoint (c2sp.org/tlog-witness, ``add-checkpoint``)."""

import os
import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from deploy.server.settings import BadSetting
from shared.audit.checkpoints.checkpoint import Checkpoint
from shared.audit.checkpoints.cosignature import Witness, parse_witness
from shared.audit.checkpoints.note import BadCheckpoint, Signature, parse_signatures, read_number
from shared.core.language.messages import message_of, say

if TYPE_CHECKING:
    import httpx

FILE, VARIABLE = "arbiter.witnesses", "ARBITER_WITNESSES"
SECONDS = 5.0
"""Timeout for connecting to a witness, and for each part of its answer."""
_WHOLE_SECONDS = 10.0
_ANSWER_BYTES = 1 << 16  # a witness answers with a few lines, but a hostile one may never stop
_AHEAD_SECONDS = 300
"""Maximum time by which a cosignature may be ahead of the local clock."""
_SIZE = "text/x.tlog.size"

Proof = Callable[[int], Sequence[bytes]]
"""A function that returns the consistency proof from the first N events to those of the checkpoint."""


class WitnessError(Exception):
    """A missing cosignature. The message states why the witness did not cosign."""


@dataclass(frozen=True, slots=True)
class WitnessAddress:
    """A witness: its address (the submission prefix), and its key for cosignatures."""

    url: str
    witness: Witness

    @property
    def name(self) -> str:
        return self.witness.name


@dataclass(frozen=True, slots=True)
class Cosigned:
    """The answer of a witness: its valid signature line for a checkpoint of ``size`` events."""

    size: int
    signature: Signature


def configured(data: Path, environment: Mapping[str, str] = os.environ) -> tuple[WitnessAddress, ...]:
    """Return the witnesses in ``ARBITER_WITNESSES``, or else in ``DIR/arbiter.witnesses``.

    Each witness is ``VKEY URL``. Newlines or ``;`` separate them. Raises `BadSetting` with the variable or file.
    """
    where, text = VARIABLE, environment.get(VARIABLE, "")
    if not text.strip():
        where = str(data / FILE)
        try:
            text = (data / FILE).read_text("utf-8")
        except FileNotFoundError:
            return ()
        except (OSError, UnicodeDecodeError) as problem:
            raise BadSetting(
                say("{where} cannot be read: {problem}", where=where, problem=message_of(problem))
            ) from None
    lines = [line.strip() for line in text.replace(";", "\n").split("\n")]
    found = [_address(where, line) for line in lines if line and not line.startswith("#")]
    if len({one.witness.key for one in found}) < len(found):
        raise BadSetting(say("{where}: a witness is listed twice", where=where))
    return tuple(found)


def _address(where: str, line: str) -> WitnessAddress:
    key, _, url = line.partition(" ")
    url = url.strip().rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSetting(say("{where}: {line} is not a VKEY and URL of a witness", where=where, line=repr(line[:80])))
    try:
        return WitnessAddress(url, parse_witness(key))
    except BadCheckpoint as problem:
        raise BadSetting(
            say("{where}: {line}: {problem}", where=where, line=repr(line[:80]), problem=message_of(problem))
        ) from None


def ask(client: "httpx.Client", address: WitnessAddress, checkpoint: Checkpoint, old: int, proof: Proof) -> Cosigned:
    """Return the witness's cosignature. ``old`` is the size that it cosigned last, as far as this server knows.

    If the witness reports a different size, it is asked once more from that size. Raises `WitnessError`.
    """
    status, content = _send(client, address, checkpoint, old, proof)
    if status == HTTPStatus.CONFLICT:
        known = _known_size(content)
        if known > checkpoint.size:
            raise WitnessError(
                say(
                    "the witness has cosigned {known} events of {origin}, but this log has only {size}",
                    known=known,
                    origin=checkpoint.origin,
                    size=checkpoint.size,
                )
            )
        if known == old:
            raise WitnessError(
                say(
                    "the witness has cosigned a different root hash of the first {known} events of {origin}",
                    known=known,
                    origin=checkpoint.origin,
                )
            )
        status, content = _send(client, address, checkpoint, known, proof)
    if status != HTTPStatus.OK:
        raise WitnessError(
            say("it answers {status}: {meaning}", status=status, meaning=_MEANINGS.get(status, content[:80]))
        )
    return Cosigned(checkpoint.size, _mine(address.witness, checkpoint, content))


_MEANINGS = {
    403: say("the witness does not know the key of this operator"),
    404: say("the witness does not know this log, or its address is wrong"),
    409: say("the witness has cosigned another checkpoint in the meantime"),
    422: say("the witness refuses the checkpoint, because it does not continue the last one"),
}


def _send(
    client: "httpx.Client", address: WitnessAddress, checkpoint: Checkpoint, old: int, proof: Proof
) -> tuple[int, str]:
    import httpx

    hashes = "".join(f"{b64encode(one).decode()}\n" for one in (proof(old) if 0 < old < checkpoint.size else ()))
    body, until = f"old {old}\n{hashes}\n{checkpoint}".encode(), time.monotonic() + _WHOLE_SECONDS
    try:
        with client.stream("POST", f"{address.url}/add-checkpoint", content=body) as response:
            content = b""
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > _ANSWER_BYTES or time.monotonic() > until:
                    raise WitnessError(say("the answer of the witness is too long or takes too long"))
            if response.status_code == HTTPStatus.CONFLICT and response.headers.get("Content-Type") != _SIZE:
                raise WitnessError(say("the witness refuses with 409 and does not state the size that it knows"))
            return response.status_code, content.decode("utf-8", "replace")
    except httpx.HTTPError as problem:
        raise WitnessError(
            say("the witness does not answer: {problem}", problem=str(problem) or type(problem).__name__)
        ) from None
    except httpx.InvalidURL as problem:
        raise WitnessError(
            say("the address of the witness cannot be used: {problem}", problem=message_of(problem))
        ) from None


def _known_size(content: str) -> int:
    try:
        return read_number(content.removesuffix("\n"), "the size that it knows")
    except BadCheckpoint as problem:
        raise WitnessError(message_of(problem)) from None


def _mine(witness: Witness, checkpoint: Checkpoint, content: str) -> Signature:
    """Return this witness's signature line that is valid for the checkpoint. Lines of others are ignored.

    Raises `WitnessError` if no line is valid, or if it is more than `_AHEAD_SECONDS` ahead of the local clock.
    """
    try:
        lines = parse_signatures(content)
    except BadCheckpoint as problem:
        raise WitnessError(
            say("its response contains an invalid signature line: {problem}", problem=message_of(problem))
        ) from None
    for line in lines:
        at = witness.cosigned(replace(checkpoint, signatures=(line,)))
        if at is not None and at <= time.time() + _AHEAD_SECONDS:
            return line
    raise WitnessError(say("its response does not contain a valid cosignature with its key"))
