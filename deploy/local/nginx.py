"""nginx as a process of this machine."""

import os
import shutil
from pathlib import Path

from deploy.local.process import Process, open_port

_DEBIAN = "/usr/sbin/nginx"


def program() -> str | None:
    return shutil.which("nginx") or (_DEBIAN if Path(_DEBIAN).exists() else None)


def missing() -> str | None:
    """What this machine lacks for the gateway; None where all is here."""
    return None if program() else "nginx is not installed (Debian: nginx-light)"


def as_this_user(command: list[str]) -> list[str]:
    """A command of nginx whose last word is its directives: started by root its workers stay root, and reach its folders."""
    return command if os.geteuid() else [*command[:-1], f"{command[-1]} user root;"]


class Nginx:
    """A gateway by a configuration that names everything it needs with full paths."""

    def __init__(self, configuration: Path, port: int, output: Path) -> None:
        self.port = port
        command = as_this_user([str(program()), "-c", str(configuration), "-e", "stderr", "-g", "daemon off;"])
        self.process = Process("nginx", command, {"PATH": os.environ["PATH"]}, output)

    def start(self) -> None:
        self.process.start()
        self.process.wait_until(lambda: open_port(self.port))

    def end(self) -> None:
        self.process.end()
