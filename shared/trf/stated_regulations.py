"""The regulations that an exported file says in a comment that it was played by."""

from shared.core.language.messages import say
from shared.core.rulebook.regulations import Regulations
from shared.trf.export_lines import STATED_REGULATIONS
from shared.trf.model.difference import Difference
from shared.trf.model.model import TrfFile


def other_regulations(trf: TrfFile, taken: Regulations) -> Difference | None:
    """Where the last such comment names another set, or the set with changes, than the one that is taken; None without."""
    stated = [record for record in trf.records if record.text.startswith(STATED_REGULATIONS)]
    title = stated[-1].text.removeprefix(STATED_REGULATIONS).strip() if stated else taken.title
    if title == taken.title:
        return None
    detail = say("it says that it was played by {stated}; {taken} is taken", stated=title, taken=taken.title)
    return Difference(stated[-1].line, len(STATED_REGULATIONS) + 1, detail)
