"""A container engine for the test of docker-compose.yml: podman with its own settings and storage, without a registry."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tests.deploy.debian import make_root
from tests.stack.compose import merged

_ROOT = Path(__file__).parents[2]
BASE = "localhost/arbiter-base:bookworm"
"""The stand-in for debian:bookworm-slim."""
_PROGRAMS = {
    "podman": "podman buildah netavark aardvark-dns iptables nftables",
    "runc": "runc",
    "debootstrap": "debootstrap",
}
# crun needs cgroups of one kind; and a container may not raise the limits that this machine has.
_CONF = """[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
"""
_SHIM = """#!/bin/sh
# podman for podman-compose. Debian 12's podman 4.3 cannot wait until a container is healthy, and runs health checks only
# under systemd; and it starts what a container requires again, although compose has already waited for its end.
if [ "$1" = --version ]; then
  echo "podman version 4.6.0"
  exit
fi
# podman forgets the exit code of a container after five minutes, which a busy machine needs to start the others.
if [ "$1 $2" = "wait --condition=stopped" ]; then
  shift 2
  for one; do
    until [ "$(podman inspect --format '{{.State.Status}}' "$one")" = exited ]; do sleep 1; done
  done
  exit
fi
if [ "$1 $2" = "wait --condition=healthy" ]; then
  shift 2
  for one; do
    left=600
    until podman healthcheck run "$one" >/dev/null 2>&1; do
      left=$((left - 1))
      [ $left -gt 0 ] || exit 1
      sleep 1
    done
  done
  exit
fi
for word; do
  shift
  case "$word" in --requires=*) ;; *) set -- "$@" "$word" ;; esac
done
exec podman "$@"
"""


def missing() -> list[str]:
    """Return what this machine lacks, one sentence each."""
    lacks = [] if os.geteuid() == 0 else ["containers are started as root here: run this as root"]
    path = os.environ["PATH"] + ":/usr/sbin"
    packages = [names for program, names in _PROGRAMS.items() if shutil.which(program, path=path) is None]
    if packages:
        lacks.append(f"not installed: apt-get install --no-install-recommends {' '.join(packages)}")
    return lacks


class Engine:
    """podman with images, containers and volumes in ``cache``, and podman-compose for the project in ``checkout``."""

    def __init__(self, cache: Path, checkout: Path, files: Sequence[Path], settings: Mapping[str, str]) -> None:
        """``files``: the compose files of this folder, as they are in ``checkout`` too."""
        self._cache, self.checkout = cache, checkout
        cache.mkdir(parents=True, exist_ok=True)
        (cache / "containers.conf").write_text(_CONF)
        storage = f'[storage]\ndriver = "overlay"\ngraphroot = "{cache}/storage"\nrunroot = "{cache}/run"\n'
        (cache / "storage.conf").write_text(storage)
        shim = cache / "podman"
        shim.write_text(_SHIM)
        shim.chmod(0o755)
        program = str(Path(sys.executable).with_name("podman-compose"))
        # Steps of a build reach the package registries through this machine's own network.
        self._compose = [program, f"--podman-path={shim}", "--podman-build-args=--network=host"]
        self._environment = {
            "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin",
            "HOME": os.environ["HOME"],
            "CONTAINERS_CONF": str(cache / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(cache / "storage.conf"),
            "ARBITER_BASE": BASE,
            "COMPOSE_FILE": os.pathsep.join(str(file.relative_to(_ROOT)) for file in files),
            **settings,
        }
        self.services: dict[str, dict] = merged(files)["services"]
        self.lasting = [name for name, said in self.services.items() if "healthcheck" in said]
        self.once = [
            name for name, said in self.services.items() if name not in self.lasting and "profiles" not in said
        ]

    def podman(self, *words: str, check: bool = True) -> str:
        """Run podman and return its standard output."""
        return self._run(["podman", *words], check=check).stdout

    def compose(self, *words: str, check: bool = True) -> str:
        """Run podman-compose in the checkout and return its standard output."""
        return self._run([*self._compose, *words], check=check).stdout

    def _run(self, command: Sequence[str], *, check: bool) -> "subprocess.CompletedProcess[str]":
        ran = subprocess.run(
            command, cwd=self.checkout, env=self._environment, capture_output=True, text=True, check=False
        )
        if check and ran.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit {ran.returncode}\n{ran.stdout[-3000:]}{ran.stderr[-3000:]}")
        return ran

    def base(self) -> None:
        """Make the base image, unless the cache holds it: 2 to 4 minutes."""
        if BASE in self.podman("images", "--format", "{{.Repository}}:{{.Tag}}").split():
            return
        root, archive = self._cache / "root", self._cache / "base.tar"
        make_root(root, "bookworm")
        self._run(["tar", "-C", str(root), "-cf", str(archive), "."], check=True)
        self.podman("import", str(archive), BASE)
        shutil.rmtree(root)
        archive.unlink()

    def containers(self) -> dict[str, dict]:
        """Service → what podman knows of its container."""
        ids = self.podman("ps", "-a", "-q", "--filter", "label=io.podman.compose.project=arbiter").split()
        found = json.loads(self.podman("inspect", *ids)) if ids else []
        return {one["Config"]["Labels"]["com.docker.compose.service"]: one for one in found}

    def look(self, services: Iterable[str]) -> set[str]:
        """Run health checks, which podman runs only under systemd; return the services that are healthy."""
        known = self.containers()
        running = {name: known[name]["Id"] for name in services if name in known and known[name]["State"]["Running"]}
        return {
            name
            for name, id in running.items()
            if self._run(["podman", "healthcheck", "run", id], check=False).returncode == 0
        }

    def images(self) -> dict[str, int]:
        """Image → its size in MB."""
        rows = json.loads(self.podman("images", "--format", "json"))
        return {name: row["Size"] // 1_000_000 for row in rows for name in row.get("Names") or []}

    def clear(self) -> None:
        """Remove containers and volumes that an interrupted run has left."""
        self.podman("rm", "--all", "--force", "--time", "0")
        self.podman("volume", "rm", "--all", "--force")

    def remove(self, *, images: bool) -> list[str]:
        """Stop and remove containers, volumes and networks; return what is left of them."""
        self.compose("--profile", "operator", "down", "--volumes", "--timeout", "30", check=False)
        left = self.podman("ps", "-a", "-q").split() + self.podman("volume", "ls", "-q").split()
        if images:
            self.podman("rmi", "--all", "--force")
        return left
