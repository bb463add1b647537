"""The check of words: ``python -m tests.prose`` (`make check`).

``python -m tests.prose lower`` lowers the baseline (`make prose`). ``python -m tests.prose list PATH…`` prints every fault of
files and folders, also those that the baseline allows.
"""

import sys

from tests.prose.guard import (
    KINDS,
    find_docstring_faults,
    find_excess,
    find_phrase_faults,
    format_findings,
    read_baseline,
    write_baseline,
)


def main(words: list[str]) -> int:
    """Return the exit code: 1 if a file has more faults than its baseline allows, or a listed one has any."""
    if words == ["lower"]:
        write_baseline()
        return 0
    return list_faults(tuple(words[1:])) if words[:1] == ["list"] else check()


def check() -> int:
    """Print the phrases and docstrings of each file that exceeds its baseline."""
    baseline, number = read_baseline(), 0
    for kind, found in (("phrases", list(find_phrase_faults())), ("docstrings", list(find_docstring_faults()))):
        for text in format_findings(find_excess(found, baseline.get(kind, {}))):
            number += 1
            print(text)
        if (spare := sum(baseline.get(kind, {}).values()) - len(found)) > 0:
            print(f"{kind}: {spare} fewer than the baseline allows. Record it with make prose.")
    if number:
        print(
            "At least one of these is new. Rewrite it (CONTRIBUTING.md, section Words). For a moved file run make prose."
        )
    return int(bool(number))


def list_faults(paths: tuple[str, ...]) -> int:
    """Print all faults of the files that begin with one of the paths."""
    number = 0
    for kind, find in KINDS.items():
        faults = [one for one in find() if one.file.startswith(paths)]
        number += len(faults)
        print(f"{kind}: {len(faults)}", *format_findings(faults), sep="\n")
    return int(bool(number))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
