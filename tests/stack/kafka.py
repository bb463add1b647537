"""A real Kafka broker as a process of this machine: Java 17, and jars fetched once by Maven."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from tests.stack.process import Process, Server, free_port, open_port

CONFIG = Path(__file__).parents[2] / "deploy" / "kafka"
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
"""For a broker that starts often and lives shortly."""


def missing() -> str | None:
    """What this machine lacks for a broker; None where all is here."""
    for program in ("java", "mvn"):
        if shutil.which(program) is None:
            return f"{program} is not installed (Debian: default-jre-headless, maven)"
    return None


def jars() -> Path:
    """The folder of the jars of ``pom.xml``, fetched where they are not there yet."""
    pom = (CONFIG / "pom.xml").read_bytes()
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "arbiter-kafka"
    folder = cache / sha256(pom).hexdigest()[:12]
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    fetched = Path(tempfile.mkdtemp(dir=cache))
    subprocess.run(
        [
            "mvn",
            "-q",
            "-B",
            "-f",
            str(CONFIG / "pom.xml"),
            "dependency:copy-dependencies",
            f"-DoutputDirectory={fetched}",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    fetched.chmod(0o755)
    with suppress(OSError):  # another process was quicker
        fetched.rename(folder)
    shutil.rmtree(fetched, ignore_errors=True)
    return folder


class Kafka(Server):
    """One broker; its records stay in ``folder`` when it is killed and started again."""

    def __init__(self, folder: Path, extra: Mapping[str, str] | None = None) -> None:
        self.port = free_port()
        self.bootstrap = f"127.0.0.1:{self.port}"
        environment = {
            "PATH": os.environ["PATH"],
            "KAFKA_JARS": str(jars()),
            "KAFKA_CONFIG": str(CONFIG),
            "KAFKA_DATA": str(folder / "kafka"),
            "KAFKA_LISTEN": self.bootstrap,
            "KAFKA_ADVERTISED": self.bootstrap,
            "KAFKA_CONTROLLER": f"127.0.0.1:{free_port()}",
            "KAFKA_JAVA_OPTIONS": QUICK,
            **(extra or {}),
        }
        self.process = Process("kafka", ["sh", str(CONFIG / "start.sh")], environment, folder / "kafka.log")

    def start(self) -> None:
        """Start it; returns when it takes connections."""
        self.process.start()
        self.process.wait_until(lambda: open_port(self.port))

    def restart(self) -> None:
        """Start it again after `kill`; after a running one was ended in order."""
        self.process.end()
        self.start()

    def end(self) -> None:
        self.process.end()
