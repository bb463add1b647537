"""The repository's own gateway on this machine: nginx with `deploy/nginx.conf`, its hosts and paths moved."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from deploy.build.openapi_build import FOLDER
from tests.stack.nginx import Nginx
from tests.stack.process import free_port

CONFIGURATION = Path(__file__).parents[2] / "deploy" / "nginx.conf"


@contextmanager
def gateway_before(
    folder: Path, services: Mapping[str, int | Sequence[int]], proxies: str = "", **settings: str
) -> Iterator[int]:
    """Yield the port of a gateway before services, each at these ports or at one of them, and behind ``proxies``.

    ``settings``: directives of the configuration that have other values.
    """
    port = free_port()
    text = CONFIGURATION.read_text(encoding="utf-8")
    ports = {name: [at] if isinstance(at, int) else at for name, at in services.items()}
    upstreams = " ".join(f"{name}=" + ",".join(f"127.0.0.1:{at}" for at in all) for name, all in ports.items())
    text = text.replace("0.0.0.0:8080", f"127.0.0.1:{port}").replace("/tmp/", f"{folder}/")
    text = text.replace("/srv/arbiter.json", str(FOLDER / "arbiter.json"))
    for name, value in settings.items():
        before, _, rest = text.partition(f"  {name} ")
        assert rest, name
        text = f"{before}  {name} {value};{rest.partition(';')[2]}"
    configuration = folder / "nginx.conf"
    configuration.write_text(text, encoding="utf-8")
    made = Nginx(configuration, port, folder / "nginx.log", proxies, upstreams)
    made.start()
    try:
        yield port
    finally:
        made.end()
