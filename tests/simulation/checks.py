"""The conditions that must hold after a history, checked without the tested code."""

import base64
import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from shared.core.terms import GAMES, STANDINGS, Source, service_of
from tests.simulation.history import History

_LEDGER = "SELECT stream, seq, line, root FROM ledger ORDER BY stream, seq"


def check(history: History) -> list[str]:
    """Return everything that is wrong after a history."""
    return [*_failures(history), *_loss(history)] or [
        *_ledgers(history),
        *_roots(history),
        *_acknowledged(history),
        *_own_events(history),
        *_sheets(history),
        *_texts_before_lines(history),
        *_same_answers(history),
        *_unexpected_reports(history),
    ]


def _failures(history: History) -> Iterator[str]:
    for where, problem in history.scheduler.failures:
        yield f"{where}: {type(problem).__name__}: {problem}"


def _loss(history: History) -> Iterator[str]:
    if not history.repaired and not history.reported:
        yield "records were lost, and no service has reported it"


def _lines(history: History, source: Source) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for stream, seq, line, _root in history.house.databases[source].rows(_LEDGER):
        lines = found.setdefault(stream, [])
        lines.append(line if seq == len(lines) + 1 else b"?")
    return found


def _official(history: History) -> dict[str, list[bytes]]:
    return _lines(history, history.house.sources[0])


def _ledgers(history: History) -> Iterator[str]:
    """Every service has the same events in the same order, each once."""
    if not history.repaired:
        return
    expected = _official(history)
    for source in history.house.sources:
        held = _lines(history, source)
        if held != expected:
            yield f"the ledgers of {service_of(history.house.sources[0])} and {service_of(source)} differ"
        for stream, lines in held.items():
            if b"?" in lines:
                yield f"the ledger of {service_of(source)} lacks a number of {stream}"
            heads = [json.loads(line) for line in lines]
            if len({head["id"] for head in heads}) < len(heads):
                yield f"an event is twice in {stream} of {service_of(source)}"
            counts: Counter[str] = Counter()
            for head in heads:
                counts[head["source"]] += 1
                if head["sourceseq"] != counts[head["source"]]:
                    yield f"{head['source']}'s event {head['sourceseq']} of {stream} is number {counts[head['source']]}"


def _leaf(line: bytes) -> bytes:
    return sha256(b"\0" + line).digest()


def _root(leaves: list[bytes]) -> bytes:
    """Return the Merkle tree head of RFC 6962."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + _root(leaves[:split]) + _root(leaves[split:])).digest()


def _roots(history: History) -> Iterator[str]:
    """Check that stored roots, and those that events state, are the roots of the events before."""
    for source in history.house.sources:
        leaves: dict[str, list[bytes]] = {}
        for stream, seq, line, root in history.house.databases[source].rows(_LEDGER):
            own = leaves.setdefault(stream, [])
            own.append(_leaf(line))
            if source != history.house.sources[0]:
                continue
            if _root(own) != root:
                yield f"{service_of(source)} has another root after event {seq} of {stream}"
            head = json.loads(line)
            if base64.b64encode(_root(own[: head["basis"]])).decode() != head["basisroot"]:
                yield f"event {seq} of {stream} states another root at its basis"


def _acknowledged(history: History) -> Iterator[str]:
    """Check that acknowledged events are in the log once, with the bytes of the answer, and refused commands are not."""
    by_command: dict[str, list[bytes]] = {}
    for lines in [*_official(history).values(), *_sheet_lines(history, GAMES).values()]:
        for line in lines:
            by_command.setdefault(json.loads(line)["causationid"], []).append(line)
    for sent in history.sent:
        held = by_command.get(sent.id, [])
        if sent.outcome == "refused" and held:
            yield f"{sent.key} {sent.what} was refused, and is in the log"
        if sent.outcome != "acknowledged" or sent.id in history.excused or not history.repaired:
            continue
        told = sorted(json.dumps(line, sort_keys=True) for line in sent.lines())
        if told != sorted(json.dumps(json.loads(line), sort_keys=True) for line in held):
            yield f"{sent.key} {sent.what} was acknowledged with {len(told)} events, and the log has {len(held)} of it"


def _sheet_lines(history: History, source: Source) -> dict[str, list[bytes]]:
    if source not in history.house.sources:
        return {}
    table = "events WHERE stream LIKE 'games/%'" if source == GAMES else "sheets"
    found: dict[str, list[bytes]] = {}
    for stream, line in history.house.databases[source].rows(
        f"SELECT stream, line FROM {table} ORDER BY stream, sourceseq"
    ):
        found.setdefault(stream, []).append(line)
    return found


def _own_events(history: History) -> Iterator[str]:
    """Every own official event of a service is in the ledger, as it was written."""
    if not history.repaired:
        return
    known = {line for lines in _official(history).values() for line in lines}
    for source in history.house.sources:
        rows = history.house.databases[source].rows("SELECT stream, line FROM events WHERE stream LIKE 'tournaments/%'")
        if lost := sum(line not in known for _, line in rows):
            yield f"{lost} events of {service_of(source)} are not in the log"


def _sheets(history: History) -> Iterator[str]:
    """Standings has the score sheets of games."""
    both = {GAMES, STANDINGS} <= set(history.house.sources) and history.repaired
    if both and _sheet_lines(history, GAMES) != _sheet_lines(history, STANDINGS):
        yield "the score sheets of games and standings differ"


def _named(value: Any) -> Iterator[str]:
    """Yield the hashes of texts that an event names."""
    if isinstance(value, dict):
        if set(value) == {"text"}:
            yield value["text"]
        for one in value.values():
            yield from _named(one)
    elif isinstance(value, list):
        for one in value:
            yield from _named(one)


def _texts_before_lines(history: History) -> Iterator[str]:
    """Check that each text came before the events that name it, and that every service has it unless it was erased."""
    given = {hash for sent in history.sent for hash in sent.texts}
    first = {}
    for record in history.cluster.all:
        if record.topic == "arbiter.texts" and record.key is not None:
            first.setdefault(record.key.decode(), record.number)
    erased = {
        hash for source in history.house.sources
        for (hash,) in history.house.databases[source].rows("SELECT hash FROM erased")
    }  # fmt: skip
    named: set[str] = set()
    for record in history.cluster.all:
        if record.topic != "arbiter.tournaments" or history.lossy:
            continue
        for line in (record.value or b"").split(b"\n"):
            event = json.loads(line)
            for hash in set(_named(event.get("data"))) & given if "erased" not in event["type"] else ():
                named.add(hash)
                if first.get(hash, record.number) >= record.number and hash not in erased:
                    yield f"an event names a text before it was sent ({event['type']}, {event['causationid']})"
    for source in history.house.sources:
        held = {hash for (hash,) in history.house.databases[source].rows("SELECT hash FROM texts")}
        if missing := named - held - erased:
            yield f"{service_of(source)} lacks {len(missing)} texts"
        if history.repaired and (kept := held & erased):  # else a decision of the operator is still missing
            yield f"{service_of(source)} still has {len(kept)} erased texts"


def _same_answers(history: History) -> Iterator[str]:
    """Check that a command that is sent again gets the same events as answer."""
    for sent in history.sent:
        answers = {json.dumps(json.loads(body)["events"], sort_keys=True) for _, body in sent.answers}
        if len(answers) > 1 and sent.id not in history.excused:
            yield f"{sent.key} {sent.what} got different answers"


def _unexpected_reports(history: History) -> Iterator[str]:
    """Nothing halts, and nothing is reported, unless records were lost."""
    if not history.lossy:
        for what in history.reported:
            yield f"reported without a loss: {what}"
    if history.repaired:
        for source in history.house.sources:
            for (stream,) in history.house.databases[source].rows("SELECT stream FROM stopped"):
                if not history.lossy:
                    yield f"{service_of(source)} has suspended {stream}"
