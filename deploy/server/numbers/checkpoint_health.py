"""What is wrong with checkpoints, for ``/readyz`` and Prometheus: logs that were not signed, witnesses that did not cosign."""

from collections.abc import Iterable
from typing import Any

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shared.audit.checkpoints.signer_memory import MemoryLost, SignerMemory


def checkpoint_facts(memory: SignerMemory) -> dict[str, Any]:
    """``refused``: why, by origin; ``witnesses``: why, by name. Without what is well."""
    if not memory.path.exists():
        return {}
    try:
        refused = {origin: str(why) for origin, why in memory.refusals().items()}
        silent = {name: str(why) for name, why in memory.witnesses().items() if why}
    except MemoryLost as problem:
        return {"checkpoints": {"memory": str(problem)}}
    found = {"refused": refused, "witnesses": silent}
    return {"checkpoints": {name: why for name, why in found.items() if why}} if refused or silent else {}


class CheckpointNumbers(Collector):
    """Read from the signer's memory when they are asked for."""

    def __init__(self, memory: SignerMemory) -> None:
        self._memory = memory

    def collect(self) -> Iterable[Metric]:
        usable, refused, asked = 1.0, 0, {}
        try:
            if self._memory.path.exists():
                refused, asked = len(self._memory.refusals()), dict(self._memory.witnesses())
        except MemoryLost:
            usable = 0.0
        yield GaugeMetricFamily("arbiter_signer_memory_up", "Whether the signer's memory can be used", value=usable)
        yield GaugeMetricFamily(
            "arbiter_checkpoints_refused", "Logs that were not signed: shorter than before, or changed", value=refused
        )
        up = GaugeMetricFamily(
            "arbiter_witness_up", "Whether a witness cosigned when it was last asked", labels=["witness"]
        )
        for name, why in asked.items():
            up.add_metric([name], float(not why))
        yield up
