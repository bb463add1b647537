"""Three brokers on this machine: the usual one, and two that join it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.stack.kafka import CONFIG, Kafka, jars
from tests.stack.process import Process, free_port, open_port

_CONTROLLER = "KAFKA_CONTROLLER"


@contextmanager
def joined(first: Kafka, folder: Path) -> Iterator[None]:
    """Two more brokers beside ``first``, whose records lie in ``folder``/kafka."""
    metadata = (folder / "kafka" / "records" / "meta.properties").read_text()
    cluster = next(line.partition("=")[2] for line in metadata.splitlines() if line.startswith("cluster.id="))
    more: list[Process] = []
    try:
        for node in (2, 3):
            more.append(_broker(node, cluster, first.process.environment[_CONTROLLER], folder / f"kafka{node}"))
        yield
    finally:
        for process in more:
            process.end()


def _broker(node: int, cluster: str, controller: str, folder: Path) -> Process:
    folder.mkdir()
    port, config = free_port(), folder / "server.properties"
    usual = [
        line
        for line in (CONFIG / "server.properties").read_text().splitlines()
        if not line.startswith(("process.roles", "node.id"))
    ]
    own = [
        "process.roles=broker",
        f"node.id={node}",
        f"listeners=CLIENTS://127.0.0.1:{port}",
        f"advertised.listeners=CLIENTS://127.0.0.1:{port}",
        "listener.security.protocol.map=CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT",
        f"controller.quorum.bootstrap.servers={controller}",
        f"log.dirs={folder / 'records'}",
    ]
    config.write_text("\n".join([*usual, *own, ""]))
    java = ["java", "-cp", f"{jars()}/*"]
    format_it = ["kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(config), "--no-initial-controllers"]
    subprocess.run([*java, *format_it], check=True, capture_output=True)
    run = [*java[:1], "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", *java[1:], "kafka.Kafka", str(config)]
    process = Process(f"kafka{node}", run, {"PATH": "/usr/bin:/bin"}, folder / "told.log")
    process.start()
    process.wait_until(lambda: open_port(port))
    return process
