"""Who sends webhooks: each line of a tournament to those who asked for it, in its order, until they have taken it.

One process of a group sends, one message at a time to an address. A line counts as sent when its answer has come and that is
stored: who falls in between sends it again, with the same ``webhook-id``. No command and no reader waits for it.
"""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from deploy.server.webhooks.webhook_client import Message, Unsent, WebhookClient
from deploy.whole_files import take_lock
from shared import structured_log
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.log.port import Cursor, LogFull, LogUnavailable, Row, moved
from shared.log.webhooks import Webhook

RETRIES = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds between one try and the next, as Standard Webhooks advises; after the last it stops."""
LOOK_SECONDS = 1.0
"""How often is looked for lines of another process of the same folder, and for what is due, while there are webhooks."""
IDLE_SECONDS = 10.0
"""How often for webhooks that another process registered, while there are none; of this one's, and over PostgreSQL, it is
woken at once."""
_AT_ONCE = 100
"""Lines of one tournament until the next has its turn."""
_RECEIVERS = 8
_TURN_SECONDS = 30.0
"""How long one is served while others wait; who was served longest ago is next."""
_TAIL_AT_ONCE = 1000
_GRACE_SECONDS = 2.0


class _Line(msgspec.Struct):
    """What of a line stands in its message."""

    id: str
    type: str
    time: str


_LINE = msgspec.json.Decoder(_Line)


def message_of(t: str, row: Row) -> Message:
    """The message that a line is: ``type`` and ``timestamp`` are the event's, ``data`` its place and its bytes."""
    line = _LINE.decode(row.line)
    data = {"tournament": t, "seq": row.seq, "event": msgspec.Raw(row.line)}
    return Message(line.id, msgspec.json.encode({"type": line.type, "timestamp": line.time, "data": data}))


class WebhookSender:
    """Sends what a desk's log holds, in threads of its own from `start` to `end`, while ``mine`` says that this process is to."""

    def __init__(
        self,
        desk: Desk,
        client: WebhookClient,
        mine: Callable[[], bool],
        retries: Sequence[float] = RETRIES,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._desk, self._kept, self._client, self._mine = desk, desk.log.webhooks, client, mine
        self._retries, self._now = retries, now
        self._stop, self._news = threading.Event(), threading.Event()
        self._any = False  # as it was looked last; new webhooks are told of
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        self._served: dict[str, float] = {}  # webhook -> when its last turn ended
        self._open: dict[str, set[str]] = {}  # webhook -> tournaments in which it may have lines to send
        self._read: Cursor | None = None
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)

    def start(self) -> None:
        self._desk.watch(self._grew)
        self._desk.log.subscribe(self._grew)
        self._kept.watch(self._news.set)
        self._thread.start()

    def end(self) -> None:
        """Stop sending. A message whose answer comes later is sent again by whoever sends next."""
        self._stop.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(_GRACE_SECONDS)

    def _grew(self) -> None:
        """New lines are news to who has somebody to send them to."""
        if self._any:
            self._news.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._news.clear()
            wait = LOOK_SECONDS
            try:
                if not (self._mine() and self._round()):
                    wait = IDLE_SECONDS
            except (LogFull, LogUnavailable):
                pass  # Not at hand now; looked at again in the next round.
            except Exception as problem:
                structured_log.crash("webhooks", problem)
            self._news.wait(wait)

    def _round(self) -> bool:
        """Have each address served that is free and due, and has lines to be sent. Whether there are any."""
        hooks = self._kept.every()
        self._any = bool(hooks)
        if not hooks:
            self._read = None
            self._open.clear()
            return False
        grown = self._grown()
        for hook in sorted(hooks, key=lambda hook: self._served.get(hook.id, 0.0)):
            if hook.id not in self._open:
                found = {hook.tournament} if hook.tournament else self._tournaments()
            else:
                found = {t for t in grown if hook.tournament in ("", t)}
            with self._lock:
                waiting = self._open.setdefault(hook.id, set())
                waiting |= found
                if hook.id in self._busy or self._rests(hook) or not waiting or len(self._busy) >= _RECEIVERS:
                    continue
                self._busy.add(hook.id)
            threading.Thread(target=self._serve, args=(hook.id,), name="webhook", daemon=True).start()
        for removed in self._open.keys() - {hook.id for hook in hooks}:
            del self._open[removed]
            self._served.pop(removed, None)
        return True

    def _rests(self, hook: Webhook) -> bool:
        return bool(hook.stopped) or hook.due > self._now()

    def _grown(self) -> set[str]:
        """Tournaments with new lines since it was asked last."""
        if self._read is None:
            self._read = self._desk.log.end()
        grown: set[str] = set()
        while rows := self._desk.log.tail(self._read, _TAIL_AT_ONCE):
            self._read = moved(self._read, rows)
            grown |= {row.stream.partition("/")[2] for row in rows}
        return grown

    def _tournaments(self) -> set[str]:
        return {stream.partition("/")[2] for stream in self._desk.streams("tournaments/")}

    def _serve(self, id: str) -> None:
        """A turn of one webhook, which is read again: what was read before its turn may be of the turn before."""
        try:
            for hook in self._kept.every():
                if hook.id == id and not self._rests(hook):
                    self._send_all(hook)
        except (LogFull, LogUnavailable) as problem:
            structured_log.logger().warning("webhook", webhook=id, why=str(problem))
        except Exception as problem:
            structured_log.crash("webhook", problem, webhook=id)
        finally:
            with self._lock:
                self._busy.discard(id)
                self._served[id] = time.monotonic()
                more = bool(self._open.get(id))
            if more:
                self._news.set()

    def _send_all(self, hook: Webhook) -> None:
        """Send what is there, the tournament that failed first; what is left stays open."""
        sent, end = self._kept.sent(hook.id), time.monotonic() + _TURN_SECONDS
        with self._lock:
            waiting = sorted(self._open.get(hook.id, ()), key=lambda t: (t != hook.failing, t))
        for t in waiting:
            self._mark(hook, t, open=False)  # before it is read: a line that comes now opens it again
            try:
                done = self._send_tournament(hook, t, sent.get(t, 0), end)
            except BaseException:
                self._mark(hook, t, open=True)
                raise
            if done is not None:
                self._mark(hook, t, open=True)
            if done is False:
                return

    def _mark(self, hook: Webhook, t: str, *, open: bool) -> None:
        with self._lock:
            waiting = self._open.get(hook.id, set())
            waiting.add(t) if open else waiting.discard(t)

    def _send_tournament(self, hook: Webhook, t: str, after: int, end: float) -> bool | None:
        """None: to its end; True: there may be more lines; False: nothing more is to be sent now, or in this turn."""
        rows = self._desk.lines(stream_of(t), after, after + _AT_ONCE)
        for seq, row in enumerate(rows, after + 1):
            if row.seq != seq:
                return None  # Behind a line that is missing nothing is known; doctor names it.
            if self._stop.is_set() or not self._send(hook, t, row) or time.monotonic() > end:
                return False
        return True if len(rows) == _AT_ONCE else None

    def _send(self, hook: Webhook, t: str, row: Row) -> bool:
        """Whether the line was taken, and its webhook is still there."""
        try:
            self._client.send(hook.url, hook.secret, message_of(t, row))
        except Unsent as problem:
            self._failed(hook, t, row.seq, problem)
            return False
        return self._kept.taken(hook.id, t, row.seq)

    def _failed(self, hook: Webhook, t: str, seq: int, problem: Unsent) -> None:
        tries = hook.tries + 1 if (hook.failing, hook.seq) == (t, seq) else 1
        over = problem.gone or tries > len(self._retries)
        due = 0 if over else int(self._now() + self._retries[tries - 1])
        self._kept.failed(hook._replace(tries=tries, due=due, failing=t, seq=seq, why=str(problem), stopped=int(over)))
        structured_log.logger().warning(
            "webhook-failed", webhook=hook.id, tournament=t, seq=seq, tries=tries, stopped=over, why=str(problem)
        )


class FolderLock:
    """Whether this process is the one of a folder that sends; who holds it keeps it until it ends."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w")

    def __call__(self) -> bool:
        return take_lock(self._file)
