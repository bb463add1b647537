"""The certificates of Kafka's brokers: made once, renewed in their last days, and never made in place of the operator's own."""

from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509

from deploy.server.key_shares import share
from deploy.server.keys import broker_certificates
from shared.audit.keys.key_files import BadKeys

HOSTS = ["kafka", "kafka-2", "10.0.0.3"]


@pytest.fixture
def keys(tmp_path):
    broker_certificates.make(tmp_path, HOSTS)
    return tmp_path


def contents(keys) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (keys / "kafka").iterdir()}


def certificate(keys, name: str) -> x509.Certificate:
    return x509.load_pem_x509_certificate((keys / "kafka" / name).read_bytes())


def test_each_broker_has_a_certificate_for_its_host(keys):
    authority = certificate(keys, "ca.pem")
    for name, host in zip(("kafka.pem", "kafka-2.pem", "kafka-3.pem"), HOSTS, strict=True):
        own = certificate(keys, name)
        own.verify_directly_issued_by(authority)
        assert host in str(own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
        assert own.subject.rfc4514_string() == "CN=arbiter-broker"


def test_second_start_makes_nothing_again(keys):
    before = contents(keys)
    broker_certificates.make(keys, HOSTS)
    assert contents(keys) == before


def test_certificate_is_renewed_in_its_last_days(keys, monkeypatch):
    before = contents(keys)

    class Later(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(UTC) + timedelta(days=700)

    monkeypatch.setattr(broker_certificates, "datetime", Later)
    broker_certificates.make(keys, HOSTS)
    after = contents(keys)
    assert {name for name in after if after[name] != before[name]} == {"kafka.pem", "kafka-2.pem", "kafka-3.pem"}


def test_certificates_of_another_authority_are_kept_and_shared(keys, tmp_path):
    (keys / "kafka" / "ca.key").unlink()
    own = b"the operator's key and certificate"
    (keys / "kafka" / "kafka-2.pem").write_bytes(own)
    share(keys, tmp_path / "shares", HOSTS)
    assert (tmp_path / "shares" / "kafka-2" / "broker.pem").read_bytes() == own
    (keys / "kafka" / "kafka-3.pem").unlink()
    with pytest.raises(BadKeys, match=r"kafka-3\.pem does not exist, and .*ca\.key is not there to sign it"):
        broker_certificates.make(keys, HOSTS)
