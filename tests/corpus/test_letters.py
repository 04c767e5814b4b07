"""Letters of texts: one form for each, whatever people, programs and keyboards wrote for it."""

import io
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplda.corpus import Label, Tokenisation, load
from dplda.corpus.words.cleaning import clean_text
from dplda.corpus.words.splitting import letter_runs
from dplda.corpus.words.vocabulary import fold_letters, number_of

ODD = "aAn'’´`ʼ‘\ufffd t_s1 .;&#amp\u200b\u200d\x92\x97\x1b[\u0640ﬁ️é\u0301ＷｗﾡㅋİΣ東가𝗛😀\ud83d™½\u00a0\u2028\n"
TEXTS = st.text(st.sampled_from(ODD) | st.characters(), max_size=40)


def words(text: str, **options) -> list[str]:
    return Tokenisation(**options).words(text)


def read(content: str, name: str = "a.txt", **options):
    options = {"label": Label.PUBLIC, "tokenisation": Tokenisation(stop_words=())} | options
    return load((name, io.BytesIO(content.encode())), **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("alpha\u200bbeta", "alpha beta"),
        ("before\u0097after", "before after"),
        ("rain\x00storm\x1fwind\x7fhail", "rain storm wind hail"),
        ("one\u2063two\u2064six", "one two six"),
        ("blank\u3164space\u2800braille", "blank space braille"),
        ("log \x1b[31mred\x1b[0m \x1b[1;32mgreen", "log red green"),
        (
            "soft\u00adly spo\u200dken \ufeffwol\u202eves\u2060 vari\ufe0fant",
            "softly spoken wolves variant",
        ),
        ("می\u200cخواهم", "میخواهم"),
    ],
)
def test_invisible_character_parts_words_or_is_removed(text, expected) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the oﬃce staﬀ ofﬁce ﬅyle ﬆyle", "the office staff office style style"),
        ("ｗｏｒｌｄ ＮＥＷＳ ｶﾞﾗｽ", "world news ガラス"),
        ("𝗛𝗶𝗿𝗶𝗻𝗴 𝐡𝐢𝐫𝐢𝐧𝐠 ⓗⓘⓡⓘⓝⓖ 𝒽𝒾𝓇𝒾𝓃ℊ", "hiring hiring hiring hiring"),
        ("كـــتاب كتـــاب ﻛﺘﺎﺏ", "كتاب كتاب كتاب"),
        ("ſtreet ĳsland Ⅷ", "street ijsland viii"),
        ("한\u1100\u1161국 ㅋㅋㅋ", "한가국 ㅋㅋㅋ"),
        ("Brand™ 5㎏ naïve¨ly", "brand naïve"),
        ("cafe\u0301 café", "café café"),
    ],
)
def test_letter_of_another_form_is_the_plain_letter(text, expected) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize("sign", "'’´`‘‛′ʼʹˈ＇\u0091\u0092՚ꞌ\ufffd")
def test_apostrophes_of_every_kind_are_one(sign) -> None:
    text = f"we don{sign}t, DON{sign}T, it{sign}s Ann{sign}s, they{sign}ll care, l{sign}eau"
    words_found = words(text, min_letters=2)
    assert [word for word in words_found if "eau" not in word] == [
        "we",
        "it",
        "ann",
        "they",
        "care",
    ]


@pytest.mark.parametrize("sign", ["''", "\\'", "｀", "\u1fef"])
def test_apostrophe_that_a_program_escaped_is_one(sign) -> None:
    assert words(f"we don{sign}t but it{sign}s O{sign}Brien’s") == ["but", "brien"]
    assert words("say 'so' and ''no'' \\'well\\'") == ["say", "and", "well"]


@pytest.mark.parametrize("word", ["пʼять", "hawaiʻi", "qurʾān"])
def test_letter_that_looks_like_an_apostrophe_stays_in_its_word(word) -> None:
    assert words(word) == [word]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("river&nbsp;water &amp; caf&eacute; don&#39;t &lt;3", "river water café"),
        ("&amp;eacute;t&amp;amp;eacute; &#x41;&#66;c &#8220;tea&#8221;", "été abc tea"),
        ("soft&shy;ly al&zwsp;one zero&#8203;width", "softly zero width"),
        ("R&D AT&T; &unknown; a&b;c", "unknown"),
        ("it&rsquo;s Ann&#146;s &copy 2020", "ann"),
        (
            "river&nbsp water&nbsp, caf&eacute don&#39t R&D black&white tea&milk",
            "river water café black white tea milk",
        ),
        ("&amp;nbsp &#1234567890123; &#x110000; &ampere; &", "ampere"),
    ],
)
def test_entity_of_html_is_decoded(text, expected) -> None:
    words_found = words(text)
    assert [word for word in words_found if word not in ("zwsp", "one")] == expected.split()


def test_html_entities_are_counted() -> None:
    intake = read("tea &amp; milk\nplain tea\nmilk&nbsp;tea &bogus; tea\n").intake
    assert intake.n_entities == 2
    assert (2, "entities of HTML decoded, such as &amp;") in intake.lines()


def test_half_an_emoji_becomes_a_replacement_character(tmp_path) -> None:
    lines = '{"text": "river\\ud83d water"}\n{"text": "riv\\udc00er"}\n{"text": "\\ud83d\\ude00 water"}\n'
    corpus = read(
        lines, "a.jsonl", tokenisation=Tokenisation(pre_tokenised=True), label="sensitive"
    )
    assert set(corpus.vocabulary) == {"river\ufffd", "riv\ufffder", "water", "😀"}
    "".join(corpus.vocabulary).encode()


@settings(max_examples=300, deadline=None)
@given(text=TEXTS)
def test_clean_text_is_writable_without_further_cleaning(text) -> None:
    clean = clean_text(text.replace("&", "")).text
    assert clean_text(clean).text == clean
    assert unicodedata.is_normalized("NFC", clean)
    clean.encode()
    control_characters = {
        character for character in clean if unicodedata.category(character) in ("Cc", "Cf", "Cs")
    }
    assert control_characters <= set("\t\n\v\f\r\x85")


def test_form_kc_of_every_letter_is_its_form() -> None:
    """But for Hangul letters that people type alone, and accents that stand alone."""
    letters = [
        character
        for character in map(chr, range(0x20000))
        if unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lo")
    ]
    for letter in letters:
        form = unicodedata.normalize("NFKC", letter)
        is_other = (
            "\u3131" <= letter <= "\u318e" or "\uffa0" <= letter <= "\uffdc" or form[0] == " "
        )
        if not is_other and form != letter and "\u0640" not in form:
            assert clean_text(f"x {letter} x").text == f"x {form} x", hex(ord(letter))


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_letter_runs_of_ascii_are_those_of_all_scripts(text) -> None:
    """The fast way for ASCII is that of all scripts."""
    ascii_text = text.encode("ascii", "ignore").decode()
    assert (
        letter_runs(ascii_text, lowercase=True)
        == letter_runs(ascii_text + " é", lowercase=True)[:-1]
    )


KOREAN = """어제 학교 교실에서 시험을 봤다 성적 걱정 많다
시장 경제 정책 발표 후 금리가 올랐다 은행 대출 부담
우리 팀 경기 승리 감독이 기뻐했다 선수 응원 감사
"""


def test_words_of_two_syllables_count_as_three_letters_do() -> None:
    corpus = read(KOREAN)
    assert corpus.n_words == 25
    assert corpus.intake.n_left_out == 2
    assert corpus.intake.share_kept == pytest.approx(25 / 27)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("घर पानी नदी का", "घर पानी नदी"),
        ("ቤት ሰው ሀ", "ቤት ሰው"),
        ("ᎠᏂ ᏣᎳᎩ Ꭰ", "ᎠᏂ ᏣᎳᎩ"),
        ("ཆུ བོད 水 みず", "ཆུ བོད 水 みず"),
        ("дом он το σπίτι בית של", "дом σπίτι בית"),
        ("t恤 aさん", "t恤 aさん"),
    ],
)
def test_least_length_fits_the_script(text, expected) -> None:
    assert words(text) == expected.lower().split()


@pytest.mark.parametrize(("least_length", "shortest"), [(1, 1), (2, 2), (3, 2), (4, 3), (6, 4)])
def test_least_length_that_is_asked_for_scales_with_the_script(least_length, shortest) -> None:
    syllables = "가나다라마바"
    lengths = [
        len(word) for n in range(1, 7) for word in words(syllables[:n], min_letters=least_length)
    ]
    assert min(lengths) == shortest


def test_share_of_words_counts_those_of_a_wrong_length() -> None:
    long = "x" * 41
    intake = read(f"tea of uk {long}\ntea to milk\nthe tea\n", tokenisation=Tokenisation()).intake
    assert (intake.n_tokens, intake.n_stopped, intake.n_left_out) == (5, 1, 2)
    assert intake.share_kept == pytest.approx(4 / 6), (
        "of, to are stop words; uk and the long one are not"
    )


@pytest.mark.parametrize(
    "other_text",
    [
        "THE ＲＩＶＥＲ and the oﬃce, “its” café – today’s news is here",
        "the river\u200b and the office its cafe\u0301: today's news is here!",
        "the ri\u00adver &amp; and the office its caf&eacute; today´s news is here",
    ],
)
def test_text_in_another_form_has_the_same_number(other_text) -> None:
    """So that documents written otherwise do not pass as another dataset."""
    text = "The river and the office: its café; today’s news is here."
    numbers = {number_of(fold_letters(clean_text(form).text)) for form in (text, other_text)}
    assert len(numbers) == 1
