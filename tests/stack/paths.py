"""Where a container's world lies on this machine: its paths in a folder, its host names and ports on 127.0.0.1."""

import re
from collections.abc import Mapping
from pathlib import Path

from tests.stack.compose import Service
from tests.stack.process import free_port, is_free


class LocalService:
    """One service's local. ``images`` says where paths that come with an image lie here."""

    def __init__(
        self,
        root: Path,
        folder: Path,
        service: Service,
        ports: Mapping[str, Mapping[str, int]],
        images: Mapping[str, Path],
    ) -> None:
        self._service, self._folder = service, folder / service.name
        self._folder.mkdir(parents=True, exist_ok=True)
        own = ports[service.name]
        self._hosts = {f"{name}:{port}": here for name, known in ports.items() for port, here in known.items()}
        self._hosts |= {f"{host}:{port}": here for port, here in own.items() for host in ("localhost", "0.0.0.0")}
        self._own = own
        self.paths = dict(images)
        for target in service.temporary:
            self.paths[target] = self._folder / target.strip("/").replace("/", "-")
            self.paths[target].mkdir(exist_ok=True)
        for mount in service.mounts:
            source = folder / "volumes" / mount.source if mount.is_volume else (root / mount.source).resolve()
            if mount.is_volume or not source.exists():  # As docker does.
                source.mkdir(parents=True, exist_ok=True)
            self._put(Path(mount.target), source)

    def _put(self, target: Path, source: Path) -> None:
        """A mount: its own path, and the folders in which it lies beside the others that are mounted there."""
        self.paths[str(target)] = source
        beside = self._folder / "root" / target.parent.relative_to("/")
        beside.mkdir(parents=True, exist_ok=True)
        for folder in target.parents[:-1]:  # What lies at the root is no folder of mounts.
            self.paths.setdefault(str(folder), self._folder / "root" / folder.relative_to("/"))
        (beside / target.name).unlink(missing_ok=True)
        (beside / target.name).symlink_to(source)

    def __call__(self, text: str) -> str:
        """What a command, an environment or a file says, for this machine."""
        if text in self._own:
            return str(self._own[text])
        hosts = "|".join(map(re.escape, sorted(self._hosts, key=len, reverse=True)))
        text = re.sub(rf"(?<![\w.-])({hosts})(?!\d)", lambda match: f"127.0.0.1:{self._hosts[match[0]]}", text)
        text = re.sub(r"(?<![\w.-])0\.0\.0\.0(?![\w.:/])", "127.0.0.1", text)
        paths = "|".join(map(re.escape, sorted(self.paths, key=len, reverse=True)))
        return re.sub(rf"(?<![\w/.-])({paths})(?![\w-])", lambda match: str(self.paths[match[0]]), text)

    def settle(self) -> None:
        """Give the command copies of the files that it names and that name other hosts, ports or paths."""
        for target in set(self._service.command) & self.paths.keys():
            source = self.paths[target]
            if source.is_file() and source.suffix == ".conf":
                copy = self._folder / source.name
                copy.write_text(self(source.read_text()))
                self.paths[target] = copy

    def environment(self) -> dict[str, str]:
        return {name: self(value) for name, value in self._service.environment.items()}

    def command(self) -> list[str]:
        return [self(word) for word in self._service.command]

    def check(self) -> list[str]:
        """The command of its health check; bash's ``/dev/tcp/HOST/PORT`` names a port of its own."""
        words = [self(word) for word in self._service.healthy]
        for port, here in self._own.items():
            words = [word.replace(f"/dev/tcp/localhost/{port}", f"/dev/tcp/127.0.0.1/{here}") for word in words]
        return words


def all_ports(
    services: Mapping[str, Service],
    chosen: Mapping[str, Mapping[str, int]],
    former: Mapping[str, Mapping[str, int]] | None = None,
) -> dict[str, dict[str, int]]:
    """Service -> the ports it exposes -> the one ``chosen``, else the ``former`` one if it is free, else any free one."""

    def port(name: str, exposed: str) -> int:
        before = (former or {}).get(name, {}).get(exposed, 0)
        return chosen.get(name, {}).get(exposed) or (before if before and is_free(before) else free_port())

    return {name: {one: port(name, one) for one in service.ports} for name, service in services.items()}
