"""Addresses however people and archives write them: one author has one spelling."""

import time

import pytest

from dplda.corpus.addresses import addresses_in
from dplda.corpus.persons import author_named
from dplda.corpus.remarks import Remark

ANN = "ann@x.test"


@pytest.mark.parametrize(
    "written_address",
    [
        "ann at x.test (Ann Example)",
        "ann at x.test (Ann (at home) Example)",
        "ann  AT  x.test",
        "ann at\n x.test",
        "Ann <ann at x.test>",
        "ann(a)x.test",
        "ann (at) x (dot) test",
        "ann [at] x [dot] test",
        "ann at x dot test",
        "ann_at_x.test",
        "ann -at- x.test",
        "ann&#64;x.test",
        "ann＠x.test",
        "ann @ x.test",
        "Ann Example ann at x.test",
    ],
)
def test_disguised_address_is_the_plain_one(written_address) -> None:
    assert addresses_in(written_address) == [ANN]


@pytest.mark.parametrize(
    "written_address",
    [
        "Ann at Home <ann@x.test>",
        '"bob@y.test" <ann@x.test>',
        "ann@x.test (Ann, ann@home.test)",
        "Ann [ann@x.test]",
        "mailto:ann@x.test",
        "Ann <ann@x.test",
        "=?utf-8?q?Doe=2C_bob@y.test?= <ann@x.test>",
        'Ann "A" Example <ANN@X.test>',
        "ann@x.test <ann@x.test>",
        "Example, Ann <ann@x.test>",
    ],
)
def test_name_beside_an_address_does_not_count(written_address) -> None:
    assert addresses_in(written_address) == [ANN]


@pytest.mark.parametrize(
    "written_address",
    [
        "Ann Example",
        "Meet me at noon in town",
        "Head nurse at St. Mary's",
        "undisclosed-recipients:;",
        "<>",
        "",
    ],
)
def test_plain_name_holds_no_address(written_address) -> None:
    assert addresses_in(written_address) == []


@pytest.mark.parametrize(
    "written_address",
    [
        "ann@x.test, Bob <bob@y.test>",
        "Ann <ann@x.test>; bob@y.test",
        "ann@x.test bob@y.test",
        "ann at x.test, bob at y.test",
    ],
)
def test_first_of_several_authors_counts_with_a_remark(written_address) -> None:
    assert addresses_in(written_address) == [ANN, "bob@y.test"]
    assert author_named(written_address) == (ANN, Remark.SEVERAL_AUTHORS, True)


@pytest.mark.parametrize(
    "number", ["101.0", "0101", "101,00", "1.01e+02", "1.01E2", "+101", "101."]
)
def test_number_written_otherwise_is_the_same_person(number) -> None:
    assert author_named(number) == ("101", Remark.NUMBER_REWRITTEN, False)


def test_invisible_characters_in_an_address_do_not_count() -> None:
    for written_address in ("ann\u200b at x.test", "an\ufe0fn@x.test", "ann@x\u2060.test"):
        assert author_named(written_address).name == ANN


def test_digits_alone_need_no_remark() -> None:
    assert author_named(" 101 ") == ("101", None, False)


@pytest.mark.parametrize("number", ["1,234", "1 234", "1.234", "1'234", "1’234", "1.234E+03"])
def test_number_with_marked_thousands_is_the_same_person(number) -> None:
    assert author_named(number).name == "1234"


@pytest.mark.parametrize("number", ["'101", '="101"', "“101”", "١٠١", "१०१", "101"])
def test_number_as_spreadsheets_keep_it_text_is_the_same_person(number) -> None:
    assert author_named(number).name == "101"


@pytest.mark.parametrize("number", ["1.23457E+11", "1,23457e+11", "1.234567890123457e+17"])
def test_number_that_a_spreadsheet_shortened_is_said(number) -> None:
    assert author_named(number).remark is Remark.NUMBER_SHORTENED


@pytest.mark.parametrize(
    "spellings",
    [
        ("O'Neil", "O’Neil", "O‘Neil", "O´Neil", "O`Neil", "OʼNeil", "O&#39;Neil"),
        ("Ann-Marie", "Ann‐Marie", "Ann‑Marie", "Ann–Marie", "Ann−Marie"),
        ("İpek Çelik", "IPEK ÇELİK", "ipek çelik", "Ipek Çelik"),
        ("José", "Jos&eacute;", "Jose\u0301", "“José”"),
        ("{a1-b2}", "A1-B2", "a1–b2"),
        ("user 7", "user ٧", "USER ７"),
    ],
)
def test_names_that_differ_in_signs_alone_are_one_person(spellings) -> None:
    assert len({author_named(name).name for name in spellings}) == 1


@pytest.mark.parametrize("entity", ["&#" + "9" * 5000 + ";", "&" * 5000])
def test_name_of_an_endless_entity_stays(entity) -> None:
    assert author_named(entity).name == entity


@pytest.mark.parametrize("name", ["()", "''", "<>"])
def test_name_of_signs_alone_stays(name) -> None:
    assert author_named(name).name == name


@pytest.mark.parametrize(
    "written_address",
    [
        "Ann &lt;ann&#64;x.test&gt;",
        "Ann <ann+garden@x.test>",
        "ann+a+b at x.test (Ann)",
    ],
)
def test_address_of_the_same_mailbox_is_one_person(written_address) -> None:
    assert author_named(written_address).name == ANN


def test_domain_in_its_own_letters_is_that_in_ascii() -> None:
    assert author_named("ann@xn--bcher-kva.test").name == author_named("ANN@BÜCHER.test").name


@pytest.mark.parametrize(
    "address", ["ann@xn--\U0001f600.test", f"ann@xn--{'a' * 90}.test", "+a@x.test"]
)
def test_odd_address_stays_as_it_is(address) -> None:
    assert author_named(address).name == address


@pytest.mark.parametrize("name", ["1.5", "1,01", "1,0100", "1e-2", "101a", "12.34e1x", "1.015e2"])
def test_author_name_with_other_digits_stays_as_it_is(name) -> None:
    assert author_named(name) == (name, None, False)


@pytest.mark.parametrize("name", ["nan", "NULL", "N/A", " unknown ", "[deleted]", "?", "<NA>"])
def test_author_that_nobody_knows_is_said(name) -> None:
    assert author_named(name).remark is Remark.UNNAMED_AUTHOR


@pytest.mark.parametrize(
    "part", ['"', "(", "<", "a at ", "=?", "a@", '"\\', " at ", "a (at) ", "(a)", " dot ", "a,"]
)
def test_reading_addresses_takes_time_in_proportion(part) -> None:
    def seconds(n: int) -> float:
        started = time.process_time()
        author_named(part * (n // len(part)))
        return time.process_time() - started

    assert min(seconds(96_000) for _ in range(3)) < max(
        9 * min(seconds(24_000) for _ in range(3)), 0.05
    )
