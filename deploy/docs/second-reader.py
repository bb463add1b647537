"""Print the points of one tournament, read without Arbiter's code.

second-reader.py LOG.ndjson                              standard library only, no signatures
second-reader.py HOST:PORT TOURNAMENT [pairing.vkey]     from Kafka; needs: pip install kafka-python cryptography
"""

import json
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

Event = dict[str, Any]
SERVICES = [f"/services/{name}" for name in ("pairing", "games", "penalties", "standings")]
FALLS = {
    "finding.withdrawn": "finding",
    "arrival.corrected": "corrects",
    "break.corrected": "corrects",
    "facts.checked": "ruling",
}


def read_file(name: str) -> list[Event]:
    return [json.loads(line) for line in Path(name).read_bytes().splitlines()]


def read_kafka(address: str, tournament: str, *key_files: str) -> list[Event]:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from kafka import KafkaConsumer, TopicPartition
    from kafka.partitioner.default import murmur2

    consumer = KafkaConsumer(bootstrap_servers=address, enable_auto_commit=False)
    parts = [TopicPartition("arbiter.tournaments", p) for p in consumer.partitions_for_topic("arbiter.tournaments")]
    consumer.assign(parts)
    consumer.seek_to_beginning(*parts)
    ends, last, key = consumer.end_offsets(parts), dict.fromkeys(SERVICES, 0), tournament.encode()
    log: list[Event] = []
    keys: dict[str, str] = {}
    place = (murmur2(key) & 0x7FFFFFFF) % len(parts)
    house = {text.split("+")[1]: text for file in key_files for text in Path(file).read_text().splitlines()}

    def keys_after(source: str, line: Event) -> dict[str, str]:
        first = not last["/services/pairing"]
        named = {f"/{text.split('+')[0]}": text for text in line["data"].get("keys", ())} if first else {}
        if line["type"].startswith("arbiter.key.announced.v"):
            of, text = "/" + line["data"]["key"].split("+")[0], line["data"]["key"]
            if source in (of, "/services/standings" if of == "/services/pairing" else "/services/pairing"):
                named[of] = text
        return {**keys, **named}

    def check_signature(value: bytes, signature: str, text: str) -> None:
        signed = value.removesuffix(b',"signature":"%s"}' % signature.encode()) + b"}"
        public = Ed25519PublicKey.from_public_bytes(b64decode(text.split("+", 2)[2])[1:])
        public.verify(b64decode(signature[9:]), sha256(signed).digest())

    def next_lines(record: Any) -> list[Event]:
        lines = [json.loads(line) for line in record.value.split(b"\n")]
        command, source = lines[0]["causationid"], lines[0]["source"]
        for number, line in enumerate(lines, last[source] + 1):
            if (line["subject"], line["causationid"], line["source"]) != (f"tournaments/{tournament}", command, source):
                return []
            if line["sourceseq"] != number or record.key != key or record.partition != place:
                return []
        if house and not log:
            named = {"/services/pairing": house[lines[-1]["signature"][:8]]}
        else:
            named = keys or keys_after(source, lines[0])
        if named:
            check_signature(record.value, lines[-1]["signature"], named[source])
        for line in lines:
            keys.update(keys_after(source, line))
        last[source] += len(lines)
        return lines

    while any(consumer.position(p) < ends[p] for p in parts):
        for record in (record for records in consumer.poll(500).values() for record in records):
            try:
                log += next_lines(record)
            except (AttributeError, KeyError, TypeError, ValueError, RecursionError, InvalidSignature):
                continue
    return log


def half_points(log: list[Event]) -> dict[int, int]:
    """Return the half-points of each entry, by its number."""
    points: dict[int, int] = {}
    rounds: dict[int, Event] = {}
    asked: dict[tuple[int, int], str] = {}
    marks: dict[str, Event] = {}
    rulings: dict[str, Event] = {}
    annulled: dict[str, str] = {}
    worth: dict[str, int] = {}
    fallen: set[str | None] = set()
    for event in log:
        kind, data = event["type"].removeprefix("arbiter.").rpartition(".v")[0], event["data"]
        if kind == "regulations.adopted":
            worth = data["regulations"]["points"]
        elif kind == "player.entered":
            points[data["player"]] = 0
        elif kind == "round.paired":
            rounds[data["round"]] = data
        elif kind == "pairing.withdrawn":
            rounds.pop(data["round"])
        elif kind == "bye.granted":
            asked[data["player"], data["round"]] = data["kind"]
        elif kind in ("result.reported", "result.corrected", "game.ended"):
            marks[data["game"]] = data
        elif kind == "ruling.made":
            rulings[data["ruling"]] = data
        elif kind == "ruling.annulled":
            annulled[data["ruling"]] = data["annuls"]
        elif kind in FALLS and data.get("contradicted", True):
            fallen.add(data[FALLS[kind]])

    def in_force(ruling: str) -> bool:
        made = rulings.get(ruling, {})
        grounds = {ruling, made.get("finding"), made.get("arrival"), *made.get("breaks", ())}
        annulments = (by for by, annuls in annulled.items() if annuls == ruling)
        return (
            not fallen & grounds and all(map(in_force, made.get("because", ()))) and not any(map(in_force, annulments))
        )

    for ruling in (made for name, made in rulings.items() if in_force(name)):
        if ruling["effect"]["kind"] == "set_marks":
            marks[ruling["game"]] = ruling["effect"]
        if ruling["effect"]["kind"] == "adjust_points":
            points[ruling["player"]] += ruling["effect"]["points"]
    byes = {"U": worth["pairing_bye"], "F": worth["full_bye"], "H": worth["half_bye"], "Z": worth["zero_bye"]}
    for number, paired in rounds.items():
        if paired.get("stage") == "play_off":  # its games decide a shared place and give no points
            continue
        for board in (b for b in paired["boards"] if b["game"] in marks):
            for side in ("white", "black"):
                points[board[side]] += marks[board["game"]][side]["points"]
        free = {bye["player"]: bye["kind"] for bye in paired["byes"]} | {
            p: k for (p, n), k in asked.items() if n == number
        }
        for player, kind in free.items():
            points[player] += byes[kind]
    return points


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    found = half_points(read_file(sys.argv[1]) if len(sys.argv) == 2 else read_kafka(*sys.argv[1:]))
    for player, points in sorted(found.items(), key=lambda row: (-row[1], row[0])):
        print(f"{player:4}  {points / 2:g}")
