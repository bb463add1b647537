"""The help of the command in the reader's language: the texts of verbs and options, and those of click."""

import copy
import gettext
import inspect
from collections.abc import Iterator

import click

from deploy.cli.terminal.verb import chosen, words
from shared.core.language.messages import Message, say
from shared.http.language.catalogue import DOMAIN, ENGLISH, LOCALE

_WIDTH = 50
"""Characters of a line of Chinese, which are two columns wide each."""
OF_CLICK = (
    say("Usage:"),
    say("Options"),
    say("Commands"),
    say("Arguments"),
    say("Show this message and exit."),
    say("Show the version and exit."),
    say("default: {default}"),
    say("required"),
    say("env var: {var}"),
    say("No such option {name!r}."),
    say("Missing argument"),
    say("Missing option"),
    say("Missing parameter"),
    say("Try '{command} {option}' for help."),
    say("Option {name!r} does not take a value."),
    say("Could not open file {filename!r}: {message}"),
    say("{name} {filename!r} does not exist."),
    say("{name} {filename!r} is a directory."),
    say("{name} {filename!r} is a file."),
    say("{name} {filename!r} is not readable."),
    say("file"),
    say("directory"),
    say("path"),
    say("Invalid value: {message}"),
    say("Invalid value for {param_hint}: {message}"),
    say("{value!r} is not a valid {number_type}."),
    say("{value} is not in the range {range}."),
    say("Choose from:\n\t{choices}"),
)
"""Texts of click, translated by its own gettext."""
PLURALS_OF_CLICK = (
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
)
"""Texts of click in singular and plural."""


def speak() -> None:
    """Have click's own words in the reader's language too."""
    gettext.bindtextdomain(DOMAIN, LOCALE)
    gettext.textdomain(DOMAIN)


def translated(command: click.Command) -> click.Command:
    """A command that helps in the reader's language; the same where that is English."""
    if chosen() == ENGLISH:
        return command
    made = copy.copy(command)
    made._help_option = None  # click keeps the one it made in another language
    told = _help(command)
    if told:
        made.help = words(Message(told))
        made.short_help = made.help.partition("\n\n")[0].partition("。")[0]
    made.context_settings = {**command.context_settings, "max_content_width": _WIDTH}
    made.params = [_option(param) for param in command.params]
    if isinstance(made, click.Group):
        made.commands = {name: translated(one) for name, one in made.commands.items()}
    return made


def texts(command: click.Command) -> Iterator[str]:
    """Yield the texts of a command, of its options and of its subcommands."""
    if told := _help(command):
        yield told
    yield from (_braced(param.help) for param in command.params if isinstance(param, click.Option) and param.help)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None:
                yield from texts(below)


def _help(command: click.Command) -> str:
    return _braced(inspect.cleandoc(command.help or ""))


def _option(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option) or not param.help:
        return param
    made = copy.copy(param)
    made.help = words(Message(_braced(param.help)))
    return made


def _braced(text: str) -> str:
    """A text as the template of a message without facts."""
    return text.replace("{", "{{").replace("}", "}}")
