"""Files by programs that count columns in characters, bytes or cells, in many encodings: read right, or refused with a reason."""

import unicodedata

import pytest

from shared.core.language.charset import find_encoding
from shared.trf.model.columns import TrfError
from shared.trf.model.model import Entry
from shared.trf.reader import read
from shared.trf.writer import write

CHINESE = ("李文轩", "王小明", "欧阳建国", "Zhang Wei")
HAN = ("赵子龙", "陈静", "诸葛亮", "Smith,John")
CENTRAL = ("Müller,Jürgen", "Dvořák,Tomáš", "Łukasz Śliwa", "Novak,Jan")
LATIN = ("Ångström,Bo", "Çelik,Ömer", "Peña,Íñigo", "Doe,Jane")
UTF8, MARKED, UTF16 = ("utf-8", (CHINESE, CENTRAL)), ("utf-8-sig", (HAN, LATIN)), ("utf-16", (CHINESE, LATIN))
GB, CP1250 = ("gb18030", (CHINESE, HAN)), ("cp1250", (CENTRAL, ("Kovács,Béla", "Šimon,Jiří", "Żak,Ewa", "Roth,Ada")))
LATIN1 = ("iso8859-1", (LATIN, ("Müller,Änne", "Sørensen,Bjørn", "Groß,Ute", "Ñandú,Ángel")))
ENCODED = (UTF8, MARKED, UTF16, GB, CP1250, LATIN1)
TOLD = ("cp1250", "iso8859-1")
"""What no bytes tell."""
HEADS = {"16": ["012 Cup", "XXR 3", "XXC white1"], "26": ["012 Cup", "142 3", "152 W", "192 FIDE_DUTCH_2026"]}
ROUNDS = ("     2 w 1     3 b =", "     1 b 0  0000 - H", "     4 - +     1 w =", "     3 - -  0000 - U")
POINTS = ("1.5", "0.5", "1.5", "1.0")


def columns_of(text: str, counted: str, encoding: str) -> int:
    """How many columns a writer believes that a text takes; independent of the reader's own count."""
    if counted == "characters":
        return len(text)
    if counted == "cells":
        return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
    return len(text.encode("utf-8" if encoding.startswith("utf") else encoding))


def file_of(names: tuple[str, ...], counted: str, encoding: str, edition: str = "16") -> bytes:
    """Four players, two rounds, as a program writes them that counts columns so."""
    lines = list(HEADS[edition])
    for n, (name, won, played) in enumerate(zip(names, POINTS, ROUNDS, strict=True), 1):
        padded = name + " " * (33 - columns_of(name, counted, encoding))
        lines.append(f"001 {n:4d} m  g {padded} {2400 - n} GER {12345678 + n:11d} 1990/01/02 {won:>4s} {n:4d}{played}")
    return "\r\n".join([*lines, ""]).encode(encoding)


def table_of(names: tuple[str, ...]) -> list[tuple[object, ...]]:
    """Every column of `file_of`, as it was meant."""
    return [
        (n, "m", "g", name, 2400 - n, "GER", str(12345678 + n), "1990/01/02", points, str(n), played)
        for n, (name, points, played) in enumerate(zip(names, POINTS, ROUNDS, strict=True), 1)
    ]


def played(entry: Entry) -> str:
    """A round as it stands in its columns."""
    return f"  {entry.opponent or '0000':>4} {(entry.side or '-')[0]} {entry.letter}"


FILES = [
    pytest.param(encoding, counted, names, id=f"{encoding} {counted} {names[0]}")
    for encoding, both in ENCODED
    for counted in ("characters", "bytes", "cells")
    for names in both
]


@pytest.mark.parametrize(("encoding", "counted", "names"), FILES)
def test_a_file_is_read_as_its_writer_meant_it_however_it_was_counted(encoding, counted, names):
    for edition in HEADS:
        content = file_of(names, counted, encoding, edition)
        found = read(content, "cup.trf", find_encoding(encoding) if encoding in TOLD else None)
        assert [
            (p.id, p.sex, p.title, p.name, p.rating, p.federation, p.fide_id, p.birth, p.points, p.rank,
             "".join(played(entry) for entry in p.rounds if entry))
            for p in found.players
        ] == table_of(names)  # fmt: skip
        assert (found.settings.rounds, found.settings.initial_colour) == (3, "white")
        assert write(found) == content


@pytest.mark.parametrize("encoding", TOLD)
@pytest.mark.parametrize("counted", ["characters", "bytes", "cells"])
def test_what_bytes_do_not_tell_is_refused_with_the_encodings_that_it_could_be(encoding, counted):
    for names in dict(ENCODED)[encoding]:
        with pytest.raises(TrfError, match=rf"its encoding cannot be detected; it could be .*{encoding}"):
            read(file_of(names, counted, encoding), "cup.trf")


def test_another_encoding_is_refused_with_what_it_could_be_and_a_sample_of_each():
    with pytest.raises(TrfError) as refused:
        read(file_of(CENTRAL, "characters", "cp1250"), "cup.trf")
    told = str(refused.value)
    assert told.startswith("cup.trf:4:16: its encoding cannot be detected")
    assert "cp1250" in told and "Müller,Jürgen" in told and "cp1251 (001 1 m g Mьller" in told


def test_letters_of_another_alphabet_are_no_chinese():
    cyrillic = ("Иванов,Пётр", "Ли,Анна", "Чен,Олег", "Попова,Яна")
    with pytest.raises(TrfError, match="cannot be detected"):
        read(file_of(cyrillic, "characters", "cp1251"), "cup.trf")
    told = find_encoding("windows-1251")
    assert read(file_of(cyrillic, "characters", "cp1251"), "cup.trf", told).players[0].name == cyrillic[0]


def test_what_is_not_in_the_encoding_that_is_told_is_refused_by_its_byte():
    with pytest.raises(TrfError, match=r"cup\.trf:4:16: byte 0xfc is not utf-8"):
        read(file_of(CENTRAL, "characters", "cp1250"), "cup.trf", find_encoding("utf-8"))


def test_two_ways_of_counting_that_read_it_otherwise_are_refused():
    line = "001    1      李文轩" + " " * 27 + " 2210"
    assert read(line.encode(), "one.trf").players[0].rating == 2210, "no name has so many blanks in it"
    both = "001    1      " + "李" * 16 + "A 2210"
    with pytest.raises(
        TrfError, match=r"its columns are ambiguous: '.*A 2210' \(in characters\) or '.*A 2210' \(in cells\)"
    ):
        read(both.encode(), "two.trf")


def test_columns_that_are_right_in_no_way_are_refused_with_what_stands_where():
    line = file_of(CHINESE, "characters", "utf-8").decode().replace("李文轩", "李文轩 轩")
    with pytest.raises(
        TrfError, match=r"cup\.trf:4:\d+: its columns fit no known layout: counted in characters, line 4"
    ):
        read(line.encode(), "cup.trf")


def test_a_name_that_runs_over_its_columns_is_not_cut():
    line = "001    1      " + "A" * 34 + " 2210"
    with pytest.raises(TrfError, match=r"long\.trf:1:48: 'A' is in a column that must be blank"):
        read(line.encode(), "long.trf")


@pytest.mark.parametrize("counted", ["characters", "bytes", "cells"])
def test_names_of_teams_are_counted_as_those_of_players(counted):
    name = "红队"
    teams = "".join(
        f"013 {name + str(n)}{' ' * (32 - columns_of(name, counted, 'utf-8') - 1)}{a:4d} {b:4d}\n"
        for n, a, b in ((1, 1, 2), (2, 3, 4))
    )
    found = read(file_of(CHINESE, counted, "utf-8") + teams.encode(), "teams.trf")
    assert [(t.name, t.members) for t in found.settings.teams] == [("红队1", (1, 2)), ("红队2", (3, 4))]


def test_accents_that_stand_beside_their_letters_take_no_cell():
    apart = unicodedata.normalize("NFD", "Müller,Jürgen")
    content = (
        file_of(("Müller,Jürgen", *CENTRAL[1:]), "cells", "utf-8").decode().replace("Müller,Jürgen", apart).encode()
    )
    found = read(content, "apart.trf")
    assert (found.measure, found.players[0].name, found.players[0].rating) == ("cells", apart, 2399)


def test_both_kinds_of_line_ends_are_kept():
    content = file_of(CENTRAL, "characters", "utf-8").replace(b"XXR 3\r\n", b"XXR 3\n")
    assert write(read(content, "both.trf")) == content and read(content, "both.trf").settings.rounds == 3


def test_utf16_without_its_mark_is_no_text():
    with pytest.raises(TrfError, match="NUL"):
        read("012 Cup\n".encode("utf-16-le"), "cup.trf")
