"""The bytes of a connection become requests, however they are cut, and nothing but a refusal comes of false ones."""

from gunicorn.config import Config
from hypothesis import given
from hypothesis import strategies as st

from deploy.server.front.intake import HEAD_AT_MOST, Intake
from deploy.server.front.refusals import Refused

LIMIT = 4096
PARTS = st.sampled_from([
    b"GET / HTTP/1.1\r\n", b"POST /v1/x HTTP/1.1\r\n", b"HTTP/1.0", b"Host: a\r\n", b"Content-Length: 3\r\n", b"\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Expect: 100-continue\r\n", b"3\r\nabc\r\n", b"0\r\n\r\n", b"0\r\n", b"abc", b"\n", b"\r",
    b":", b" ", b"\x00", b"\xff", b"Content-Length: 9999999\r\n", b"ffffffffffffffffff\r\n",
])  # fmt: skip
BYTES = st.one_of(st.lists(PARTS, max_size=12).map(b"".join), st.binary(max_size=300))


def read(pieces: list[bytes]) -> list[tuple[str, ...]]:
    """What a connection makes of these pieces: its requests, at last a refusal or what it waits for."""
    intake = Intake(Config(), ("192.0.2.1", 5000), LIMIT)
    seen: list[tuple[str, ...]] = []
    try:
        for piece in pieces:
            intake.feed(piece)
            while (whole := intake.next()) is not None:
                seen.append((whole.request.method, whole.request.path, whole.body.decode("latin-1")))
    except Refused as refused:
        assert refused.status in (400, 413, 414, 417, 431) and refused.response().startswith(b"HTTP/1.1 4")
        return [*seen, (str(refused.status),)]
    assert intake.held <= HEAD_AT_MOST + 2 * LIMIT
    return [*seen, (intake.phase,)]


@given(BYTES)
def test_nothing_but_requests_and_refusals_comes_of_any_bytes(sent):
    read([sent])


@given(BYTES, st.integers(1, 40))
def test_requests_are_the_same_however_they_are_cut(sent, size):
    cut = [sent[n : n + size] for n in range(0, len(sent), size)]
    whole, pieces = read([sent]), read(cut)
    # What is refused may be refused sooner; every request before it is the same.
    assert whole == pieces or (whole[-1][0].isdigit() and pieces[-1][0].isdigit() and whole[:-1] == pieces[:-1])


def test_a_chunked_body_is_given_with_its_length():
    intake = Intake(Config(), ("192.0.2.1", 5000), LIMIT)
    intake.feed(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x\r\nde\r\n0\r\nA: b\r\n\r\nGET")
    whole = intake.next()
    assert whole is not None and whole.body == whole.request.body.read() == b"abcde"
    assert whole.request.headers == [("CONTENT-LENGTH", "5")] and intake.phase == "head"
