"""Who asks the witnesses: signs each log that has grown, has it cosigned, and keeps the cosigned note.

No command and no reader waits for it. Of several processes that share the signer's memory one asks.
"""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING

from deploy.server.keys.witness_client import SECONDS, Cosigned, WitnessAddress, WitnessError, ask
from deploy.whole_files import take_lock
from shared import structured_log
from shared.audit.checkpoints.checkpoint import parse
from shared.audit.checkpoints.signer_memory import MemoryLost, SignerMemory
from shared.core.language.messages import message_of
from shared.desk.desk import Desk, DeskError
from shared.desk.log_checkpoint import read_tree, signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.log.port import LogUnavailable

if TYPE_CHECKING:
    import httpx

LOOK_SECONDS = 5.0
_AGAIN_SECONDS = 30.0
"""How long a witness that did not answer is left alone."""


class WitnessLoop:
    """Asks these witnesses about every tournament of a desk, in a thread of its own from `start` to `end`."""

    def __init__(
        self,
        desk: Desk,
        memory: SignerMemory,
        witnesses: Sequence[WitnessAddress],
        transport: "httpx.BaseTransport | None" = None,
    ) -> None:
        self._desk, self._memory, self._witnesses = desk, memory, witnesses
        self._stop = threading.Event()
        self._rest: dict[str, float] = {}
        self._complete: dict[str, int] = {}
        """Stream → its last event, if every witness has cosigned it."""
        self._transport = transport
        self._thread = threading.Thread(target=self._run, name="witnesses", daemon=True)

    def start(self) -> None:
        if self._witnesses:
            self._thread.start()

    def end(self) -> None:
        """Stop asking; an answer that is under way is waited for no longer than it may take."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(SECONDS)

    def round(self) -> None:
        """Ask once about every log that has lines which no witness has cosigned."""
        for stream, end in self._desk.log.ends("tournaments/").items():
            if self._stop.is_set():
                return
            if self._complete.get(stream) == end:
                continue
            try:
                if self._tournament(stream.partition("/")[2]) == end:
                    self._complete[stream] = end
            except (NotSigned, MemoryLost):
                pass  # The signer has noted it: ``/readyz``, doctor and a metric name it.
            except (DeskError, LogUnavailable):
                pass  # Not at hand now; asked again in the next round.

    @cached_property
    def _client(self) -> "httpx.Client":
        """Opened by whoever asks first: to read the certificates of all authorities takes longer than to start."""
        import httpx

        return httpx.Client(timeout=SECONDS, follow_redirects=False, transport=self._transport)

    def _run(self) -> None:
        try:
            self._rounds()
        except OSError as problem:  # the folder of the memory cannot be written: nothing is signed either
            structured_log.logger().error("witnesses", why=str(problem))

    def _rounds(self) -> None:
        with self._memory.path.with_name(f"{self._memory.path.name}.asking").open("w") as lock:
            while not self._stop.is_set():
                if take_lock(lock):
                    try:
                        self.round()
                    except Exception as problem:
                        structured_log.crash("witnesses", problem)
                self._stop.wait(LOOK_SECONDS)

    def _tournament(self, t: str) -> int | None:
        """Ask the witnesses that have not cosigned a log. Return its last event if every witness has, else None."""
        view = self._desk.view(t)
        if view is None or view.state.announced is None or view.stopped is not None:
            return None
        origin, kept = view.state.origin, self._memory.cosigned(view.state.origin)
        had: set[str] = set()
        if kept is not None and kept.size == view.seq:
            had = {signature.name for signature in parse(kept.note).signatures}
        missing = [w for w in self._witnesses if w.name not in had]
        due = [w for w in missing if self._rest.get(w.name, 0.0) <= time.monotonic()]
        if not due:
            return None if missing else view.seq
        note = kept.note if kept is not None and kept.size == view.seq else signed_checkpoint(self._desk, view)
        with ThreadPoolExecutor(len(due)) as pool:
            answers = list(pool.map(partial(self._ask, t, note), due))
        lines = "".join(f"{one.signature}\n" for one in answers if one is not None)
        if lines:
            self._memory.keep_cosigned(origin, view.seq, note + lines)
        return None

    def _ask(self, t: str, note: str, address: WitnessAddress) -> Cosigned | None:
        checkpoint = parse(note)

        def proof(old: int) -> Sequence[bytes]:
            return read_tree(self._desk, t, lambda tree: tree.consistency(old, checkpoint.size))

        try:
            answer = ask(
                self._client,
                address,
                checkpoint,
                self._memory.last_cosigned_size(checkpoint.origin, str(address.witness)),
                proof,
            )
        except WitnessError as problem:
            self._rest[address.name] = time.monotonic() + _AGAIN_SECONDS
            self._memory.store_answer(address.name, message_of(problem))
            structured_log.logger().warning("witness", witness=address.name, tournament=t, why=str(problem))
            return None
        self._memory.store_cosigned_size(checkpoint.origin, str(address.witness), checkpoint.size)
        self._memory.store_answer(address.name)
        return answer
