"""The check that a game belongs to the ruleset, with the names that a wrong one was probably meant to be."""

from difflib import get_close_matches

from shared import regulations
from shared.core.language.messages import Message, MessageFact, say, term
from shared.core.rulebook.game_rules import RULES
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import Refusal

_SIMILAR = 0.65
"""The least similarity of two names, by `difflib`: xianqi is xiangqi, tiaoqi is not."""


def check_game(game: str, ruleset: Regulations, *, announced: bool = False) -> Refusal | None:
    """Return the refusal ``no-rules-for-the-game`` if the ruleset has no table ``game.<game>``, or None.

    Its detail names the shipped rulesets that have the game, or the nearest game. ``announced``: the game was accepted
    before, and the ruleset will be adopted for it.
    """
    if game in ruleset.game.rules:
        return None
    detail = _other_ruleset(game, ruleset) if announced else _other_game(game, ruleset)
    where = "regulations" if announced else "game"
    return Refusal("invalid", "no-rules-for-the-game", detail, where=where, see="/v1/regulations")


def _other_ruleset(game: str, ruleset: Regulations) -> Message:
    return say(
        "the ruleset {ruleset} has no rules for {game}, which is played: adopt one that has, such as {sets}",
        ruleset=ruleset.name,
        game=term(game),
        sets=rulesets_with(game),
    )


def _other_game(game: str, ruleset: Regulations) -> Message:
    facts: dict[str, MessageFact] = {"ruleset": ruleset.name, "game": term(game), "own": tuple(ruleset.game.rules)}
    sets, near = rulesets_with(game), nearest_game(game, ruleset)
    if sets:
        return say(
            "the ruleset {ruleset} has rules for {own}, not for {game}: choose one of {sets}, or set results_only",
            sets=sets,
            **facts,
        )
    if near is None:
        return say(
            "the ruleset {ruleset} has rules for {own}, not for {game}, nor has another ruleset: set results_only",
            **facts,
        )
    return say(
        "the ruleset {ruleset} has rules for {own}, not for {game}: the nearest name is {near}, a game of {sets}; for another "
        "game set results_only",
        near=near,
        sets=rulesets_with(near),
        **facts,
    )


def nearest_game(game: str, ruleset: Regulations) -> str | None:
    """Return the game with the most similar name: one of the ruleset, else any other; None if no name is similar."""
    for names in (ruleset.game.rules, RULES):
        near = get_close_matches(game, names, n=1, cutoff=_SIMILAR)
        if near:
            return near[0]
    return None


def rulesets_with(game: str) -> tuple[str, ...]:
    """Return the names of the shipped rulesets that have rules for a game."""
    return tuple(name for name in regulations.names() if game in regulations.load(name).game.rules)
