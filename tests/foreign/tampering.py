"""What an auditor is given, and ways to falsify it that any verifier must notice."""

import json
import re
import zipfile
from base64 import b64encode
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.audit.checkpoints.checkpoint import Signer
from shared.core.trust.merkle import Tree, inclusion, leaf_hash
from tests.foreign.event import joined
from tests.foreign.signing import by_stranger, rotation, service_keys, signed_log
from tests.proofs.witness import Cosigner
from tests.stories.conftest import Story, T

LOG, CHECKPOINT, KEY, RECEIPT = "log.ndjson", "checkpoint.txt", "house.vkey", "line.tlog-proof"
SHEETS = "sheets.ndjson"
Files = dict[str, bytes]
"""Contents by name: the log first, a checkpoint of it, the house's key, and the receipt of the line at its `place`."""
_OTHER = Ed25519PrivateKey.from_private_bytes(b"\x0e" * 32)


def place(lines: Sequence[bytes]) -> int:
    """The number of a line that is a record of its own, between two others, and that the next rests on."""
    events = [json.loads(line) for line in lines]
    commands = [event["causationid"] for event in events]
    return next(n for n in range(2, len(events)) if len(set(commands[n - 2 : n + 1])) == 3 and events[n]["basis"] == n)


def files(lines: Sequence[bytes], house: Signer) -> Files:
    """What belongs to these lines, all of it genuine."""
    note = house.sign(f"{house.verifier.name}/T", len(lines), Tree.of(lines).root(len(lines)))
    return {
        LOG: joined(lines),
        CHECKPOINT: note.encode(),
        KEY: f"{house.verifier}\n".encode(),
        RECEIPT: receipt(lines, place(lines), note),
    }


def house_files(story: Story) -> Files:
    """What the house itself gives out of an event, and its score sheets."""
    sheets, lines = [line for of in story.hall.sheets("T").values() for line in of], story.hall.lines("T")
    asked = {CHECKPOINT: f"{T}/checkpoint", RECEIPT: f"{T}/receipts/{place(lines)}"}
    given = {name: story.ask("GET", path) for name, path in asked.items()}
    assert {answer.status_code for answer in given.values()} == {200}
    return {
        LOG: joined(lines),
        KEY: (story.hall.data / "arbiter.vkey").read_bytes(),
        SHEETS: joined(sheets),
        **{name: answer.data for name, answer in given.items()},
    }


def archive(story: Story) -> Files:
    """What anybody unpacks of the event's archive, and of it what verifiers take."""
    answer = story.ask("GET", f"{T}/archive")
    assert answer.status_code == 200, answer.text
    with zipfile.ZipFile(BytesIO(answer.data)) as held:
        taken = {name: held.read(name) for name in held.namelist()}
    return {name: taken[name] for name in (LOG, "arbiter.vkey", "services.vkey", CHECKPOINT, SHEETS)}


def cosigned(given: Files, *witnesses: Cosigner) -> Files:
    """The checkpoint with the lines of these witnesses."""
    note = given[CHECKPOINT].decode()
    lines = "".join(f"{one.line(note)}\n" for one in witnesses)
    return given | {CHECKPOINT: f"{note}{lines}".encode()}


W1, W2, W3 = (Cosigner(f"witness.example/w{n}", n) for n in (1, 2, 3))
_KNOWN = "".join(f"{one.witness}\n" for one in (W1, W2, W3)).encode()
QUORUMS: dict[str, tuple[Callable[[Files], Files], int, str]] = {
    "two of three cosigned": (lambda g: cosigned(g, W1, W2), 2, ""),
    "one cosigned, and all are asked for": (lambda g: cosigned(g, W3), 0, "1 of 3 witnesses cosigned"),
    "nobody cosigned": (dict, 1, "0 of 1 witnesses cosigned"),
    "one cosigned under two lines": (lambda g: cosigned(g, W1, W1), 2, "1 of 2 witnesses cosigned"),
    "only an older checkpoint was cosigned": (
        lambda g: g | {"older.txt": cosigned({CHECKPOINT: g["older.txt"]}, W1, W2)[CHECKPOINT]},
        2,
        "0 of 2 witnesses cosigned",
    ),
    "a copy of the checkpoint was cosigned": (
        lambda g: g | {"copy.txt": cosigned(g, W1)[CHECKPOINT], "other.txt": cosigned(g, W2)[CHECKPOINT]},
        2,
        "",
    ),
    "more are asked for than there are": (lambda g: cosigned(g, W1, W2, W3), 4, "3 of 4 witnesses cosigned"),
}
"""What witnesses did to a checkpoint, how many of the three that are known are asked for (0: all), and what is told where they
are too few."""


def known_witnesses(story: Story, given: Files) -> Files:
    """What the house gives out, without receipts, the keys of three witnesses, and an older checkpoint."""
    older = story.ask("GET", f"{T}/checkpoint?at=9")
    assert older.status_code == 200, older.text
    return {name: given[name] for name in (LOG, SHEETS, CHECKPOINT, KEY)} | {
        "older.txt": older.data,
        "witnesses.vkey": _KNOWN,
    }


def receipt(lines: Sequence[bytes], seq: int, note: str) -> bytes:
    """A C2SP ``tlog-proof`` of one line under a checkpoint of all."""
    hashes = inclusion([leaf_hash(line) for line in lines], seq - 1, len(lines))
    proof = [b64encode(h).decode() for h in hashes]
    head = ("c2sp.org/tlog-proof@v1", f"extra {b64encode(lines[seq - 1]).decode()}", f"index {seq - 1}")
    return "\n".join((*head, *proof, "", note)).encode()


def written(given: Files, folder: Path) -> list[Path]:
    """Each as a file."""
    folder.mkdir(exist_ok=True)
    for name, content in given.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in given]


def _lines(given: Files, change: Callable[[list[bytes], int], list[bytes]]) -> Files:
    """The log with a change at its place (here the index behind it)."""
    lines = given[LOG].splitlines()
    return given | {LOG: joined(change(lines, place(lines)))}


def _altered(line: bytes) -> bytes:
    return line.replace(b'"role":"', b'"role":"x', 1)


def _other_key(given: Files) -> Files:
    return given | {KEY: f"{Signer('arbiter', _OTHER).verifier}\n".encode()}


def _other_signature(given: Files) -> Files:
    """The checkpoint's text under the signature of another key that pretends to be the house's."""
    head, _, signed = given[CHECKPOINT].decode().partition("\n\n")
    blob = signed.split(" ")[2]
    return given | {CHECKPOINT: f"{head}\n\n{signed.replace(blob[8:12], blob[12:16])}".encode()}


def _other_receipt(given: Files) -> Files:
    """The receipt with the next line in it."""
    lines = given[LOG].splitlines()
    line, other = (b64encode(lines[place(lines) + n]) for n in (-1, 0))
    return given | {RECEIPT: given[RECEIPT].replace(line, other)}


def _receipt_of_another_index(given: Files) -> Files:
    n = place(given[LOG].splitlines())
    return given | {RECEIPT: given[RECEIPT].replace(b"\nindex %d\n" % (n - 1), b"\nindex %d\n" % n)}


TAMPERINGS: dict[str, tuple[Callable[[Files], Files], tuple[int, ...]]] = {
    "a line is altered": (lambda g: _lines(g, lambda ls, n: [*ls[: n - 1], _altered(ls[n - 1]), *ls[n:]]), (0, 1)),
    "a line is cut out": (lambda g: _lines(g, lambda ls, n: ls[: n - 1] + ls[n:]), (0,)),
    "the last line is cut off": (lambda g: _lines(g, lambda ls, n: ls[:-1]), ()),
    "the last line is cut short": (lambda g: g | {LOG: g[LOG][:-9]}, ()),
    "the last line does not end": (lambda g: g | {LOG: g[LOG][:-1]}, ()),
    "the checkpoint begins with a byte order mark": (lambda g: g | {CHECKPOINT: b"\xef\xbb\xbf" + g[CHECKPOINT]}, ()),
    "two lines change places": (
        lambda g: _lines(g, lambda ls, n: [*ls[: n - 1], ls[n], ls[n - 1], *ls[n + 1 :]]),
        (0,),
    ),
    "a line is doubled": (lambda g: _lines(g, lambda ls, n: [*ls[:n], *ls[n - 1 :]]), (0, 1)),
    "a line is no JSON": (lambda g: _lines(g, lambda ls, n: [*ls[: n - 1], ls[n - 1][:-1], *ls[n:]]), (0,)),
    "the checkpoint's signature is another": (_other_signature, ()),
    "the receipt has another line": (_other_receipt, ()),
    "the receipt names another place": (_receipt_of_another_index, ()),
}
"""What is done, and how far from the place lies the line that the first fault names; none where it is no line of the log."""
UNCHECKED: dict[str, Callable[[Files], Files]] = {
    "the key is another house's": _other_key,
    "no key is given": lambda given: {name: content for name, content in given.items() if name != KEY},
}
"""What leaves the checkpoint's signature unchecked, where nothing else is known of whose it is."""


def signed(lines: Sequence[bytes], house: Signer, forged: str = "") -> Files:
    """A log whose records are signed; those of the service ``forged`` by a key that the log does not name."""
    keys = service_keys()
    signing = keys | {forged: _OTHER} if forged else keys
    return files(signed_log(lines, keys, signing), house)


def rotated(lines: Sequence[bytes], house: Signer, *, stolen: bool = False) -> Files:
    """A signed log in which pairing changed its key; ``stolen``: the former one signs once more after that."""
    keys = service_keys()
    return files(rotation(signed_log(lines, keys), keys, stolen=stolen), house)


def by_a_stranger(lines: Sequence[bytes], house: Signer) -> Files:
    """A signed log, and a last record that a service signed which it does not name."""
    return files(by_stranger(signed_log(lines, service_keys())), house)


def without_last_signature(given: Files, house: Signer) -> Files:
    """The last record bears none, and all that follows from that is made anew."""
    lines = given[LOG].splitlines()
    return files([*lines[:-1], re.sub(rb',"signature":"[^"]*"}$', b"}", lines[-1])], house)
