"""A model of Kafka: topics with partitions, and the three clients as far as `shared.log` uses kafka-python's.

A record reaches its partition after a random time, at most once from an idempotent producer. Its acknowledgement may be
lost. A restart of the cluster may take back the last records of a partition, as a disk does that lost what was not flushed.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any, NamedTuple

from kafka import TopicPartition
from kafka.errors import KafkaConnectionError, KafkaTimeoutError, OffsetOutOfRangeError, OutOfOrderSequenceNumberError

from shared.log.kafka import consumer as product
from shared.log.kafka.broker import TOPICS, Broker
from shared.log.kafka.topics import count_of, settings
from tests.simulation.scheduler import Process, current

PARTITIONS = 2
SETTINGS = Broker("model", partitions=PARTITIONS)
_BLOCK_SECONDS = 1.0
"""How long a client tries before it reports that no broker answers. The real limits are longer, at the same ratio."""


class Record(NamedTuple):
    """A record as a consumer returns it. ``number``: its place among all records of the cluster."""

    topic: str
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]
    number: int
    writer: tuple[int, int] | None
    """The producer, and its sequence number in this partition."""


@dataclass
class Partition:
    """The records of a partition, and the last sequence number of each producer."""

    records: list[Record] = field(default_factory=list)
    last: dict[int, int] = field(default_factory=dict)


class Cluster:
    """The one cluster of a history."""

    def __init__(self, topics: "Mapping[str, tuple[str, list[Partition]]] | None" = None, numbers: int = 0) -> None:
        self.topics: dict[str, tuple[str, list[Partition]]] = dict(topics or {})
        self.up, self.epoch = True, 0
        """``epoch`` grows with each restart: every client must connect again then."""
        self.loses_answers = 0.0
        """The share of acknowledgements that are lost."""
        self.numbers = count(numbers)
        self.ids = count(1)
        self.appended: deque[Any] = deque()
        self.groups: dict[str, Group] = {}
        self.all: list[Record] = []
        """All records that were ever appended, also those lost since."""

    def create(self, topic: str, partitions: int) -> None:
        self.topics[topic] = (f"{topic}#{next(self.ids)}", [Partition() for _ in range(partitions)])

    def copy(self) -> "Cluster":
        """Return a cluster with the same records."""
        topics = {
            name: (id, [Partition(list(p.records), dict(p.last)) for p in parts])
            for name, (id, parts) in self.topics.items()
        }
        new = Cluster(topics, len(self.all))
        new.ids, new.all = count(100), list(self.all)
        new.groups = {name: Group(group.generation) for name, group in self.groups.items()}
        return new

    def at(self, place: TopicPartition) -> Partition | None:
        """Return a partition, or None if it does not exist."""
        topic = self.topics.get(place.topic)
        return topic[1][place.partition] if topic and place.partition < len(topic[1]) else None

    def reaches(self, process: Process) -> bool:
        return self.up and not process.cut

    def append(self, place: TopicPartition, flying: "_Flying", producer: int) -> int:
        """Append a record and return its offset."""
        partition = self.at(place)
        assert partition is not None
        offset, writer = len(partition.records), (producer, flying.sequence)
        content = flying.key, flying.value, list(flying.headers)
        record = Record(place.topic, place.partition, offset, *content, next(self.numbers), writer)
        partition.records.append(record)
        partition.last[producer] = flying.sequence
        self.all.append(record)
        current().notify(self.appended)
        return offset

    def stop(self) -> None:
        self.up = False
        current().note("the broker stops")

    def start(self, lost: Mapping[TopicPartition, int]) -> None:
        """Start again without the last records of these partitions, as many as stated."""
        for place, number in lost.items():
            partition = self.at(place)
            if partition is not None and number:
                del partition.records[-number:]
                partition.last = dict(record.writer for record in partition.records if record.writer)
        self.up, self.epoch = True, self.epoch + 1
        current().note(f"the broker starts{''.join(f', lost {n} of {p.topic}/{p.partition}' for p, n in lost.items())}")
        current().notify(self.appended)


CLUSTER: Cluster


def use(cluster: Cluster) -> Cluster:
    """Make this the cluster that every client connects to."""
    global CLUSTER  # noqa: PLW0603  the clients that the product opens find it here
    CLUSTER = cluster
    return cluster


class _Client:
    """A connection of the current process."""

    def __init__(self, **options: Any) -> None:
        task = current().task
        assert task is not None
        self.process, self.options, self.closed = task.process, options, False
        self.made, self._epoch, self._was_cut = 1, CLUSTER.epoch, False
        self._reach(_BLOCK_SECONDS)

    def _reach(self, seconds: float) -> None:
        """Wait until the cluster answers. Raises KafkaConnectionError."""
        scheduler, until = current(), current().now + seconds
        scheduler.pause()
        while not CLUSTER.reaches(self.process):
            self._was_cut = True
            if scheduler.now >= until:
                raise KafkaConnectionError("the broker does not answer")
            scheduler.wait(min(0.2, seconds))
        self._connected()

    def _connected(self) -> None:
        if self._was_cut or self._epoch != CLUSTER.epoch:
            self.made += 1
            self._was_cut, self._epoch = False, CLUSTER.epoch

    def close(self, *_: object, **__: object) -> None:
        self.closed = True


class Group:
    """A consumer group: its members, its generation, and the partitions that each member was assigned (range)."""

    def __init__(self, generation: int = 0) -> None:
        self.generation = generation
        self.members: list[ModelConsumer] = []
        self._known: list[ModelConsumer] = []
        self._assigned: dict[ModelConsumer, list[TopicPartition]] = {}

    def assigned(self, member: "ModelConsumer", topics: Sequence[str]) -> list[TopicPartition]:
        """Note a sign of life of a member, and return its partitions. They are shared again if the members have changed."""
        member.heard = current().now
        silent = member.heard - member.options["session_timeout_ms"] / 1000
        present = [one for one in self.members if not one.closed and one.heard >= silent]
        if present != self._known:
            self.generation, self._known = self.generation + 1, present
            self.members = list(present)
            self._assigned = {one: [] for one in present}
            for topic in topics:
                for n in range(total := len(CLUSTER.topics[topic][1])):
                    owner = present[n * len(present) // total]
                    self._assigned[owner].append(TopicPartition(topic, n))
            current().note(f"{member.options['group_id']} has {len(present)} members", _CLUSTER_PROCESS)
        return self._assigned.get(member, [])


_CLUSTER_PROCESS = Process("broker")


class ModelConsumer(_Client):
    """`kafka.KafkaConsumer`: with positions of its own, or as a member of a group that only hears what it is assigned."""

    def __init__(self, **options: Any) -> None:
        self._at: dict[TopicPartition, int] = {}
        self._topics: list[str] = []
        self._listener: Any = None
        self._generation, self.heard = -1, 0.0
        super().__init__(**options)

    def subscribe(self, topics: Sequence[str], listener: Any) -> None:
        self._topics, self._listener = list(topics), listener
        group = CLUSTER.groups.setdefault(self.options["group_id"], Group())
        self.heard = current().now
        group.members.append(self)

    def group_metadata(self) -> Any:
        return SimpleNamespace(generation_id=self._generation)

    def assignment(self) -> set[TopicPartition]:
        return set(self._at)

    def pause(self, *_: TopicPartition) -> None:
        """Nothing is fetched for a member of a group."""

    def commit_async(self, _offsets: Any) -> None:
        """Only Kafka's tools read committed offsets."""

    def _poll_group(self, seconds: float) -> dict[TopicPartition, list[Record]]:
        group = CLUSTER.groups.setdefault(self.options["group_id"], Group())
        if CLUSTER.reaches(self.process):
            if self not in group.members:
                group.members.append(self)
            mine = group.assigned(self, self._topics)
            if group.generation != self._generation:
                self._generation = group.generation
                self._listener.on_partitions_revoked(list(self._at))
                self._at = dict.fromkeys(mine, 0)
                self._listener.on_partitions_assigned(mine)
        current().wait(seconds)
        return {}

    def metrics(self, raw: bool = False) -> dict[Any, Any]:
        class _Made:
            value = staticmethod(lambda: self.made)

        return {product._CONNECTIONS: _Made}

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        self._reach(_BLOCK_SECONDS)
        return set(range(len(CLUSTER.topics[topic][1]))) if topic in CLUSTER.topics else None

    def end_offsets(self, places: Collection[TopicPartition], timeout_ms: int = 0) -> dict[TopicPartition, int]:
        return self._offsets(places, lambda partition: len(partition.records))

    def beginning_offsets(self, places: Collection[TopicPartition], timeout_ms: int = 0) -> dict[TopicPartition, int]:
        return self._offsets(places, lambda partition: 0)

    def _offsets(self, places: Collection[TopicPartition], of: Callable[[Partition], int]) -> dict[TopicPartition, int]:
        self._reach(_BLOCK_SECONDS)
        found = {}
        for place in places:
            partition = CLUSTER.at(place)
            if partition is None:
                raise KeyError(place)
            found[place] = of(partition)
        return found

    def assign(self, places: Sequence[TopicPartition]) -> None:
        self._at = {place: self._at.get(place, 0) for place in places}

    def seek(self, place: TopicPartition, offset: int) -> None:
        self._at[place] = offset

    def position(self, place: TopicPartition) -> int:
        return self._at[place]

    def poll(self, timeout_ms: int = 0, max_records: int = 500) -> dict[TopicPartition, list[Record]]:
        """Return some of the next records, of some of the partitions."""
        if self._listener is not None:
            return self._poll_group(timeout_ms / 1000)
        scheduler, until = current(), current().now + timeout_ms / 1000
        scheduler.pause()
        while True:
            if CLUSTER.reaches(self.process):
                self._connected()
                if found := self._fetch():
                    return found
            else:
                self._was_cut = True
            if scheduler.now >= until or not scheduler.wait(until - scheduler.now, CLUSTER.appended):
                return {}

    def _fetch(self) -> dict[TopicPartition, list[Record]]:
        rng, found = current().rng, {}
        behind = [place for place in self._at if self._left(place)]
        for place in rng.sample(behind, rng.randint(1, len(behind))) if behind else ():
            at = self._at[place]
            found[place] = self._left(place)[: rng.randint(1, 8)]
            self._at[place] = at + len(found[place])
        return found

    def _left(self, place: TopicPartition) -> list[Record]:
        partition = CLUSTER.at(place)
        if partition is None:
            return []
        if self._at[place] > len(partition.records):
            raise OffsetOutOfRangeError({place: self._at[place]})
        return partition.records[self._at[place] :]


class Future:
    """The future of a record that was sent."""

    def __init__(self) -> None:
        self.is_done, self.exception, self.value = False, None, None
        self._waiters: deque[Any] = deque()

    def settle(self, value: Any = None, exception: BaseException | None = None) -> None:
        if not self.is_done:
            self.is_done, self.value, self.exception = True, value, exception
            current().notify(self._waiters)

    def get(self, timeout: float | None = None) -> Any:
        if not self.is_done and not current().wait(timeout, self._waiters):
            raise KafkaTimeoutError("no answer in time")
        if self.exception is not None:
            raise self.exception
        return self.value


class Metadata(NamedTuple):
    topic_partition: TopicPartition
    offset: int


@dataclass
class _Flying:
    """A record that a producer has, and its sequence number in its partition."""

    key: bytes | None
    value: bytes | None
    headers: Any
    future: Future
    sequence: int
    since: float


class ModelProducer(_Client):
    """`kafka.KafkaProducer`. Without ``enable_idempotence``, a record that is sent again comes after later ones."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.id = current().rng.getrandbits(62)
        self._queues: dict[TopicPartition, deque[_Flying]] = {}
        self._sequences: dict[TopicPartition, int] = {}
        self._idempotent = bool(options.get("enable_idempotence", True))
        self._seconds = options.get("delivery_timeout_ms", 120_000) / 1000

    def hand_over(self, place: TopicPartition, key: bytes, value: bytes | None, headers: Any) -> Future:
        """`shared.log.kafka.producer.Producer.hand_over`."""
        if self.process.dead or self.closed:
            return Future()
        future, queue = Future(), self._queues.setdefault(place, deque())
        sequence = self._sequences[place] = self._sequences.get(place, -1) + 1
        queue.append(_Flying(key, value, headers, future, sequence, current().now))
        if len(queue) == 1:
            self._later(place)
        return future

    def send(self, topic: str, *, key: bytes, value: bytes, partition: int, headers: Any) -> Future:
        return self.hand_over(TopicPartition(topic, partition), key, value, headers)

    def _later(self, place: TopicPartition) -> None:
        rng = current().rng
        slow = rng.random() < 0.05
        current().later(rng.random() * (0.3 if slow else 0.004), lambda: self._deliver(place))

    def _deliver(self, place: TopicPartition) -> None:
        """Let the first records of a partition arrive, or try again later."""
        queue, scheduler = self._queues[place], current()
        if not queue:
            return
        rng = scheduler.rng
        gone = self.process.dead or self.closed
        if gone and rng.random() < 0.5:
            queue.clear()  # the rest was not sent before the process ended
            return
        if not CLUSTER.reaches(self.process):
            if gone:
                queue.clear()
            elif scheduler.now - queue[0].since > self._seconds:
                self._fail(queue, KafkaTimeoutError("not delivered in time"))
            else:
                scheduler.later(0.1, lambda: self._deliver(place))
            return
        partition = CLUSTER.at(place)
        if partition is None:
            scheduler.later(0.1, lambda: self._deliver(place))
            return
        again = self._arrive(place, partition, queue, rng)
        if not self._idempotent:
            queue.extend(again)  # they come after those that were sent meanwhile
        if queue:
            self._later(place)

    @staticmethod
    def _fail(queue: deque[_Flying], problem: Exception) -> None:
        for flying in list(queue):
            flying.future.settle(exception=problem)
        queue.clear()

    def _arrive(self, place: TopicPartition, partition: Partition, queue: deque[_Flying], rng: Any) -> list[_Flying]:
        again = []
        for _ in range(rng.randint(1, len(queue))):
            flying = queue[0]
            last = partition.last.get(self.id, -1)
            known = self._idempotent and flying.sequence <= last
            unanswered = rng.random() < CLUSTER.loses_answers
            if not self._idempotent and unanswered:
                again.append(queue.popleft())  # lost on its way, and sent again
                continue
            offset = -1
            if self._idempotent and flying.sequence > last + 1:
                self._fail(queue, OutOfOrderSequenceNumberError("a record before it is gone"))
                break
            if not known:
                offset = CLUSTER.append(place, flying, self.id)
            if unanswered:
                break
            queue.popleft()
            if not self.process.dead:
                flying.future.settle(Metadata(place, offset))
        return again

    def flush(self, timeout: float | None = None) -> None:
        for queue in list(self._queues.values()):
            for flying in list(queue):
                flying.future.get(timeout)


class ModelAdmin(_Client):
    """`kafka.admin.KafkaAdminClient`."""

    def list_topics(self) -> list[str]:
        self._reach(_BLOCK_SECONDS)
        return list(CLUSTER.topics)

    def describe_topics(self, names: Sequence[str]) -> list[dict[str, Any]]:
        self._reach(_BLOCK_SECONDS)
        return [
            {"name": name, "topic_id": CLUSTER.topics[name][0], "partitions": [{"replica_nodes": [1]}] * len(parts)}
            for name in names
            if name in CLUSTER.topics
            for parts in (CLUSTER.topics[name][1],)
        ]

    def describe_configs(self, resources: Sequence[Any], config_filter: str = "") -> dict[str, Any]:
        topic = resources[0].name
        return {"topic": {topic: {name: {"value": value} for name, value in settings(SETTINGS, topic).items()}}}

    def create_topics(self, wanted: Mapping[str, Any], wait_for_metadata: bool = False) -> None:
        for topic, described in wanted.items():
            CLUSTER.create(topic, described["num_partitions"])

    def delete_topics(self, names: Sequence[str]) -> None:
        for name in names:
            CLUSTER.topics.pop(name, None)


def empty_cluster() -> Cluster:
    """Return a cluster with the product's topics."""
    made = Cluster()
    for topic in TOPICS:
        made.create(topic, count_of(SETTINGS, topic))
    return made
