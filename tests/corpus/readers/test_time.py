"""Reading takes time proportional to what is read: four times the text takes four times as long, never sixteen."""

import io
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from dplda.core.errors import DpldaError
from dplda.corpus import Label, Tokenisation, load
from dplda.corpus.readers.formats import preview
from dplda.corpus.words.vocabulary import MAX_MARKS_IN_A_ROW, normalised

OTHERS = "\nwolves hunt deer\nelk deer snow\nsnow river wolves\n"
MAILS = "\n\nwolves deer\nFrom x\n\ndeer snow\nFrom x\n\nelk deer\n"
HYPHENS = {"tokenisation": Tokenisation(pattern=r"[^\W_]+(?:-[^\W_]+)*")}
SMALL, TIMES, MOST = 60_000, 4, 9.0  # characters; a quadratic one would take 16 times as long
FLOOR = 0.05  # seconds, below which clocks and caches decide


def text(part: str) -> Callable[[int], tuple[str, str]]:
    return lambda n: ("a.txt", "a" + part * (n // len(part)) + OTHERS)


def cell(part: str) -> Callable[[int], tuple[str, str]]:
    return lambda n: ("a.csv", "text\n" + part * (n // len(part)) + OTHERS)


def lines(value: str) -> Callable[[int], tuple[str, str]]:
    return lambda n: (
        "a.jsonl",
        '{"text": "wolves elk deer", "x": %s}\n' % (value[0] + value[1:] * n) * 3,
    )


def mail(start: str, part: str, end: str = "") -> Callable[[int], tuple[str, str]]:
    return lambda n: ("a.mbox", f"From x\n{start}" + part * (n // len(part)) + end + MAILS)


CASES = {
    "marks in the wrong order": text("\u0301\u0316"),
    "a character of class 0 that decomposes into marks": text("\u0f73"),
    "marks beyond the basic plane": text("\U0001d165\u0316"),
    "a sigma, whose form hangs on what stands around it": text("\u0301\u03a3"),
    "apostrophes": text("n't'"),
    "letters with marks": text("e\u0301"),
    "hyphens": text("a-"),
    "invisible characters": text("\u200b"),
    "syllables that compose": text("\u1100\u1161\u11a8"),
    "carriage returns": text("\r"),
    "tags that do not end": text("<p "),
    "headers of mail": text("Subject: "),
    "signs without spaces": text("東京"),
    "quotation marks": cell('"'),
    "columns": cell(","),
    "brackets in brackets": lines("[["),
    "digits": lines("11"),
    "parameters of a type": mail("Content-Type: text/plain", ";"),
    "parameters in quotation marks": mail('Content-Type: text/plain; a="', ";"),
    "parameters with a star": mail("Content-Type: text/plain", "; a*0*=b"),
    "a type in letters beyond ASCII": mail("Content-Type: text/plain", "; é"),
    "a charset that is no charset": mail(
        "Content-Type: text/plain; charset=punycode\n\na-", "bcdefgh9"
    ),
    "parts": mail("Content-Type: multipart/mixed; boundary=x\n\n", "--x\n\nwolves\n"),
    "soft line ends": mail("Content-Transfer-Encoding: quoted-printable\n\n", "=\n"),
    "parts in parts": mail("", "Content-Type: multipart/mixed; boundary=x\n\n--x\n"),
    "beginnings of encoded blocks": mail("\n", "begin 644 a\n-----BEGIN PGP MESSAGE-----\n"),
    "lines of base64": mail("\n", f"{'Ab1/' * 16}\n"),
    "tags of HTML mail": mail("Content-Type: text/html\n\n", "<p>"),
    "comments of HTML mail": mail("Content-Type: text/html\n\n", "<!--"),
    "alternatives": mail("Content-Type: multipart/alternative; boundary=x\n\n", "--x\n\nwolves\n"),
    "a disguised name": mail("From: ", "a at "),
    "a name": mail("From: ", '"a" <a@b>,'),
    "words in encodings": mail("Subject: ", "=?a?q?b?= "),
    "words in encodings that do not end": mail("Subject: ", "=?a?q?"),
}


def taken(make: Callable[[int], tuple[str, str]], n: int) -> Iterator[float]:
    """Seconds of this thread's processor time, in two tries."""
    name, content = make(n)
    binary = content.encode()
    person = {"person": "From"} if "From: " in content else {}
    options = HYPHENS if "a-a-" in content else person
    for _ in range(2):
        started = time.thread_time()
        for read_source in (preview, lambda source: load(source, label=Label.SENSITIVE, **options)):
            with suppress(DpldaError):  # what is refused takes its time too
                read_source((name, io.BytesIO(binary)))
        yield time.thread_time() - started


@pytest.mark.parametrize("name", CASES)
def test_reading_four_times_the_text_takes_at_most_linear_time(name) -> None:
    max_seconds = max(MOST * min(taken(CASES[name], SMALL)), FLOOR)
    assert any(seconds < max_seconds for seconds in taken(CASES[name], TIMES * SMALL)), (
        "the second try if the first stalls"
    )


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@pytest.mark.parametrize("n_letters_before", range(0, 20, 3))
def test_run_of_marks_is_parted_where_it_is_longer_than_any_language_needs(
    form, n_letters_before
) -> None:
    """The longest that is left alone is in order; one more mark changes places with none but its neighbours."""
    lead = "é" * n_letters_before
    whole_text = lead + "q" + "\u0301\u0316" * (MAX_MARKS_IN_A_ROW // 2)
    assert normalised(form, whole_text).replace("\u034f", "") == unicodedata.normalize(
        form, whole_text
    )
    for n_more_marks in (1, 2, 40):
        parted = normalised(form, whole_text + "\u0316" * n_more_marks)
        assert "\u034f\u0316" in parted
        assert unicodedata.is_normalized(form, parted)


def test_texts_of_any_language_are_normalised_as_ever() -> None:
    for language_text in (
        "café",
        "e\u0301te\u0301 \ufb01n",
        "हिन्दी में",
        "ǖ",
        "각",
        "q̣̇" * 100,
        "plain",
        "",
        "\U0001d15e",
    ):
        for form in ("NFC", "NFKC"):
            assert normalised(form, language_text) == unicodedata.normalize(form, language_text)
