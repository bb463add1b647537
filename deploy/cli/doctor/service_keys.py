"""The keys that services sign with: those that the tournaments of a log name must be at hand."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.verb import counted
from shared.audit.keys import service_key_files
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import message_of, say
from shared.core.terms import SOURCES, Source, service_of
from shared.log.port import Log
from shared.signing.log_keys import LogKeys
from shared.wire.envelope import Unreadable, read

_PREFIX = "tournaments/"


def look_at_service_keys(folder: Path, log: Log, sources: Sequence[Source] = SOURCES) -> Iterator[Finding]:
    """Each tournament whose key in force for a service is none of that service's private ones.

    ``sources``: the services whose keys are looked at; those that write the log. A tournament that was stopped at its
    announcement is a stranger's, and told as stopped.
    """
    what = say("keys of services") if len(sources) > 1 else say("key of {service}", service=service_of(sources[0]))
    try:
        own = service_key_files.load(folder, sources)
    except BadKeys as problem:
        yield Finding(
            what,
            message_of(problem),
            say("restore {path} from the backup of the keys", path=str(folder / service_key_files.FOLDER)),
        )
        return
    held = {source: set(own.own(source)) for source in sources}
    signed = 0
    wrong = []
    strangers = {stream for stream, stop in log.stops().items() if stop.seq < 1}
    for stream in sorted(set(log.streams(_PREFIX)) - strangers):
        keys = _keys_of(log, stream)
        signed += bool(keys.signed)
        for source in sources if keys.signed else ():
            named = keys.named.get(source)
            if named and named[-1].key in held[source]:
                continue
            service, t = service_of(source), stream.removeprefix(_PREFIX)
            key = str(named[-1].key) if named else say("no key")
            mend = say(
                "restore keys/{service}.key, or ask the organiser to announce the new key with a reason",
                service=service,
            )
            wrong.append(
                Finding(
                    say("keys of {t}", t=t),
                    say(
                        "{service} signs with {key}, which is not in {folder}",
                        service=service,
                        key=key,
                        folder=str(folder),
                    ),
                    mend,
                )
            )
    yield Finding(
        what,
        counted(
            signed,
            say("they exist; 1 tournament is signed with them"),
            say("they exist; {count} tournaments are signed with them", count=signed),
        ),
    )
    yield from wrong


def _keys_of(log: Log, stream: str) -> LogKeys:
    """The keys that a log names, as far as it can be read."""
    keys = LogKeys()
    for _, group in groupby(log.lines(stream), key=lambda row: (row.source, row.command)):
        rows = list(group)
        lines = [row.line for row in rows]
        try:
            basis = read(lines[0], rows[0].seq).basis if keys.names_keys(lines) else 0
        except Unreadable:
            return keys
        if not keys.names_keys(lines) or keys.signed is None or keys.refusal(rows[0].source, basis, lines) is None:
            keys.take(rows[0].source, rows[0].sourceseq, lines)
        else:
            keys.size += len(lines)
    return keys
