"""A report says nothing but what was released, and says it safely."""

import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise, product

import numpy as np
import pytest

import dplda
from dplda.core.errors import InputError
from dplda.core.formatting import STAYS_MEASURED
from dplda.corpus import Corpus, Label, Simulation
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.experiments.experiment import Experiment
from dplda.figures.bar_axis import CUT_MARK
from dplda.methods.base.curator import Curator
from dplda.methods.registry import parse_method
from dplda.privacy.noise.keys import NoiseKind
from dplda.release.report.page import render_report
from dplda.release.report.released import ReportContents, report_contents
from tests.asking import fitted_by, settings_of
from tests.tiny_corpora import random_rows

HOSTILE = (
    "<script>alert(1)</script>",
    "</title><img src=x>",
    "\" onload='x'",
    "\ud800\u202e\x00",
    "&lt;",
    "x" * 500,
)
VOID = {"meta", "rect", "line", "circle"}


class FixedNoise:
    """Answers that do not depend on the documents: any two corpora of one size have the same releases."""

    kind = NoiseKind.SEEDED

    def perturb(self, coordinates, scale, spread, of):
        return np.random.default_rng(len(of)).gamma(0.5, 20 * scale + 1, len(coordinates))

    perturb_laplace = perturb


class Page(HTMLParser):
    """Elements that are closed in order, with their attributes; text that is seen."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.open, self.seen, self.attributes = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.extend((tag, *pair) for pair in attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.extend((tag, *pair) for pair in attributes)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.seen.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.seen).split())


def settings(text: str, epsilon: float = 3.0, k: int = 3) -> Experiment:
    return settings_of(
        parse_method(text), n_topics=k, alpha0=1.0, seed=4, epsilon=epsilon, delta=1e-7
    )


def run(text: str, corpus: Corpus, noise=None, epsilon: float = 3.0, **changes) -> ReportContents:
    run_settings = settings(text, epsilon)
    fitted_run = fitted_by(run_settings, corpus, noise=noise)
    facts = {
        "vocabulary": corpus.vocabulary,
        "documents": "letters",
        "n_documents": corpus.n_documents,
    } | changes
    return report_contents(fitted_run, run_settings, **facts)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Simulation(n_documents=3000, n_words=30, n_topics=3, mean_length=40).draw()


@pytest.mark.parametrize(
    "text", ["adaptive", "refined", "dp-vi", "private-unigram", "config-1/as published"]
)
def test_report_depends_on_documents_through_releases_alone(text) -> None:
    """The whole way from documents to page: topics, intervals, shares, names, map, order and facts among it."""
    words = tuple(f"word{i}" for i in range(12))
    corpora = [
        Corpus.from_counts(
            random_rows(seed, 200, 12, longest), words, label=Label.PUBLIC, name=f"corpus {seed}"
        )
        for seed, longest in ((0, 40), (1, 90))
    ]
    little, much = (
        (1.0, 1.0) if text == "dp-vi" else (3.0, 300.0)
    )  # its noise for a large ε takes seconds to find
    pages = [render_report(run(text, documents, FixedNoise(), little)) for documents in corpora]
    assert pages[0] == pages[1]
    assert render_report(run(text, corpora[0], epsilon=much)) != render_report(
        run(text, corpora[1], epsilon=much)
    )


def test_report_is_independent_of_curator_facts_or_seed(corpus) -> None:
    run_settings = settings("refined")
    fitted_run = fitted_by(run_settings, corpus)
    facts = {"vocabulary": corpus.vocabulary, "documents": "letters", "n_documents": 3000}
    first_report = render_report(report_contents(fitted_run, run_settings, **facts))
    assert (
        render_report(
            report_contents(
                replace(fitted_run, curator=Curator(object(), object())),
                replace(run_settings, seed=77),
                **facts,
            )
        )
        == first_report
    )
    assert corpus.digest[:8] not in first_report


def test_report_page_loads_nothing_active(corpus) -> None:
    report = render_report(run("refined", corpus))
    page = Page(report)
    assert not {
        "script",
        "link",
        "img",
        "iframe",
        "object",
        "embed",
        "base",
        "form",
        "audio",
        "video",
    } & set(page.tags)
    assert not {
        name
        for _, name, _ in page.attributes
        if name.startswith("on") or name in ("src", "href", "srcset")
    }
    assert "url(" not in report
    assert "@import" not in report
    assert "default-src 'none'" in report


def test_report_with_hostile_words_shows_them_as_text(corpus) -> None:
    hostile = (*HOSTILE, *corpus.vocabulary[len(HOSTILE) :])
    names = ("<b onclick=x>bold</b>", '" autofocus', None)
    hostile_contents = run(
        "adaptive", corpus, vocabulary=hostile, documents="<h1>\u2028&", names=names
    )
    top = replace(
        hostile_contents,
        topics=np.vstack([np.eye(30)[:6].sum(axis=0) / 6, hostile_contents.topics[1:]]),
    )
    report = render_report(top)
    report.encode("utf-8")
    page, plain = Page(report), Page(render_report(run("adaptive", corpus)))
    assert set(page.tags) == set(plain.tags)
    assert {name for _, name, _ in page.attributes} == {name for _, name, _ in plain.attributes}
    assert page.tags.count("script") == page.tags.count("img") == 0
    assert "<script>alert(1)</script>" in page.text
    assert "<b onclick=x>bold</b>" in page.text
    assert "x" * 41 not in page.text


def test_report_page_has_language_headings_labels_for_screen_readers(corpus) -> None:
    report = render_report(run("refined", corpus))
    page = Page(report)
    assert ("html", "lang", "en") in page.attributes
    levels = [int(tag[1]) for tag in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(lower_level <= upper_level + 1 for upper_level, lower_level in pairwise(levels))
    identities = [value for _, name, value in page.attributes if name == "id"]
    assert len(set(identities)) == len(identities)
    labels = " ".join(value for _, name, value in page.attributes if name == "aria-labelledby")
    assert set(labels.split()) <= set(identities)
    images = [
        value
        for tag, name, value in page.attributes
        if tag == "svg" and name in ("role", "aria-hidden")
    ]
    assert set(images) == {"img", "true"}
    assert len(images) == page.tags.count("svg")


def test_report_states_topics_names_guarantee(corpus) -> None:
    run_settings = settings("refined")
    fitted_run = fitted_by(run_settings, corpus)
    facts = {"vocabulary": corpus.vocabulary, "documents": "letters", "n_documents": 3000}
    report_text = Page(
        render_report(
            report_contents(fitted_run, run_settings, **facts, names=("ships", "seas", "sails"))
        )
    ).text
    assert "Topics of letters" in report_text
    assert "3 (this report)" in report_text
    assert fitted_run.guarantee.in_words() in report_text
    assert all(
        name in report_text
        for name in ("ships", "seas", "sails", "3,000", "62 times in 100", "1 in 10,000,000")
    )
    for row in fitted_run.topics.words:
        assert corpus.vocabulary[int(np.argmax(row))] in report_text
    assert all(sentence[1:] in report_text for sentence in fitted_run.guarantee.rests_on)


def report_of_words(words: np.ndarray, **changes) -> str:
    """A report of three topics without error bars."""
    documents = Simulation(n_documents=3000, n_words=30, n_topics=3, mean_length=40).draw()
    contents = run("dp-vi", documents)
    padded = np.zeros((3, 30))
    padded[:, : words.shape[1]] = words
    return render_report(replace(contents, topics=padded, lower=None, upper=None, **changes))


def bar_widths(text: str) -> list[float]:
    return [float(width) for width in re.findall(r'<rect width="([0-9.]+)" height="10"', text)]


EVEN = [0.05] * 20


def test_bars_of_a_report_beside_one_dominant_word_keep_their_length() -> None:
    odd = [0.95, 0.03, 0.02, *[0.0] * 17]
    text = report_of_words(np.array([EVEN, EVEN, odd]))
    widths = bar_widths(text)
    assert max(widths) == 100
    assert sorted(widths)[len(widths) // 2] > 20, "a usual bar is seen"
    assert f"{CUT_MARK} goes on beyond the axis" in text
    assert text.count(f'aria-hidden="true">{CUT_MARK}<') == 1


def test_report_without_cut_bars_explains_no_mark() -> None:
    assert CUT_MARK not in report_of_words(np.array([EVEN, EVEN, EVEN]))


def test_bars_of_a_report_are_sorted_by_length_where_a_table_chose_the_words() -> None:
    rising = np.arange(1.0, 31)
    topics = np.array([rising, rising, rising]) / rising.sum()
    frequencies = rising**2 / np.sum(rising**2)  # so that rare words have the largest lift
    widths = bar_widths(report_of_words(topics, word_frequencies=frequencies, prior_topics=topics))
    for topic in range(3):
        of_topic = widths[10 * topic : 10 * topic + 10]
        assert of_topic == sorted(of_topic, reverse=True)


def test_report_grays_words_of_a_prior_that_documents_did_not_confirm() -> None:
    table = np.full((3, 30), 0.01)
    table[:, :5] = [0.26, 0.2, 0.14, 0.08, 0.07]
    table /= table.sum(axis=1, keepdims=True)
    vocabulary = tuple(f"word{number}" for number in range(30))
    raised = table.copy()
    raised[:, 9] += 0.5
    raised /= raised.sum(axis=1, keepdims=True)
    text = report_of_words(
        raised,
        vocabulary=vocabulary,
        word_frequencies=np.full(30, 1 / 30),
        prior_topics=table,
    )
    assert 'class="public">word0<' in text
    assert "From the table: word0, word1" in text
    assert "From the documents: word9." in text


def test_describe_gain_after_rounding_covers_its_interval() -> None:
    for gain, noise in product(np.linspace(1.5, 20.0, 60), (0.01, 0.05, 0.2, 0.5)):
        evidence = ReleasedEvidence(gain, noise, 50.0, noise, np.array([0.9]), 0.05)
        shown_gain, around = map(float, re.findall(r"[\d.]+", evidence.describe())[:2])
        gain_percent, reach = (
            -100 * math.expm1(-evidence.gain_per_word),
            50 * float(np.ptp(np.exp(-np.array(evidence.interval())))),
        )
        assert shown_gain - around <= gain_percent - reach + 1e-9
        assert shown_gain + around >= gain_percent + reach - 1e-9


def test_report_hides_topics_without_evidence_with_a_note(corpus) -> None:
    contents = run("refined", corpus)
    evidence = ReleasedEvidence(2.0, 0.1, 50.0, 0.1, np.array([0.9, 0.5, 0.1]), 0.05)
    report_text = Page(render_report(replace(contents, evidence=evidence))).text
    assert "3.9 ± 0.4% more closely than word frequencies." in report_text
    assert "2 of 3 topics have a part beyond the noise" in report_text
    assert "better than word frequencies" not in report_text, "not before they were compared"
    check = EvidenceCheck(
        is_significant=True, supported_topics=(0, 1), optimism=0.5, optimism_error=0.1
    )
    checked = Page(
        render_report(replace(contents, evidence=replace(evidence, known_check=check)))
    ).text
    assert "3.0 ± 0.5% better than word frequencies." in checked
    assert "2 of 3 topics have evidence" in checked
    assert all(text in report_text for text in (STAYS_MEASURED, "The other topic is not shown."))
    none = Page(
        render_report(replace(contents, evidence=replace(evidence, by_topic=np.zeros(3))))
    ).text
    assert ("A longer bar" in report_text, "A longer bar" in none, STAYS_MEASURED in none) == (
        True,
        False,
        False,
    )
    assert "No evidence" not in Page(render_report(replace(contents, evidence=None))).text


def test_topics_with_evidence_come_first_each_kind_by_share(corpus) -> None:
    run_settings = settings("refined", epsilon=0.3)
    fitted_run = fitted_by(run_settings, corpus)
    evidence = replace(fitted_run.evidence, by_topic=np.array([0.0, 50.0, 60.0]), topic_noise=0.1)
    fitted_run = replace(fitted_run, details=replace(fitted_run.details, evidence=evidence))
    parts = fitted_run.topic_shares
    contents = report_contents(
        fitted_run,
        run_settings,
        vocabulary=corpus.vocabulary,
        documents="x",
        n_documents=3000,
        names=("a", "b", "c"),
    )
    larger_topic, second = sorted((1, 2), key=lambda topic: -parts[topic])
    assert contents.names == tuple("abc"[topic] for topic in (larger_topic, second, 0))
    assert contents.supported_topics == (0, 1)


@pytest.mark.parametrize("text", ["unnoised", "unigram"])
def test_report_of_a_run_without_noise_is_refused(text, corpus) -> None:
    with pytest.raises(InputError, match="one without noise"):
        run(text, corpus)


def test_report_with_words_or_names_that_do_not_fit_is_refused(corpus) -> None:
    for changes in (
        {"vocabulary": ("a", "b")},
        {"names": ("a",)},
        {"names": ("x" * 61, None, None)},
    ):
        with pytest.raises(InputError):
            run("adaptive", corpus, **changes)


def test_report_html_of_every_private_estimator_states_its_guarantee(corpus) -> None:
    for model in (
        dplda.SpectralLDA(3, plan=dplda.Plan("adaptive", epsilon=3.0)),
        dplda.RefinedLDA(3, epsilon=3.0),
        dplda.DPVariationalLDA(3, epsilon=1.0),
    ):
        fitted = model.fit(corpus)
        report_text = Page(dplda.report_html(fitted, corpus.vocabulary)).text
        assert fitted.guarantee_.in_words() in report_text
    with pytest.raises(InputError, match="one without noise"):
        dplda.report_html(dplda.SpectralLDA(3).fit(corpus), corpus.vocabulary)


@pytest.fixture(scope="module")
def refined_run(corpus) -> ReportContents:
    return run("refined", corpus)


def test_report_opens_with_its_verdict_beside_the_guarantee(refined_run) -> None:
    page = Page(render_report(refined_run))
    places = [
        page.text.index(text) for text in ("Usable.", "What others can learn", "A longer bar means")
    ]
    assert places[0] < 60
    assert places == sorted(places)
    dial = "A guess between two is right at most 62 times in 100"
    assert any((value or "").startswith(dial) for *_, value in page.attributes)


def test_report_of_an_unproven_run_has_no_dial(corpus) -> None:
    page = render_report(run("config-1/as published", corpus))
    assert '<svg class="dial"' not in page
    assert '<svg class="standing"' not in page


def test_topics_of_a_report_have_the_numbers_of_the_app(refined_run) -> None:
    page = render_report(replace(refined_run, color_places=(2, 0, 1)))
    numbers = re.findall(r'class="number"[^>]*>(\d+)<', page)
    assert numbers[:3] == ["3", "1", "2"]


def test_map_of_a_report_names_its_topics(refined_run) -> None:
    page = render_report(replace(refined_run, names=("ships", "seas", "<sails>")))
    names = re.findall(r'<text class="name"[^>]*>([^<]*)<', page)
    assert sorted(names) == ["&lt;sails&gt;", "seas", "ships"]


def test_report_of_a_method_as_published_warns_of_its_guarantee(corpus) -> None:
    report_text = Page(render_report(run("config-1/as published", corpus))).text
    assert "do not rely on it" in report_text
    assert "3 (claimed here)" in report_text
    assert "Proven" not in report_text
