"""Watching logs: the last checkpoint of each is kept, and each next one must continue it."""

import json
import time
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Sequence
from http import HTTPStatus
from pathlib import Path

from deploy.cli.files.evidence_files import read_key
from deploy.failure import Failure
from deploy.whole_files import write_whole
from shared.audit.checkpoints.checkpoint import BadCheckpoint, Checkpoint, parse
from shared.client import BadAnswer, Client, Problem
from shared.core.language.messages import Message, message_of, say
from shared.core.trust.merkle import TILE_HEIGHT, TILE_WIDTH, consistency_of, node_hash, root, verify_consistency


class Changed(Exception):
    """A log does not continue what was seen of it; says where the evidence lies."""


class Watch:
    """The state file (JSON: tournament to note) and the server that it is of."""

    def __init__(self, server: Client, state: Path, keys: Sequence[str]) -> None:
        self._server, self._path = server, state
        self._keys = [read_key(file) for file in keys]
        self._notes = self._read()

    @property
    def seen(self) -> Sequence[str]:
        """The tournaments of which there is a note."""
        return list(self._notes)

    def look(self, t: str) -> Message:
        """Compare a log's checkpoint with the last one, store the larger, and return a report. Raises `Changed`."""
        try:
            text = self._server.get(f"/v1/tournaments/{t}/tlog/checkpoint").content.decode("utf-8", "replace")
        except Problem as problem:
            if problem.status != HTTPStatus.NOT_FOUND or t not in self._notes:
                raise
            size = parse(self._notes[t]).size
            gone = say("the server no longer has this log, of which it had {size} events", size=size)
            raise self._changed(t, "", gone) from None
        now = self._parsed(t, text)
        if t not in self._notes:
            self._keep(t, text)
            return say("{t}: the first checkpoint has size {size}", t=t, size=now.size)
        last = parse(self._notes[t])
        if now.origin != last.origin:
            origins = say("the origin of the checkpoints was {old} and is now {new}", old=last.origin, new=now.origin)
            raise self._changed(t, text, origins)
        old, new = sorted((last, now), key=lambda one: one.size)
        if old.size == new.size and old.root != new.root:
            raise self._changed(
                t, text, say("two signed checkpoints have different roots for the first {size} events", size=old.size)
            )
        if old.size not in (0, new.size) and not self._continues(t, old, new):
            differ = say("its first {new} events do not continue its first {old}", new=new.size, old=old.size)
            raise self._changed(t, text, differ)
        if now.size < last.size:
            return say(
                "{t}: the checkpoint of size {size} is earlier than the last one, of size {last}",
                t=t,
                size=now.size,
                last=last.size,
            )
        self._keep(t, text)
        return say(
            "{t}: the checkpoint of size {size} continues the last one, of size {last}",
            t=t,
            size=now.size,
            last=last.size,
        )

    def _parsed(self, t: str, text: str) -> Checkpoint:
        try:
            checkpoint = parse(text)
        except BadCheckpoint as problem:
            raise Failure(say("{t}: {problem}", t=t, problem=message_of(problem)), 1) from None
        if self._keys and not any(key.verifies(checkpoint) for key in self._keys):
            raise self._changed(t, text, say("none of the given keys verifies its checkpoint"))
        return checkpoint

    def _continues(self, t: str, old: Checkpoint, new: Checkpoint) -> bool:
        """Return whether the server proves that one continues the other, by tiles or else by a proof."""
        return self._by_tiles(t, old, new) or self._by_proof(t, old, new)

    def _by_tiles(self, t: str, old: Checkpoint, new: Checkpoint) -> bool:
        """Return whether its hash tiles prove it. False if it has no tiles."""

        def fetch(path: str) -> bytes | None:
            try:
                return self._server.get(f"/v1/tournaments/{t}/tlog/tile/{path}").content
            except Problem:
                return None

        try:
            hashes = TiledTree(new.size, fetch).consistency(old.size)
        except NoTile:
            return False
        return verify_consistency(old.size, new.size, old.root, new.root, hashes)

    def _by_proof(self, t: str, old: Checkpoint, new: Checkpoint) -> bool:
        try:
            answer = self._server.get(f"/v1/tournaments/{t}/proofs?from={old.size}&to={new.size}")
            hashes = [b64decode(one, validate=True) for one in answer.json["hashes"]]
        except Problem as problem:
            if problem.status == 404:
                return False
            raise
        except (BadAnswer, KeyError, TypeError, ValueError, NotBase64):
            return False
        return verify_consistency(old.size, new.size, old.root, new.root, hashes)

    def _changed(self, t: str, text: str, why: Message) -> Changed:
        evidence = self._path.with_name(f"{self._path.name}.{t}.{time.time_ns()}.evidence")
        write_whole(evidence, f"{self._notes.get(t, '')}\n{text}".encode())
        return Changed(
            say("{t} was rewritten: {why}; both notes are saved in {file}", t=t, why=why, file=str(evidence))
        )

    def _keep(self, t: str, text: str) -> None:
        self._notes[t] = text
        write_whole(self._path, json.dumps(self._notes, ensure_ascii=False, indent=1).encode())

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(self._path.read_text("utf-8"))
            if not isinstance(found, dict):
                raise ValueError("no object")
            for text in found.values():
                parse(text)
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError) as problem:
            raise Failure(
                say(
                    "{path}: not a state file of `arbiter watch`: {problem}",
                    path=str(self._path),
                    problem=message_of(problem),
                )
            ) from None
        return found


_HASH_BYTES = 32
Fetch = Callable[[str], bytes | None]
"""A tile's path, below ``tile/``, to its bytes; None where it is not to be had."""


class NoTile(Exception):
    """A requested tile is missing or invalid."""


class TiledTree:
    """The tree over the first ``size`` lines. Only the required tiles are fetched, each once.

    Tiles are not trusted: a proof from them must be verified like any other.
    """

    def __init__(self, size: int, fetch: Fetch) -> None:
        self._size, self._fetch = size, fetch
        self._tiles: dict[tuple[int, int], list[bytes]] = {}

    def consistency(self, old: int) -> Sequence[bytes]:
        """Return the proof that the tree of ``old`` leaves is a prefix of this one.

        Raises `NoTile`, or ValueError unless 0 < old <= size.
        """
        if not 0 < old <= self._size:
            raise ValueError(f"from {old} to {self._size} leaves")
        return consistency_of(self._subtree, old, self._size)

    def _subtree(self, start: int, end: int) -> bytes:
        size, node, at = end - start, b"", end
        while size:
            lowest = size & -size
            peak = self._node(lowest.bit_length() - 1, at // lowest - 1)
            node = node_hash(peak, node) if node else peak
            size, at = size ^ lowest, at - lowest
        return node

    def _node(self, height: int, index: int) -> bytes:
        """Return the root of the perfect subtree over leaves ``index`` * 2**height and the 2**height - 1 behind it."""
        level, above = divmod(height, TILE_HEIGHT)
        number, first = divmod(index << above, TILE_WIDTH)
        return root(self._tile(level, number)[first : first + (1 << above)])

    def _tile(self, level: int, number: int) -> list[bytes]:
        known = self._tiles.get((level, number))
        if known is None:
            width = min(TILE_WIDTH, (self._size >> level * TILE_HEIGHT) - number * TILE_WIDTH)
            path = tile_path(level, number, width)
            content = self._fetch(path)
            if content is None or len(content) != width * _HASH_BYTES:
                raise NoTile(path)
            hashes = [content[at : at + _HASH_BYTES] for at in range(0, len(content), _HASH_BYTES)]
            known = self._tiles[level, number] = hashes
        return known


def tile_path(level: int, number: int, width: int) -> str:
    """Return the path of a tile: ``0/x001/x234/067``, ``0/000.p/17`` for one of 17 hashes."""
    groups = [f"{number % 1000:03}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03}")
    part = "" if width == TILE_WIDTH else f".p/{width}"
    return f"{level}/{'/'.join(groups)}{part}"
