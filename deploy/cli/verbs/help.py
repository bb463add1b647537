"""``arbiter help``: the help of the command or of a verb."""

from collections.abc import Sequence

import click

from deploy.cli.terminal.verb import Verb
from deploy.failure import Failure
from shared.core.language.messages import say


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
