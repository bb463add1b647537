"""A house that lies: one value altered, and everything else made again with its own keys."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import fields
from hashlib import sha256
from itertools import groupby
from typing import Any

import msgspec

from deploy.server.rules import RULES
from shared.audit.audit import Evidence, Report, audit
from shared.audit.checkpoints.checkpoint import parse
from shared.core.event_types.evolve import evolve
from shared.core.event_types.registry import MASKED
from shared.core.state.tournament import TournamentState
from shared.core.trust.checkpoint_origin import origin
from shared.core.trust.merkle import Tree, leaf_hash
from shared.core.trust.service_keys import keys_by_source
from shared.desk.rules_port import Seal
from shared.signing.service_keys import signed
from shared.wire.envelope import Unreadable, read, with_signature
from shared.wire.event_data import form_of
from tests.attacks.logs import Log

Line = dict[str, Any]


class Forgery:
    """A log as parsed JSON, to be altered; ``report`` is the audit of what the house makes of it."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.lines: list[Line] = [msgspec.json.decode(line) for line in log.lines]
        self.sheets: dict[str, list[Line]] = {
            game: [msgspec.json.decode(line) for line in lines] for game, lines in log.sheets.items()
        }
        self.left: set[tuple[int, str]] = set()
        """Members that are left as they were altered: the line, by identity, and its member's name."""

    def command(self, line: Line) -> list[Line]:
        """All lines of a line's command, on the log and on a sheet."""
        everywhere = [*self.lines, *(one for sheet in self.sheets.values() for one in sheet)]
        return [one for one in everywhere if one["causationid"] == line["causationid"]]

    def leave(self, line: Line, name: str) -> None:
        self.left.add((id(line), name))

    def report(self) -> Report:
        """The audit, by all that the house hands out: log, score sheets, checkpoint and key."""
        lines, sheets, tree = self._made()
        size = tree.size
        said = self.lines[0]["data"].get("origin")
        named = said if isinstance(said, str) and said else origin(self.log.tournament)
        note = parse(self.log.signer.sign(named, size, tree.root(size)))
        return audit(lines, RULES, Evidence(sheets, (note,), (self.log.signer.verifier,)))

    def written(self) -> list[bytes]:
        """Return the lines of the log."""
        return self._made()[0]

    # ------------------------------------------------------------ everything else made again

    def _made(self) -> tuple[list[bytes], dict[str, list[bytes]], Tree]:
        tree, made, state = Tree(), list[bytes](), TournamentState(self.log.tournament)
        sheets: dict[str, list[bytes]] = {game: [] for game in self.sheets}
        counts: dict[str, int] = {}
        for _, group in groupby(self.lines, key=lambda line: (line["source"], line["causationid"])):
            lines, basis = list(group), tree.size
            for line in lines:
                counts[line["source"]] = counts.get(line["source"], 0) + 1
                self._set(line, "sourceseq", counts[line["source"]])
                self._root(line, tree)
                self._seal(line, state, tree, sheets)
            written = self._signed(lines, state)
            made += written
            for one in written:
                tree.append(leaf_hash(one))
            for n, one in enumerate(written, basis + 1):
                try:
                    evolve(state, read(one, n))
                except Exception:  # what no desk can fold is the audit's to find
                    break
        for game in self.sheets:
            self._sheet(game, len(self.sheets[game]), tree, sheets, state)
        return made, sheets, tree

    def _signed(self, lines: list[Line], state: TournamentState) -> list[bytes]:
        """A record's lines, signed by the key in force where the tournament has keys."""
        announced = state.announced
        keys = announced.keys if announced else tuple(lines[0]["data"].get("keys") or ())
        source = lines[0]["source"]
        key = state.key_of(source) if announced else keys_by_source(keys).get(source, "")
        sign = self.log.keys.signer(key) if keys else None
        kept = [one.get("signature") for one in lines if (id(one), "signature") in self.left]
        for line in lines:
            line.pop("signature", None)
        written = [msgspec.json.encode(line) for line in lines]
        if kept:
            return [*written[:-1], with_signature(written[-1], kept[-1])]
        return signed(written, sign) if sign else written

    def _set(self, line: Line, name: str, value: Any) -> None:
        if (id(line), name) not in self.left:
            line[name] = value

    def _root(self, line: Line, tree: Tree) -> None:
        basis = line.get("basis")
        if isinstance(basis, int) and 0 <= basis <= tree.size:
            self._set(line, "basisroot", b64encode(tree.root(basis)).decode())

    def _sheet(self, game: str, upto: int, tree: Tree, sheets: dict[str, list[bytes]], state: TournamentState) -> None:
        """Write the lines of a score sheet up to one."""
        there = len(sheets[game])
        for _, group in groupby(self.sheets[game][there:upto], key=lambda line: line["causationid"]):
            lines = list(group)
            for n, line in enumerate(lines, len(sheets[game]) + 1):
                self._set(line, "sourceseq", n)
                self._root(line, tree)
            sheets[game] += self._signed(lines, state)

    def _seal(self, line: Line, state: TournamentState, tree: Tree, sheets: dict[str, list[bytes]]) -> None:
        """The digests of a line, of what is there by now."""
        try:
            data = read(msgspec.json.encode(line), 1).data
        except Unreadable:
            return
        masked: Sequence[str] = MASKED.get(type(data), ())
        if not masked:
            return
        mine = [(game, n) for game, sheet in self.sheets.items() for n, one in enumerate(sheet, 1)
                if one["causationid"] == line["causationid"]]  # fmt: skip
        game, count = mine[-1] if mine else (getattr(data, "game", ""), 0)
        if not mine and getattr(data, "sheet", None):
            count = sum((one.get("official") or 0) < line["sourceseq"] for one in self.sheets.get(game, ()))
        digest = ""
        if game in self.sheets:
            self._sheet(game, count, tree, sheets, state)
            digest = sha256(b"".join(one + b"\n" for one in sheets[game][:count])).hexdigest()
        basis = line["basis"] if 0 <= line["basis"] <= tree.size else 0
        seal = Seal(state, basis, tree.root(basis), count, digest, self.log.signer.sign)
        try:
            sealed = msgspec.to_builtins(form_of(RULES[line["source"]].seal(data, seal)))
        except Exception:
            return
        for name in masked:
            if (id(line), name) not in self.left and name in {f.name for f in fields(data)}:
                line["data"][name] = sealed[name]
