"""A process for one adapter: ``python -I -S serve.py PACKAGES ADAPTER``, a question per line in, an answer per line out.

``PACKAGES``: the folder of the installed packages, the only ones that the adapter sees besides the standard library.
"""

import json
import os
import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Answer questions until the input ends.

    A question is ``{"run": FUNCTION, "record": …}``. An answer is ``{"pairs": …}``, ``{"refused": [CODE, DETAIL]}`` or
    ``{"failed": …}``.
    """
    packages, module = sys.argv[1:]
    sys.path.insert(0, packages)
    sys.path.append(str(Path(__file__).parents[1]))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # the output of an engine must not mix with the answers
    record = import_module("engine_adapters.record")
    for line in sys.stdin:
        question = json.loads(line)
        answer: dict[str, object]
        try:
            run = getattr(import_module(f"engine_adapters.{module}"), question["run"])
            answer = {"pairs": run(record.from_json(question["record"]))}
        except record.NoPairing as refusal:
            answer = {"refused": [refusal.code, refusal.detail]}
        except Exception as failure:
            answer = {"failed": f"{type(failure).__name__}: {failure}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
