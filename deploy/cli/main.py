"""The ``arbiter`` command: its verbs, and the one place where errors become exit codes.

They are 0 (success), 1 (an audit differs, or the rules refuse a command), 2 (wrong usage or unreadable input), 3 (an audit is
incomplete) and 130 (interrupted).
"""

import gc
import importlib
import keyword
import os
import sys
import traceback
from collections.abc import Sequence
from io import TextIOWrapper

import click

from deploy.cli.terminal.help_texts import speak, translated
from deploy.cli.terminal.os_problems import os_problem
from deploy.cli.terminal.verb import Verb, note, require_known_command, words
from deploy.failure import Failure
from shared.core.language.messages import Message, message_of, say
from shared.regulations.typed_toml import TomlError

GROUPS: tuple[tuple[Message, str, tuple[str, ...]], ...] = (
    (say("Run an event"), "event", ("demo", "serve", "token", "invite", "regulations", "judge", "archive")),
    (say("Use report files"), "files", ("import", "export", "pair", "check", "standings", "simulate")),
    (say("Audit a log"), "audit", ("log", "texts", "checkpoint", "receipt", "verify", "replay", "diff", "watch")),
    (say("Operate a server"), "operation", ("doctor", "keys", "topics", "resume", "resubmit", "rebuild", "compress")),
)
"""The verbs by reader, each group with its folder: organisers, users of report files, auditors, operators."""
_FOLDERS = {name: folder for _, folder, names in GROUPS for name in names}
_LONGEST_LINE = 60
"""Characters of the one-line help of a verb."""


@click.command(cls=Verb, example="arbiter help rebuild ledger")
@click.argument("path", nargs=-1, metavar="[VERB [SUBCOMMAND]]")
def help(path: Sequence[str]) -> None:
    """Explain a verb: options, exit codes and an example.

    Without VERB, all verbs are listed.
    """
    context = click.get_current_context().find_root()
    for name in path:
        group = context.command
        if not isinstance(group, click.Group):
            raise Failure(say("{verb} has no subcommand {name}", verb=context.command_path, name=repr(name)))
        _, command, _ = group.resolve_command(context, [name])
        assert command is not None, "an unknown name ends the command"
        context = click.Context(command, info_name=name, parent=context, **command.context_settings)
    click.echo(context.get_help())


class Verbs(click.Group):
    """The verbs. Each is a module under ``deploy.cli.verbs`` that is loaded when it is called or listed."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs of each group with their one-line helps, all groups in the same columns."""
        width = max(map(len, self.list_commands(ctx)))
        for title, _, names in GROUPS:
            with formatter.section(words(title)):
                commands = {name: self.get_command(ctx, name) for name in names}
                formatter.write_dl(
                    [
                        (name.ljust(width), command.get_short_help_str(_LONGEST_LINE))
                        for name, command in commands.items()
                        if command is not None
                    ]
                )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how to read the help of one verb."""
        formatter.write_paragraph()
        formatter.write_text(words(say("`arbiter help VERB` explains the options and exit codes, with an example.")))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*_FOLDERS, "help"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "help":
            return translated(help)
        if cmd_name not in _FOLDERS:
            return None
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"deploy.cli.verbs.{_FOLDERS[cmd_name]}.{name}")
        command: click.Command = getattr(module, name)
        return translated(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        require_known_command(args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="arbiter-federation")
def cli() -> None:
    """Run board-game tournaments and audit their event logs."""


def main(args: Sequence[str] | None = None) -> None:
    """Run a command line and end the process with its exit code."""
    code = run(args)
    gc.freeze()  # An interpreter that ends would search all modules for garbage, for a fifth of the time of a short command.
    sys.exit(code)


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code. An error is one line on standard error. Without a verb, print the help."""
    try:
        speak()
        _show_every_letter()
        code = translated(cli).main(args, prog_name="arbiter", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return error.exit_code
    except click.ClickException as error:
        return _complain(error.format_message(), 2)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except Failure as error:
        return _complain(words(error.message), error.code)
    except TomlError as error:
        return _complain(words(message_of(error)), 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _complain(f"{error.filename}: {words(os_problem(error))}" if error.filename else str(error), 2)
    except Exception as error:
        if error.args and isinstance(error.args[0], Message):  # bad keys, settings or files, reported in full
            return _complain(words(error.args[0]), 2)
        if os.environ.get("ARBITER_TRACEBACK"):
            traceback.print_exc()
        return _complain(f"internal error: {type(error).__name__}: {error}", 2)


def _show_every_letter() -> None:
    """Escape letters that the terminal's encoding lacks, on standard output as on standard error."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _complain(message: str, code: int) -> int:
    note(f"arbiter: {' '.join(message.split())}")
    return code


if __name__ == "__main__":
    main()
