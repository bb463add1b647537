"""The ``arbiter`` command: one table of its verbs, and the one place where errors become exit codes.

0: done, or agrees. 1: differs, or a refusal by the rules. 2: bad usage or unreadable input.
"""

import importlib
import os
import sys
import traceback
from collections.abc import Sequence

import click

from deploy.cli.common import Failure
from services.standings.formats.trf.model import TrfError

COMMANDS = {
    "demo": "demo",
    "serve": "server",
    "token": "server",
    "pair": "pair",
    "check": "pair",
    "standings": "tables",
    "replay": "tables",
    "diff": "tables",
    "import": "import_",
    "export": "export",
    "log": "log",
    "texts": "log",
    "checkpoint": "log",
    "verify": "verify",
    "judge": "judge",
    "simulate": "simulate",
    "keys": "keys",
    "topics": "distributed",
    "rebuild": "distributed",
    "resume": "distributed",
    "doctor": "doctor",
}
"""Verb -> the module under ``deploy.cli`` that holds it. A verb's module loads when it is called."""


class Verbs(click.Group):
    """The verbs of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"deploy.cli.{COMMANDS[cmd_name]}")
        command: click.Command = getattr(module, cmd_name if cmd_name != "import" else "import_")
        return command


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="arbiter")
def cli() -> None:
    """Event-sourced arbitration for board-game competitions."""


def main(args: Sequence[str] | None = None) -> None:
    """Run a command line and end the process with its exit code."""
    sys.exit(run(args))


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line; its exit code. Whatever goes wrong is one line on standard error."""
    try:
        code = cli.main(args, prog_name="arbiter", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        return _say(error.format_message(), 2)
    except click.ClickException as error:
        return _say(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except Failure as error:
        return _say(error.message, error.code)
    except TrfError as error:
        return _say(str(error), 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _say(f"{error.filename}: {error.strerror}" if error.filename else str(error), 2)
    except Exception as error:
        if os.environ.get("ARBITER_TRACEBACK"):
            traceback.print_exc()
        return _say(f"internal error: {type(error).__name__}: {error}", 2)


def _say(message: str, code: int) -> int:
    one_line = " ".join(message.split())
    print(f"arbiter: {one_line}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
