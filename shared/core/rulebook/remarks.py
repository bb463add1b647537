"""The printed words of remarks in rulesets.

A log contains the articles and remarks of the ruleset that was adopted, covered by its digest. Such a remark never changes.
`remarks.toml` maps it to the words that are printed instead.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def _printed() -> Mapping[str, str]:
    printed: Mapping[str, str] = tomllib.loads(files(__package__).joinpath("remarks.toml").read_text(encoding="utf-8"))[
        "remarks"
    ]
    return printed


def printed_remark(remark: str) -> str:
    """Return the printed words of a remark: itself, unless `remarks.toml` has other words.

    Both texts have a placeholder for each citation.
    """
    return _printed().get(remark, remark)
