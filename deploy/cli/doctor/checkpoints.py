"""Checkpoints as doctor sees them: the house's name, logs that were not signed, witnesses that did not cosign."""

from collections.abc import Iterator
from pathlib import Path

from deploy.cli.doctor.finding import Finding


def look_at_checkpoints(folder: Path) -> Iterator[Finding]:
    """Only what is there is looked at; nothing is made."""
    from deploy.server.house_key import house_name
    from deploy.server.house_signer import memory_of
    from deploy.server.settings import BadSetting
    from deploy.server.witness_client import configured
    from shared.audit.signer_memory import MemoryLost

    try:
        yield Finding("name of the house", house_name(folder))
        witnesses = {one.name for one in configured(folder)}
    except BadSetting as problem:
        yield Finding(
            "checkpoints",
            str(problem),
            "mend the file or the variable that it names",
        )
        return
    memory = memory_of(folder)
    if not memory.path.exists():
        if (folder / "arbiter.db").exists():
            yield Finding("memory of the signer", f"{memory.path} is not there: it begins with the next checkpoint")
        return
    try:
        refused, asked = memory.refusals(), memory.witnesses()
    except MemoryLost as problem:
        yield Finding(
            "memory of the signer",
            str(problem),
            f"remove {memory.path}; then `arbiter checkpoint T --remember NOTE` for each log that was published",
        )
        return
    if memory.path.stat().st_mode & 0o077:
        yield Finding("memory of the signer", "others may read it", f"chmod 600 {memory.path}")
    for origin, why in refused.items():
        t = origin.rpartition("/")[2]
        remember = f"`arbiter checkpoint {t} --remember NOTE` where the memory was lost"
        restart = f"`arbiter checkpoint {t} --restart --reason TEXT`"
        yield Finding(f"checkpoints of {t}", why, f"put the whole log back; or {remember}, else {restart}")
    for name in sorted(witnesses):
        why = asked.get(name, "it was not asked yet")
        remedy = f"see that {name} runs and knows this house's key and logs" if asked.get(name) else ""
        yield Finding(f"witness {name}", why or "cosigns", remedy)
