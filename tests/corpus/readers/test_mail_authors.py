"""Whose a message is: one author is one person however archives, lists and programs write the sender."""

import io
import time

import pytest

from dplda.core.errors import ReadError
from dplda.corpus import Label, load
from dplda.corpus.remarks import Remark


def message(*headers: str, body: str = "river water flood") -> str:
    return "From x Mon Jan  1 00:00:00 2024\n" + "\n".join(headers) + f"\n\n{body}\n\n"


def read(*messages: str, person: str = "From"):
    content = "".join(messages).encode()
    return load(("in.mbox", io.BytesIO(content)), label=Label.SENSITIVE, person=person)


def remarks(corpus) -> dict[Remark, int]:
    return {counted_remark.remark: counted_remark.n for counted_remark in corpus.intake.remarks}


def test_sender_of_a_public_archive_is_one_person() -> None:
    ways = ["ann at x.test (Ann Example)", "ann at x.test (Ann E. Example)", "Ann <ann@x.test>"]
    corpus = read(*(message(f"From: {way}") for way in [*ways, "ann at x.test (ann)"]))
    assert corpus.persons.tolist() == [0, 0, 0, 0]
    assert not remarks(corpus)


@pytest.mark.parametrize(
    "headers",
    [
        ("From: ann@x.test, Bob <bob@y.test>",),
        ("From: Ann <ann@x.test>", "From: Bob <bob@y.test>"),
    ],
)
def test_first_of_several_senders_counts_with_a_remark(headers) -> None:
    message_without_others = message("From: ann@x.test")
    corpus = read(message(*headers), message_without_others, message("From: bob@y.test"))
    assert corpus.persons.tolist() == [0, 0, 1]
    assert remarks(corpus) == {Remark.SEVERAL_AUTHORS: 1}
    assert corpus.intake.remarks[0].places == ("in.mbox, message 1",)


@pytest.mark.parametrize("sender", ["Ann Example", "=?utf-8?q?Ann_Example?=", '"Ann, of X"'])
def test_sender_without_an_address_is_refused(sender) -> None:
    good = message("From: ann@x.test")
    with pytest.raises(ReadError, match=r"row 2: the header 'From' of a message names no address"):
        read(good, message(f"From: {sender}"), good)


def test_message_without_a_sender_is_refused() -> None:
    with pytest.raises(ReadError, match="document 2 does not name its person"):
        read(message("From: ann@x.test"), message("Subject: x"), message("From: bo@x.test"))


def test_local_users_need_no_domain() -> None:
    corpus = read(
        message("From: root (Cron Daemon)"), message("From: root"), message("From: MAILER-DAEMON")
    )
    assert corpus.persons.tolist() == [0, 0, 1]


def test_name_in_a_column_of_addresses_is_said() -> None:
    content = "who,text\n" + "".join(f"{who},river water\n" for who in ("ann@x.test", "Ann", "Bo"))
    corpus = load(("a.csv", io.BytesIO(content.encode())), label=Label.SENSITIVE, person="who")
    assert corpus.persons.tolist() == [0, 1, 2]
    assert remarks(corpus) == {Remark.NAME_AMONG_ADDRESSES: 2}


def test_sender_with_very_many_lists_takes_no_time() -> None:
    sender = "From: " + "via " * 20_000 + "<list@lists.test>"
    started = time.process_time()
    assert read(*[message(sender)] * 3).n_persons == 1
    assert time.process_time() - started < 5


def test_author_behind_a_list_is_the_address_for_replies() -> None:
    list_sender = "From: Bob via list <list@lists.test>"
    corpus = read(
        message(list_sender, "Reply-To: bob@y.test"),
        message("From: bob@y.test"),
        message(list_sender, "Reply-To: list@lists.test, Bob <bob@y.test>"),
        message(list_sender, "X-Original-From: Bob <bob@y.test>", "Reply-To: other@z.test"),
    )
    assert corpus.persons.tolist() == [0, 0, 0, 0]
    assert remarks(corpus) == {Remark.AUTHOR_FROM_REPLY: 3}


@pytest.mark.parametrize(
    "headers",
    [
        ("From: Bob über Liste <list@lists.test>", "List-Post: <mailto:list@lists.test>"),
        ("From: Bob <list@lists.test>", "X-BeenThere: list@lists.test"),
        ("From: list at lists.test (Bob via list)",),
    ],
)
def test_list_in_any_language_is_no_author(headers) -> None:
    corpus = read(
        message(*headers, "Reply-To: bob@y.test"), message("From: bob@y.test"), message(*headers)
    )
    assert corpus.persons.tolist() == [0, 0, 1]
    assert remarks(corpus) == {Remark.AUTHOR_FROM_REPLY: 1, Remark.LIST_AS_AUTHOR: 1}


def test_unknown_author_behind_a_list_counts_as_the_list_with_a_remark() -> None:
    corpus = read(
        message("From: 'Ann' via list <list@lists.test>"),
        message("From: Bob via list <list@lists.test>", "Reply-To: a@x.test, b@x.test"),
        message("From: ann@x.test"),
    )
    assert corpus.persons.tolist() == [0, 0, 1]
    assert remarks(corpus) == {Remark.LIST_AS_AUTHOR: 2}


def test_lost_letters_beside_an_address_do_not_matter() -> None:
    content = b"".join(
        b"From x\nFrom: %s <ann@x.test>\n\nriver water\n\n" % name
        for name in (b"J\xf6rg", b"Jorg", b"=?koi8-r?q?=CA?=")
    )
    corpus = load(("in.mbox", io.BytesIO(content)), label=Label.SENSITIVE, person="From")
    assert corpus.persons.tolist() == [0, 0, 0]


def test_column_with_addresses_is_read_as_a_header_is() -> None:
    rows = ["ann at x.test (Ann)", "Ann <ann@x.test>", "ann@x.test; bob@y.test", "bob@y.test"]
    content = "who,text\n" + "".join(f'"{row}",river water\n' for row in rows)
    corpus = load(("a.csv", io.BytesIO(content.encode())), label=Label.SENSITIVE, person="who")
    assert corpus.persons.tolist() == [0, 0, 0, 1]
    assert remarks(corpus) == {Remark.SEVERAL_AUTHORS: 1}


def test_numbers_of_spreadsheets_are_one_person_with_a_remark() -> None:
    content = "who,text\n" + "".join(f"{n},river water\n" for n in ("101.0", "101", "0101", "102"))
    corpus = load(("a.csv", io.BytesIO(content.encode())), label=Label.SENSITIVE, person="who")
    assert corpus.persons.tolist() == [0, 0, 0, 1]
    assert remarks(corpus) == {Remark.NUMBER_REWRITTEN: 2}
    lines = [line for _, line in corpus.intake.lines() if "101" in line]
    assert lines == [
        "documents with a person's number written like 101.0 or 0101: taken as 101"
        " (document 1; document 3)"
    ]
