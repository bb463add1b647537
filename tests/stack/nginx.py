"""nginx as a process of this machine."""

import os
import shutil
from pathlib import Path

from tests.stack.process import Process, open_port

_DEBIAN = "/usr/sbin/nginx"
_HEADERS = Path("/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so")
_START = Path(__file__).parents[2] / "deploy" / "gateway.sh"


def program() -> str | None:
    return shutil.which("nginx") or (_DEBIAN if Path(_DEBIAN).exists() else None)


def missing() -> str | None:
    """What this machine lacks for the gateway; None where all is here."""
    return None if program() else "nginx is not installed (Debian: nginx-light)"


def missing_module() -> str | None:
    """Return what this machine lacks to remove nginx's own header fields, or None."""
    return None if _HEADERS.exists() else f"{_HEADERS} is missing (Debian: libnginx-mod-http-headers-more-filter)"


def as_this_user(command: list[str]) -> list[str]:
    """A command of nginx whose last word is its directives: started by root its workers stay root, and reach its folders."""
    return command if os.geteuid() else [*command[:-1], f"{command[-1]} user root;"]


class Nginx:
    """A gateway by a configuration that names everything it needs with full paths, beside which it writes down the
    ``proxies`` that may say for whom they ask."""

    def __init__(
        self,
        configuration: Path,
        port: int,
        output: Path,
        proxies: str = "",
        upstreams: str = "",
        folder: Path | None = None,
    ) -> None:
        """``folder``: of the files that gateway.sh writes (None: that of the configuration)."""
        self.port = port
        words = ["sh", str(_START), str(program()), "-c", str(configuration), "-e", "stderr", "-g", "daemon off;"]
        environment = {
            "PATH": os.environ["PATH"],
            "ARBITER_PROXIES": proxies,
            "ARBITER_UPSTREAMS": upstreams,
            "GATEWAY_TRUSTED": str((folder or configuration.parent) / "trusted.conf"),
        }
        self.process = Process("nginx", as_this_user(words), environment, output)

    def start(self) -> None:
        self.process.start()
        self.process.wait_until(lambda: open_port(self.port))

    def end(self) -> None:
        self.process.end()
