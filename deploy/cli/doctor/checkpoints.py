"""Checkpoints as doctor sees them: the house's name, logs that were not signed, witnesses that did not cosign."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.cli.doctor.finding import Finding
from shared.core.language.messages import Message, message_of, say

if TYPE_CHECKING:
    from shared.audit.checkpoints.signer_memory import MemoryLost


def look_at_checkpoints(folder: Path, *, compared: bool) -> Iterator[Finding]:
    """Only what is there is looked at; nothing is made. ``compared``: the memory is held against the log itself elsewhere,
    and what was refused once is not told again."""
    from deploy.cli.doctor.signer_memory import departed
    from deploy.server.keys.house_key import house_name
    from deploy.server.keys.house_signer import memory_of
    from deploy.server.keys.witness_client import configured
    from deploy.server.settings import BadSetting
    from shared.audit.checkpoints.signer_memory import MemoryLost

    try:
        yield Finding(say("name of the installation"), say("{name}", name=house_name(folder)))
        witnesses = {one.name for one in configured(folder)}
    except BadSetting as problem:
        yield Finding(
            say("checkpoints"),
            message_of(problem),
            say("correct the file or the variable that it names"),
        )
        return
    memory = memory_of(folder, readonly=True)
    if not memory.path.exists() or not memory.path.stat().st_size:
        if (folder / "arbiter.db").exists():
            yield Finding(
                say("memory of the signer"),
                say("{path} does not exist yet; the next checkpoint creates it", path=str(memory.path)),
            )
        return
    yield from _mode(folder, memory.path)
    try:
        refused, asked = memory.refusals(), memory.witnesses()
        memory.heads()
    except MemoryLost as problem:
        yield Finding(say("memory of the signer"), message_of(problem), _mends(memory.path, problem))
        return
    for origin, why in () if compared else refused.items():
        yield departed(origin.rpartition("/")[2], why)
    for name in sorted(witnesses):
        state, trouble = say("it has not been asked yet") if name not in asked else say("it cosigns"), asked.get(name)
        remedy = say("check that {name} is running and knows the key and the logs of this installation", name=name)
        yield Finding(say("witness {name}", name=name), trouble or state, remedy if trouble else None)


def _mode(folder: Path, path: Path) -> Iterator[Finding]:
    """In the data folder itself the modes of all databases are looked at."""
    if path.parent != folder and path.stat().st_mode & 0o077:
        yield Finding(
            say("memory of the signer"),
            say("other users can read {path}", path=str(path)),
            say("{command}", command=f"chmod 600 {path}"),
        )


def _mends(path: Path, problem: "MemoryLost") -> Message:
    if not problem.damaged:
        return say("check that you may read {path} and its folder, and that no process keeps it locked", path=str(path))
    return say(
        "remove {path}, then run `{command}` for each published log",
        path=str(path),
        command="arbiter checkpoint T --remember NOTE",
    )
