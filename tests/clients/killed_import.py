"""`arbiter`, killed with -9 by its own import at steps that the file ``kills.json`` beside the log lists, each once."""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from deploy.cli.main import main
from deploy.imports.file_import import FileImport

FILE = "kills.json"


def _kill() -> None:
    os.killpg(0, signal.SIGKILL)


def kill_at_steps(file: Path) -> None:
    """Kill this process group at the next step of an import that begins with the first of the words in the file."""
    post = FileImport.post

    def posted(self: FileImport, step: str, *arguments: Any, **named: Any) -> None:
        pending = json.loads(file.read_text())
        if not pending or step.split(maxsplit=1)[0] != pending[0][0]:
            return post(self, step, *arguments, **named)
        moment = pending.pop(0)[1]
        file.write_text(json.dumps(pending))
        if moment == "unheard":
            _kill()
        if moment == "deciding":
            threading.Thread(target=_kill).start()
        post(self, step, *arguments, **named)
        return _kill()

    FileImport.post = posted  # type: ignore[method-assign]


if __name__ == "__main__":
    kill_at_steps(Path(sys.argv[sys.argv.index("--data") + 1]) / FILE)
    main()
