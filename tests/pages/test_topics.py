import json
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from dplda.core.formatting import WITHOUT_TOPICS
from dplda.core.worker_pool import ProcessError
from dplda.corpus import Corpus, Label
from dplda.methods.base.error_bars import Uncertainty
from dplda.ui.explore import topic_details, topics_view
from dplda.ui.state import cache, first_look, link, progress, warm_process
from dplda.ui.state.keys import Key
from tests.pages.conftest import bring
from tests.pages.conftest import said as written_on
from tests.test_claims_made import RETIRED

SMALL = {
    "v": "1",
    "corpus": "simulated_2000_60_4_1_60_poisson_0.1_0",
    "k": "4",
    "alpha0": "1",
    "epsilon": "8",
}


def word_figures(app) -> list[dict]:
    """Figures of words, a topic each, in the order of the page."""
    charts = [chart for chart in app.get("plotly_chart") if chart.key.startswith("topics.words.")]
    return [json.loads(chart.proto.spec) for chart in charts]


@pytest.fixture
def app(open_page):
    return open_page("topics", SMALL)


def test_topics_below_the_noise_are_empty_cards(app) -> None:
    app.select_slider(key=Key.EPSILON).set_value(0.3).run()
    n_resolved = 4 - int(app.main.header[0].value.split()[0])
    specs = word_figures(app)
    assert notes(app).count("below the noise") == 4 - n_resolved > 0
    assert sum(len(spec["data"][0]["x"]) for spec in specs) == 8 * n_resolved


def test_topic_numbers_keep_their_colors_at_any_epsilon(app) -> None:
    def unnoised():
        bars = [spec["data"][2] for spec in word_figures(app)]
        return [(list(bar["x"]), list(bar["marker"]["color"])) for bar in bars]

    bars_before = unnoised()
    for epsilon in (3, 1, 10):
        app.select_slider(key=Key.EPSILON).set_value(epsilon).run()
        assert unnoised() == bars_before


DRAWN = {
    "n_documents": 900,
    "n_words": 30,
    "n_topics": 3,
    "alpha0": 0.5,
    "mean_length": 40,
    "lengths": "fixed",
}
CARD = {
    "format": "dplda run card",
    "version": 1,
    "corpus": {"kind": "simulated", "simulation": DRAWN | {"topic_concentration": 0.2, "seed": 5}},
    "plan": {
        "configuration": "adaptive",
        "epsilon": 0.8,
        "delta": 1e-5,
        "split": [],
        "clip_quantile": None,
    },
    "n_topics": 3,
    "alpha0": 0.5,
    "seed": 77,
}
FINER = {"configuration": "config-2", "calibration": "as published"} | {
    "split": [["e8", 0.40004], ["e6", 0.49996], ["σk", 0.1]]  # than the sliders have
}
LOOKED = FINER | {
    "split": [["e8", 0.4], ["e6", 0.5], ["σk", 0.1]],
    "chosen": "chosen on the documents",
}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{}", "was not loaded"),
        (b"\xff\xfe", "was not loaded"),
        (
            json.dumps(CARD | {"plan": CARD["plan"] | FINER}).encode(),
            "what the controls can be set to",
        ),
        (
            json.dumps(CARD | {"plan": CARD["plan"] | LOOKED}).encode(),
            "what the controls can be set to",
        ),
    ],
)
def test_run_card_that_cannot_be_loaded_changes_nothing(app, content, reason) -> None:
    app.file_uploader(key=Key.CARD_LOAD).set_value(("card.json", content, "application/json")).run()
    assert not app.exception
    assert any(reason in notice.value for notice in app.info)
    assert app.select_slider(key=Key.EPSILON).value == 8
    assert app.selectbox(key=Key.CONFIGURATION).value == "adaptive"


def notes(app) -> list[str]:
    """Headings of private topics and of those without noise, among other notes."""
    return [note["text"] for spec in word_figures(app) for note in spec["layout"]["annotations"]]


def shares(app) -> list[int]:
    """The percentages of signal in the headings of the private topics."""
    return [int(share) for note in notes(app) for share in re.findall(r"(\d+)% signal", note)]


@pytest.mark.parametrize(
    ("epsilon", "rising", "lost_text"), [("0.5", 0, "All 4"), ("8", 2, "2 of 4")]
)
def test_spectrum_as_published_counts_directions_above_the_noise(
    epsilon, rising, lost_text, open_page, figure
) -> None:
    published = {"configuration": "config-1", "calibration": "published", "epsilon": epsilon}
    app = open_page("topics", SMALL | published)
    assert app.main.header[0].value.startswith(f"{lost_text} topics are lost in noise: error 1")
    assert app.main.caption[0].value.startswith("As published, the method shows all 4 anyway")
    spec = figure(app, "topics.spectrum")
    assert f"{rising} of 4 directions rise above the noise" in " ".join(
        spec["layout"]["title"]["text"].split("<br>")
    )
    assert np.sum(np.array(spec["data"][1]["y"]) > spec["layout"]["shapes"][0]["y0"]) == rising
    assert shares(app) == []  # noise on triples, a later step, exceeds its signal
    assert "the first 4 are used as topics anyway" in " ".join(
        caption.value for caption in app.caption
    )


def test_spectrum_without_noise_on_the_moment_shows_no_signal_share(open_page, figure) -> None:
    app = open_page(
        "topics",
        SMALL | {"configuration": "config-4", "corpus": "simulated_20000_60_4_1_60_poisson_0.1_0"},
    )
    title = app.main.header[0].value
    assert re.match(
        r"Topics are wrecked: error 1\.\d of 2; noise on the topics is \d+ times", title
    )
    assert "rise above" not in figure(app, "topics.spectrum")["layout"]["title"]["text"]
    assert shares(app) == []
    assert not any("*Signal*" in caption.value for caption in app.caption)


def test_title_of_a_tensor_that_drowns_is_the_error_beside_its_noise(open_page) -> None:
    query = {"v": "3", "view": "topics", "configuration": "config-2", "epsilon": "0.5"}
    app = open_page("topics", query)
    title = app.main.header[0].value
    assert re.fullmatch(
        r"Topics are wrecked: error 1\.\d of 2; noise on the tensor is 1\d times.*", title
    )
    assert shares(app) == []
    assert not any("*Signal*" in caption.value for caption in app.caption)


def test_title_without_a_truth_is_the_step_that_drowns(open_page) -> None:
    query = {"v": "3", "view": "topics", "configuration": "config-2", "epsilon": "0.5"}
    teaching_corpus = link.TEACHING.draw()
    app = bring(
        open_page("topics", query), replace(teaching_corpus, truth=None, label=Label.PUBLIC)
    )
    assert re.fullmatch(r"Noise on the tensor is 1\d times its signal", app.main.header[0].value)


def test_share_of_signal_is_shown_where_no_later_step_drowns(open_page) -> None:
    query = {"v": "3", "view": "topics", "configuration": "config-2", "epsilon": "10"}
    app = open_page("topics", query)
    assert app.main.header[0].value.startswith("Topics are clear: error 0.0")
    assert len(shares(app)) == 3


REFINED = SMALL | {"configuration": "refined", "k": "6", "epsilon": "1"}


def test_refined_topics_get_error_bars_after_their_first_view(open_page, monkeypatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(
            cache,
            "run_with_progress",
            lambda name, work: None if "ranges" in name else progress.run_with_progress(name, work),
        )
        app = open_page("topics", REFINED)
    assert "Error bars follow." in " ".join(caption.value for caption in app.caption)
    app.run()
    assert "Topics fit your documents" in app.main.header[0].value
    number = int(re.search(r"(\d) of 6 topics ha", app.main.caption[0].value).group(1))
    assert 2 <= number < 6
    assert WITHOUT_TOPICS in app.main.caption[0].value
    assert sum("Topic " in text and "no evidence" in text for text in notes(app)) == 6 - number
    traces = [trace for spec in word_figures(app) for trace in spec["data"]]
    labels = [text for trace in traces if trace.get("mode") == "text" for text in trace["text"]]
    numbers = [text for text in labels if "/20" in text]
    assert all(re.search(r">1?\d/20<", text) for text in numbers)
    assert 0 < len(numbers) < len(labels)
    assert any("*Paler words* lead" in caption.value for caption in app.caption)


def test_error_bars_are_worked_out_only_where_they_are_shown(open_page, monkeypatch) -> None:
    asked_names: list[object] = []
    monkeypatch.setattr(cache, "ranges", lambda *of: asked_names.append(of))
    for look, n_asked in (("documents", 0), ("cards-and-names", 0), ("map", 0), ("find-a-word", 1)):
        app = open_page("topics", REFINED | {"seed": "7", "look": look})
        assert len(asked_names) == n_asked
    app.session_state["look.topics"], app.session_state[f"{Key.SAVE}.topics"] = "Map", True
    app.run()
    assert len(asked_names) == 2, "downloads hold them"


@pytest.fixture
def fitted_sizes(monkeypatch) -> list[int]:
    """A corpus of 500 documents is large; the documents of each fit, in order."""
    monkeypatch.setattr(first_look, "N_LOOKED_AT", 100)
    monkeypatch.setattr(first_look, "MIN_DOCUMENTS", 400)
    sizes: list[int] = []
    fit = cache.make_and_keep_fit

    def note_and_fit(caches, corpus, *arguments, **options):
        sizes.append(corpus.n_documents)
        return fit(caches, corpus, *arguments, **options)

    monkeypatch.setattr(cache, "make_and_keep_fit", note_and_fit)
    return sizes


LARGE = REFINED | {"corpus": "simulated_500_30_3_0.1_60_poisson_0.1_0", "k": "3", "look": "map"}


def test_large_corpus_of_a_slow_method_gets_a_first_look_that_says_so(
    open_page, monkeypatch, fitted_sizes
) -> None:
    monkeypatch.setattr(topics_view, "_fit_all_documents", lambda loaded: None)
    app = open_page("topics", LARGE | {"seed": "21"})
    assert fitted_sizes[-1] == 100
    assert "First look: 100 of the 500 documents, with the noise of all." in written_on(app)
    assert topic_details.WAITS_FOR_ERROR_BARS in written_on(app)
    assert not [button for button in app.button if button.key == f"{Key.NULL_RUNS}.start"]


def test_topics_of_all_documents_replace_the_first_look(open_page, fitted_sizes) -> None:
    app = open_page("topics", LARGE | {"seed": "22"})
    assert fitted_sizes[-2:] == [100, 500]
    assert "First look" not in written_on(app)


def test_sensitive_documents_are_fitted_once_without_a_first_look(open_page, fitted_sizes) -> None:
    app = open_page("topics", LARGE | {"seed": "22"})
    documents = np.random.default_rng(0).poisson(1.0, (500, 8))
    fitted_sizes.clear()
    bring(app, Corpus.from_counts(documents, label=Label.SENSITIVE, name="mine"))
    assert fitted_sizes == [500]


def test_process_before_the_first_fit_has_sums_of_first_looks_as_unhurried_work(
    monkeypatch,
) -> None:
    requested_runs: list[tuple[int, str, bool]] = []

    def note(work, shared_corpus, experiment, *arguments, is_urgent: bool) -> None:
        n_documents = pickle.loads(pickle.dumps(shared_corpus)).n_documents
        requested_runs.append((n_documents, experiment.method.name, is_urgent))

    monkeypatch.setattr(cache.POOL, "run", note)
    warm_process.warm_process()
    assert requested_runs == [(10_000, "refined", False), (100_000, "adaptive", False)]


def test_error_bars_that_fail_leave_the_topics(open_page, monkeypatch) -> None:
    def estimate_error_std(self, report) -> None:
        raise ProcessError("MemoryError")

    monkeypatch.setattr(Uncertainty, "estimate_error_std", estimate_error_std)
    app = open_page("topics", REFINED | {"seed": "9"})
    assert (len(app.exception), "failed with MemoryError" in app.error[0].value) == (0, True)


def test_topics_are_set_beside_documents_without_topics_in_the_background(open_page) -> None:
    few_documents = {"corpus": "simulated_500_30_3_0.1_60_poisson_0.1_0", "k": "3", "epsilon": "8"}
    app = open_page("topics", REFINED | few_documents)
    assert WITHOUT_TOPICS in app.main.caption[0].value
    assert "better" not in app.main.caption[0].value, "before documents without topics were asked"
    app.button(f"{Key.NULL_RUNS}.start").click().run()
    (job,) = app.session_state[Key.NULL_RUNS].values()
    job.future.result(60)
    app.run()
    caption = app.main.caption[0].value
    assert (
        "3 of 3 topics have evidence. About 1 in 100 collections without topics would gain as much by"
        " chance." in caption
    )
    assert "Topics explain new documents of this kind" in caption
    assert not [button for button in app.button if button.key == f"{Key.NULL_RUNS}.start"]


@pytest.mark.parametrize("configuration", ["refined", "adaptive"])
def test_documents_without_topics_are_not_said_to_have_any(configuration, open_page) -> None:
    """At so large an α0 all documents are drawn from one word distribution."""
    plain = {
        "corpus": "simulated_6000_60_2_10000_60_poisson_0.1_0",
        "configuration": configuration,
        "epsilon": "10",
    }
    app = open_page("topics", SMALL | {"k": "5"} | plain)
    assert "N 6,000 · d 60" in " ".join(text.value for text in app.markdown)
    title, caption = app.main.header[0].value, app.main.caption[0].value
    assert not [
        text.value for text in (*app.main.markdown, *app.main.caption) if RETIRED.search(text.value)
    ]
    assert not RETIRED.search(title)
    assert (
        WITHOUT_TOPICS in caption
        or "lost in noise" in title
        or title.startswith("Noise hides whether topics explain")
        or "None of the 5 topics has a part" in caption
    )
    assert configuration == "adaptive" or " your documents" in title


def test_topics_that_do_not_exist_are_not_promised_back(open_page) -> None:
    """Two true topics and four asked for: no ε brings the others, and in the column of the truth nothing is lost."""
    two_topics = {
        "corpus": "simulated_2000_60_2_1_60_poisson_0.1_0",
        "k": "4",
        "alpha0": "1",
        "v": "1",
    }
    app = open_page("topics", two_topics | {"epsilon": "10"})
    caption_text = " ".join(text.value for text in app.main.caption)
    assert "drawn from 2 topics" in caption_text
    assert "back" not in caption_text
    assert notes(app).count("no such topic") == 2
    app.select_slider(key=Key.EPSILON).set_value(0.1).run()
    assert "drawn from 2 topics" in " ".join(text.value for text in app.main.caption)


def test_topics_of_a_unigram_method_show_one_list_of_words(open_page, figure) -> None:
    app = open_page(
        "topics", {"v": "1", "corpus": "docstrings", "k": "4", "configuration": "private-unigram"}
    )
    assert app.main.header[0].value == "This method finds one list of words for every topic"
    titles = [note["text"] for note in figure(app, "topics.words.1")["layout"]["annotations"]]
    assert sum("Topic" in title for title in titles) == 2  # with noise and without
    assert "topics.words.2" not in [chart.key for chart in app.get("plotly_chart")]


def test_words_of_topics_stand_in_rows_of_two_in_the_order_of_numbers(app) -> None:
    columns = [[chart.key for chart in column.get("plotly_chart")] for column in app.main.columns]
    topics = [keys for keys in columns if any(key.startswith("topics.words") for key in keys)]
    assert topics == [[f"topics.words.{number}"] for number in (1, 2, 3, 4)]


def test_words_of_all_topics_share_one_axis(app) -> None:
    axis_ends = {
        tuple(spec["layout"][axis]["range"])
        for spec in word_figures(app)
        for axis in ("xaxis", "xaxis2", "xaxis3")
    }
    assert len(axis_ends) == 1


def test_titles_of_lanes_stand_above_both_columns_alone(app) -> None:
    titles = [block.proto.body for block in app.get("html") if "Side by side" in block.proto.body]
    assert len(titles) == 2
    assert all("<b>without noise</b>" in title for title in titles)
    assert not any("without noise" in note for note in notes(app))


def test_cards_stand_in_rows_of_two_in_the_order_of_numbers(app) -> None:
    app.segmented_control(key=f"{Key.LOOK}.topics").set_value("Cards and names").run()
    columns = [[field.label for field in column.text_input] for column in app.main.columns]
    assert [labels for labels in columns if labels] == [
        [f"Name of topic {number}"] for number in (1, 2, 3, 4)
    ]
