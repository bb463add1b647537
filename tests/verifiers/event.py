"""A short event of the golden set, with score sheets, a ruling and a table, and the files that a server gives out of it."""

import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from zlib import crc32

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from services.standings.files.archive import contents as c
from services.standings.files.archive.zip_file import Given, archive_of
from shared.audit.checkpoints.checkpoint import parse
from shared.desk.desk import SOFTWARE
from tests.golden.recorded import load_tournaments
from tests.verifiers.programs import Case

EVENT, RECEIPT = "expelled-in-progress", "receipt.9"


@cache
def files() -> Case:
    """Return the event's files, a receipt, its archive as this version writes it, and the archive for the public."""
    held = dict(load_tournaments()[EVENT])
    held["line.tlog-proof"] = held[RECEIPT]
    held["cosigned.txt"], held["witness.vkey"] = _cosigned(held[c.CHECKPOINT])
    held["arbiter.former"] = _limited(held)
    return held | {"event.zip": _archive(held, held[c.TEXTS]), "public.zip": _archive(held, None)}


def _cosigned(checkpoint: bytes) -> tuple[bytes, bytes]:
    """Return the checkpoint with the cosignature of a witness, and the key of this witness (C2SP tlog-cosignature)."""
    private, name, time = Ed25519PrivateKey.from_private_bytes(bytes(range(32))), "witness.example", 1_800_000_000
    key = b"\x04" + private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    number = sha256(f"{name}\n".encode() + key).digest()[:4]
    text = checkpoint[: checkpoint.rindex(b"\n\n") + 1]
    signature = private.sign(f"cosignature/v1\ntime {time}\n".encode() + text)
    line = f"— {name} {b64encode(number + time.to_bytes(8, 'big') + signature).decode()}\n"
    return checkpoint + line.encode(), f"{name}+{number.hex()}+{b64encode(key).decode()}\n".encode()


def _limited(held: Case) -> bytes:
    """Return the list of former keys that limits the operator's key to the event's own checkpoint."""
    checkpoint = parse(held[c.CHECKPOINT].decode())
    return b"%b %b %d\n" % (held[c.HOUSE_KEYS].strip(), checkpoint.origin.encode(), checkpoint.size)


def _archive(held: Case, texts: bytes | None) -> bytes:
    sheets: dict[str, list[bytes]] = {}
    for line in held[c.SHEETS].splitlines():
        sheets.setdefault(json.loads(line)["subject"].removeprefix("games/"), []).append(line)
    names = {text["hash"]: text["text"] for text in c.texts_of(held[c.TEXTS])}
    notes = held[c.CHECKPOINT].decode(), "", held[c.HOUSE_KEYS].decode()
    return archive_of(Given(EVENT, held[c.LOG].splitlines(), sheets, (), texts, names, *notes, SOFTWARE))


def unpack(archive: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    with zipfile.ZipFile(io.BytesIO(archive)) as held:
        return {name: held.read(name) for name in held.namelist()}


def pack(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of these files, in the form in which the server writes it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as archive:
        for name, member in members.items():
            archive.writestr(zipfile.ZipInfo(name), member, compression)
    return content.getvalue()


def changed(archive: bytes, at: int, value: bytes) -> bytes:
    """Return the bytes with a value at a place; a negative place counts from the end."""
    place = at if at >= 0 else len(archive) + at
    return archive[:place] + value + archive[place + len(value) :]


def forms(archive: bytes) -> dict[str, bytes]:
    """Return ZIP files that other programs may read, and that do not have the form of an archive."""
    members = unpack(archive)
    directory = archive.index(b"PK\x01\x02")
    end = archive[-22:]
    gap = (directory + 1).to_bytes(4, "little")
    doubled = io.BytesIO()
    with zipfile.ZipFile(doubled, "w") as held:
        for name, member in [*members.items(), ("LOG.ndjson", b"{}\n")]:
            held.writestr(zipfile.ZipInfo(name), member)
    streamed = io.BytesIO()
    with zipfile.ZipFile(_Unseekable(streamed), "w", zipfile.ZIP_DEFLATED) as held:
        for name, member in members.items():
            held.writestr(zipfile.ZipInfo(name), member, zipfile.ZIP_DEFLATED)
    extra = io.BytesIO()
    with zipfile.ZipFile(extra, "w") as held:
        for name, member in members.items():
            info = zipfile.ZipInfo(name)
            info.extra = b"UT\x00\x00"
            held.writestr(info, member)
    link = io.BytesIO()
    with zipfile.ZipFile(link, "w") as held:
        for name, member in [*members.items(), ("notes.txt", b"/etc/passwd")]:
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o120777 << 16 if name == "notes.txt" else 0
            held.writestr(info, member)
    bomb = pack(members | {"standings.json": bytes(1 << 25)})
    junk = _with_junk(members)
    return {
        "two archives in one": pack({"log.ndjson": b"{}\n"}) + archive,
        "bytes before the first entry": b"PK\x03\x04" + archive,
        "bytes after the end": archive + b"\0",
        "a comment": archive[:-2] + b"\x01\x00x",
        "a gap before the directory": archive[:directory] + b"\0" + archive[directory:-22] + end[:16] + gap + end[20:],
        "a header that names another file": archive.replace(b"log.ndjson", b"lug.ndjson", 1),
        "a directory that names another file": archive[:directory]
        + archive[directory:].replace(b"log.nd", b"lug.nd", 1),
        "a header with another size": changed(archive, 22, b"\x01\x00\x00\x00"),
        "a header with another CRC": changed(archive, 14, bytes(4)),
        "a name twice in other case": doubled.getvalue(),
        "an encrypted entry": changed(changed(archive, 6, b"\x01"), directory + 8, b"\x01"),
        "sizes behind the contents": streamed.getvalue(),
        "an extra field": extra.getvalue(),
        "a link": link.getvalue(),
        "one entry less than its end record says": changed(archive, -12, b"\x01\x00"),
        "another disk": changed(archive, -18, b"\x01\x00"),
        "a bomb": bomb,
        "bytes after a deflated content": junk,
        "no log": pack({name: member for name, member in members.items() if name != "log.ndjson"}),
        "a name with a path": pack(members | {"../x": b""}),
        "a cut end": archive[:-30],
        "nothing but its mark": b"PK\x03\x04",
    }


def _with_junk(members: Mapping[str, bytes]) -> bytes:
    """Return an archive whose first entry has two bytes after its deflated content, with sizes and places to match."""
    archive = pack(members)
    name = next(iter(members))
    size = int.from_bytes(archive[18:22], "little")
    end = 30 + len(name) + size
    directory = archive.index(b"PK\x01\x02")
    head = changed(archive[:end], 18, (size + 2).to_bytes(4, "little")) + b"xx" + archive[end:directory]
    listed, at = bytearray(archive[directory:-22]), 0
    listed[20:24] = (size + 2).to_bytes(4, "little")
    while at < len(listed):
        offset = int.from_bytes(listed[at + 42 : at + 46], "little")
        listed[at + 42 : at + 46] = (offset + 2 if offset else 0).to_bytes(4, "little")
        at += 46 + int.from_bytes(listed[at + 28 : at + 30], "little")
    assert crc32(members[name]) == int.from_bytes(archive[14:18], "little")
    return head + bytes(listed) + changed(archive[-22:], 16, (directory + 2).to_bytes(4, "little"))


class _Unseekable(io.RawIOBase):
    """An output that cannot be changed afterwards, as of a stream."""

    def __init__(self, out: io.BytesIO) -> None:
        self._out = out

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        return self._out.write(content)  # type: ignore[call-overload, no-any-return]
