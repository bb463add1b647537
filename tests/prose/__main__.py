"""``python -m tests.prose``: check phrases and docstrings (`make check`). ``python -m tests.prose lower``: `make prose`."""

import sys

from tests.prose.guard import (
    find_docstring_faults,
    find_excess,
    find_phrase_faults,
    format_findings,
    read_baseline,
    write_baseline,
)


def main(words: list[str]) -> int:
    """Return the exit code: 1 if a file has more faults than its baseline allows."""
    if words == ["lower"]:
        write_baseline()
        return 0
    baseline, number = read_baseline(), 0
    for kind, found in (("phrases", list(find_phrase_faults())), ("docstrings", list(find_docstring_faults()))):
        for text in format_findings(find_excess(found, baseline.get(kind, {}))):
            number += 1
            print(text)
        if (spare := sum(baseline.get(kind, {}).values()) - len(found)) > 0:
            print(f"{kind}: {spare} fewer than the baseline allows. Record it with make prose.")
    if number:
        print("Some of these lines are new. Rewrite them (CONTRIBUTING.md, section Words).")
    return int(bool(number))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
