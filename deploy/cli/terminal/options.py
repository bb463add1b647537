"""Options that several verbs take."""

from pathlib import Path

import click

from deploy.failure import Failure
from shared.core.language.charset import ENCODINGS, find_encoding
from shared.core.language.messages import say


def _encoding(_: click.Context, __: click.Parameter, name: str | None) -> str | None:
    if name is not None and find_encoding(name) is None:
        raise Failure(say("unknown encoding {name}; available: {names}", name=repr(name), names=tuple(ENCODINGS)))
    return name


data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=None, help="Data folder (default: ARBITER_DATA, or ./data)."
)

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")

url_option = click.option("--url", help="URL of a running server, instead of a data folder.")

token_option = click.option("--token", envvar="ARBITER_TOKEN", help="Token for --url (default: ARBITER_TOKEN).")

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")

tiebreaks_option = click.option(
    "--tiebreaks", metavar="LIST", help="Tie-breaks in their order, after points (for example BH/C1,BH)."
)

encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    callback=_encoding,
    help="Character encoding, if it cannot be detected (for example cp1250).",
)
