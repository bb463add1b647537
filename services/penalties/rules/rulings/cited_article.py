"""The article that an official cites: the log stores it permanently, so it is one of the ruleset."""

from shared.core.language.messages import say
from shared.core.rulebook.articles import is_cited_in
from shared.core.state.tournament import Tournament
from shared.core.terms import BOUNDED_OFFICES, Refusal


def refuse_article(t: Tournament, article: str | None) -> Refusal | None:
    """Return the refusal ``unknown-article`` if the ruleset does not have the article, or None.

    It is always None before the third edition of offices.
    """
    if article is None or t.offices < BOUNDED_OFFICES or is_cited_in(t.regulations, article):
        return None
    detail = say(
        "{article} is not an article of the ruleset {name}: cite one of its articles, and put other text into the note",
        article=ascii(article[:60]),
        name=t.regulations.name,
    )
    return Refusal("invalid", "unknown-article", detail, where="article", see=f"/v1/tournaments/{t.id}/rulebook")
