"""Random changes to logs, archives, checkpoints and receipts."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.verifiers.event import files, pack, unpack
from tests.verifiers.programs import Case

GIVEN: tuple[tuple[str, ...], ...] = (
    ("event.zip",),
    ("event.zip", "arbiter.vkey"),
    ("public.zip",),
    ("log.ndjson", "sheets.ndjson"),
    ("log.ndjson", "sheets.ndjson", "checkpoint.txt", "arbiter.vkey"),
    ("log.ndjson", "sheets.ndjson", "checkpoint.txt", "arbiter.vkey", "line.tlog-proof"),
    ("log.ndjson", "sheets.ndjson", "line.tlog-proof", "arbiter.vkey"),
)
MEMBERS = (
    *("log.ndjson", "sheets.ndjson", "checkpoint.txt", "arbiter.vkey", "services.vkey", "archive.json", "missing.txt"),
)
"""Files of an archive that page and Go program check. The others are only left out."""
Mutation = Callable[[Random, bytes], bytes]


class Mutant(NamedTuple):
    """Files, and what was done to them."""

    case: Case
    done: str


def mutant(seed: int) -> Mutant:
    """Return the files of a case with one to three changes."""
    random = Random(f"verifiers {seed}")
    case = {name: files()[name] for name in random.choice(GIVEN)}
    done = []
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        name = random.choice([name for name in case if name != "arbiter.vkey" or random.random() < 0.2] or [*case])
        if name.endswith(".zip") and random.random() < 0.6:
            case[name], what = _member(random, case[name])
        else:
            case[name], what = _mutated(random, case[name])
        done.append(f"{name} {what}")
    return Mutant(case, f"{seed}: {', '.join(case)}: {'; '.join(done)}")


def _member(random: Random, archive: bytes) -> tuple[bytes, str]:
    """Change, leave out or add a file of an archive. Raises nothing for an archive that is damaged already."""
    try:
        members = unpack(archive)
    except Exception:
        return _mutated(random, archive)
    if not members:
        return _mutated(random, archive)
    kind = random.random()
    if kind < 0.15:
        name = random.choice([*members])
        del members[name]
        return pack(members), f"without {name}"
    if kind < 0.2:
        return pack(members | {random.choice(("notes.txt", "x.json", "LOG.txt")): b"x"}), "with another file"
    name = random.choice([one for one in MEMBERS if one in members] or [*members])
    members[name], what = _mutated(random, members[name])
    return pack(members), f"{name} {what}"


def _mutated(random: Random, content: bytes) -> tuple[bytes, str]:
    name = random.choice([*MUTATIONS])
    after = MUTATIONS[name](random, content)
    return (after, name) if after.strip() else (content, "unchanged")


def _place(random: Random, content: bytes) -> int:
    return random.randrange(len(content)) if content else 0


def _flip(random: Random, content: bytes) -> bytes:
    at = _place(random, content)
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def _byte(random: Random, content: bytes) -> bytes:
    at = _place(random, content)
    return (
        content[:at]
        + random.choice((b"\0", b"\n", b" ", b'"', b"\\", b"{", b"\xff", b"0", b"A", b"+"))
        + content[at + 1 :]
    )


def _insert(random: Random, content: bytes) -> bytes:
    at = _place(random, content)
    return (
        content[:at]
        + random.choice((b"\n", b"\r", b" ", b"\0", b"\x1b[2J", b"1", b"\xc3", "\u2028".encode()))
        + content[at:]
    )


def _delete(random: Random, content: bytes) -> bytes:
    at = _place(random, content)
    return content[:at] + content[at + random.choice((1, 2, 40)) :]


def _double(random: Random, content: bytes) -> bytes:
    at = _place(random, content)
    return content[:at] + content[at : at + random.choice((1, 8, 200))] + content[at:]


def _digit(random: Random, content: bytes) -> bytes:
    places = [at for at, byte in enumerate(content) if 0x30 <= byte <= 0x39]
    if not places:
        return content
    at = random.choice(places)
    return content[:at] + str(random.randrange(10)).encode() + content[at + 1 :]


def _lines(change: Callable[[Random, list[bytes]], None]) -> Mutation:
    def mutate(random: Random, content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        change(random, lines)
        return b"".join(lines)

    return mutate


def _drop_line(random: Random, lines: list[bytes]) -> None:
    del lines[random.randrange(len(lines))]


def _double_line(random: Random, lines: list[bytes]) -> None:
    lines.insert(random.randrange(len(lines) + 1), random.choice(lines))


def _swap_lines(random: Random, lines: list[bytes]) -> None:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _foreign_line(random: Random, lines: list[bytes]) -> None:
    other = files()[random.choice(("log.ndjson", "sheets.ndjson", "checkpoint.txt", "line.tlog-proof"))]
    lines.insert(random.randrange(len(lines) + 1), random.choice(other.splitlines(keepends=True)))


MUTATIONS: dict[str, Mutation] = {
    "a bit": _flip,
    "a byte": _byte,
    "bytes inserted": _insert,
    "bytes deleted": _delete,
    "bytes doubled": _double,
    "a digit": _digit,
    "cut off": lambda random, content: content[: _place(random, content)],
    "the last bytes cut off": lambda random, content: content[: -random.choice((1, 2, 9, 30))],
    "bytes appended": lambda random, content: content + random.choice((b"\n", b"\n\n", b"x", b"{}\n", b"\0" * 22)),
    "a line dropped": _lines(_drop_line),
    "a line doubled": _lines(_double_line),
    "two lines swapped": _lines(_swap_lines),
    "a line of another file": _lines(_foreign_line),
}
