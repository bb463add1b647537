"""Decisions on games that cannot continue and for which no player is accused, such as a board scattered by an outsider."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import DecideGame
from services.penalties.rules.game_lookup import game_of
from shared.core.events import Decision, Effect, RulingMade
from shared.core.language.messages import either, say, term
from shared.core.rulebook.regulations import InfractionRule, Points
from shared.core.state.outcomes import NOTATION, mark_of
from shared.core.state.tournament import Tournament
from shared.core.terms import Mark, Refusal


def decide_game(t: Tournament, c: DecideGame) -> Decision | Refusal:
    """Decide a game by a ruling on no player, with a result that the article leaves to the chief arbiter.

    An example is 000-A 围棋, 行棋 3: 和棋 or 双方均负. Like every ruling it takes precedence over reported results. Refusals:
    those of `game_of` and `_refuse_undecidable`, ``reason-missing``, ``game-decided`` by a ruling in force,
    ``result-not-allowed``.
    """
    game = game_of(t, c.game)
    if isinstance(game, Refusal):
        return game
    row = rulebook.infraction_rule(t, c.infraction)
    if row is None or not row.results:
        return _refuse_undecidable(t, c, row)
    if c.reason is None:
        return Refusal("invalid", "reason-missing", say("a decision requires a reason"), row.article, "reason")
    first = t.ruling_on(game)
    if first is not None:
        see = f"/v1/tournaments/{t.id}/rulings/{first.event.ruling}"
        detail = say(
            "{game} is decided by ruling {ruling}; annul that ruling before you decide the game again",
            game=game.game,
            ruling=first.event.ruling,
        )
        return Refusal("rule", "game-decided", detail, first.event.article, "game", see)
    points = t.regulations.points
    white, black = (one if isinstance(one, Mark) else mark_of(points, one) for one in (c.white, c.black))
    if (white, black) not in [_marks(points, result) for result in row.results]:
        detail = say(
            "the result must be {results}, the only ones that {article} leaves to the chief arbiter",
            article=row.article,
            results=either(row.results),
        )
        return Refusal("rule", "result-not-allowed", detail, row.article, "result")
    effect = Effect("set_marks", white=white, black=black)
    ruling = rulebook.next_ruling(t)
    decided = RulingMade(ruling, None, game.round, row.name, row.article, effect, game=game.game, note=c.reason)
    return Decision(events=(decided,))


def _marks(points: Points, result: str) -> tuple[Mark, Mark]:
    white, black = NOTATION[result]
    return mark_of(points, white), mark_of(points, black)


def _refuse_undecidable(t: Tournament, c: DecideGame, row: InfractionRule | None) -> Refusal:
    """Return why that infraction does not decide games, with the infractions that do.

    Refusals: ``unknown-infraction``, ``accuses-a-player``.
    """
    book, see = t.regulations.rulebook, f"/v1/tournaments/{t.id}/rulebook"
    some = [f"{one.name} ({one.article})" for one in book.decisive(t.announced.game)]
    there = (
        say("a game is decided without an accused by {articles}", articles=either(some))
        if some
        else say(
            "the ruleset {book} has no article that decides a game of {game} without an accused player",
            book=book.name,
            game=term(t.announced.game),
        )
    )
    if row is None:
        detail = say(
            "the rulebook {name} has no infraction {infraction}; {there}",
            name=book.name,
            infraction=repr(c.infraction[:60]),
            there=there,
        )
        return Refusal("invalid", "unknown-infraction", detail, where="infraction", see=see)
    detail = say("{name} accuses a player: make a ruling on that player; {there}", name=row.name, there=there)
    return Refusal("rule", "accuses-a-player", detail, row.article, "infraction", f"/v1/tournaments/{t.id}/rulings")
