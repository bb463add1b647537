"""An operator of the running stack, who types what the pages in ``deploy/docs`` say."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from deploy.server.settings import SERVICES
from tests import warm
from tests.stack import postgres
from tests.stack.stack import Stack

DOCS = Path(__file__).parents[2] / "deploy" / "docs"
PAGE, TOPICS_PAGE, INSTALL_PAGE = DOCS / "backup.md", DOCS / "topics.md", DOCS / "install.md"
WORKERS = [f"{service}-worker" for service in SERVICES]


def commands(section: str, page: Path = PAGE) -> list[str]:
    """The commands of a section of a page, those of the sections within it left out."""
    part = re.split(rf"^##+ {section}\n", page.read_text(), flags=re.MULTILINE)[1]
    part = re.split(r"^##", part, flags=re.MULTILINE)[0]
    found = [line for block in re.findall(r"```sh\n(.*?)```", part, re.DOTALL) for line in block.splitlines()]
    found = [line.strip() for line in found if line.strip()]
    assert found, f"the page says no command under {section}"
    return found


class Operator:
    """What docker would do the stack does; everything else a shell, with the environment that the page asks for."""

    def __init__(self, stack: Stack, **said: str) -> None:
        self._stack = stack
        assert stack.postgres is not None
        programs = (warm.programs(), Path(sys.executable).parent, Path(str(postgres.program("postgres"))).parent)
        self.environment = {
            "PATH": os.pathsep.join((*map(str, programs), os.environ["PATH"])),
            "PYTHONPATH": str(DOCS.parents[1]),
            "PGHOST": "127.0.0.1",
            "PGPORT": str(stack.postgres.port),
            "PGUSER": "postgres",
            "PGPASSWORD": stack.passwords["postgres"],
            "ARBITER_KAFKA": stack.kafka,
            "ARBITER_KAFKA_PASSWORD": stack.passwords["admin.kafka"],
            "ARBITER_DATABASES": " ".join(f"{name}={stack.database(name)}" for name in SERVICES),
            "ARBITER_DATA": str(stack.data),
            **stack.cluster(),
            **said,
        }

    def follows(self, section: str, page: Path = PAGE) -> str:
        """Type every command of a section; each must succeed. What they say."""
        said = ""
        for command in commands(section, page):
            code, told = self.types(command)
            assert code == 0, (command, told)
            said += told
        return said

    def types(self, command: str) -> tuple[int, str]:
        """Exit code of one command, and all it says."""
        if again := re.fullmatch(r"docker compose run --rm (keys|prepare)", command):
            self._stack.run(again[1])
            return 0, ""
        command = re.sub(r"docker compose run --rm --entrypoint (\w+) operator", r"\1", command)
        command = command.replace(" /keys/", f" {self._stack.data}/")
        docker = re.fullmatch(r"docker compose (stop|start) (.*)", command)
        if docker is None:
            ran = subprocess.run(
                command, shell=True, env=self.environment, cwd=DOCS.parents[1], capture_output=True, text=True,
                check=False, timeout=120,
            )  # fmt: skip
            if command.startswith("arbiter keys"):
                self._stack.share_keys()
            return ran.returncode, ran.stdout + ran.stderr
        names = re.sub(r"\$(\w+)", lambda found: self.environment[found[1]], docker[2]).split()
        if docker[1] == "start":
            self._stack.restart(*names)
        else:
            self._stack.stop(*names)
        return 0, ""

    def doctor(self) -> dict[str, tuple[str, str]]:
        """What `arbiter doctor` finds wrong → (what it found, the remedy)."""
        _, told = self.types("arbiter doctor --json")
        return {f["what"]: (f["found"], f["remedy"]) for f in json.loads(told)["findings"] if f["remedy"]}

    def ready(self, service: str) -> tuple[int, dict]:
        """Status and body of a service's own ``/readyz``."""
        try:
            with urlopen(f"{self._stack.address(service)}/readyz", timeout=10) as answer:
                return answer.status, json.load(answer)
        except HTTPError as refused:
            return refused.code, json.load(refused)
