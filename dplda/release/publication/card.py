"""A card to post: three topics, the risk as a dial, whom it protects, and where the file is."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from dplda.core.errors import InputError
from dplda.corpus.words.vocabulary import strip_controls
from dplda.figures import theme
from dplda.release.artefact.artefact import Artefact
from dplda.release.artefact.released_file import release_sha256
from dplda.release.pictures.dial import risk_dial
from dplda.release.report.markup import TEMPLATES
from dplda.release.report.released import ReportContents, contents_of_release
from dplda.release.report.texts import describe_parameters
from dplda.release.shares.shares_file import ReleasedShares
from dplda.release.shares.together import guarantee_together
from dplda.release.verdict.outcome import judge_release

WIDTH = 1200  # of the card, in pixels, like all that follow
HEIGHT = 630
TITLE_WIDTH = 700.0
NAME_WIDTH = 640.0  # of a topic's name, which begins further right
LETTER_WIDTH = 0.58  # of a letter, in font sizes
LARGEST_TITLE = 54.0
LARGEST_NAME = 40.0
N_TOPICS = 3  # named on the card
LONGEST_TITLE = 60  # letters
LONGEST_NAME = 40
LONGEST_PLACE = 100
LINE_OF_CAVEATS = 150  # letters


@dataclass(frozen=True, slots=True)
class CardTopic:
    """A topic on the card.

    Attributes:
        number: as in the app and the report.
        name: its name, or its three most relevant words, shortened.
        size: of its letters, as text.
        colour: in hexadecimal.
        share: of all words, written in percent.
    """

    number: int
    name: str
    size: str
    colour: str
    share: str


def render_card(
    artefact: Artefact, tables: Sequence[ReleasedShares] = (), *, file_at: str = ""
) -> str:
    """Draw a released file as an SVG of 1200 × 630 pixels, light or dark as its reader's screen.

    It shows title, verdict, the ``N_TOPICS`` largest topics with evidence, the risk as a dial, whom
    it protects, ε and δ, where the file is, and caveats. It loads nothing and is a function of
    released values and of ``file_at``.

    Args:
        artefact: the released file.
        tables: tables of shares of its topics, released beside it; they raise the risk.
        file_at: where readers find the file, such as an address; empty for its SHA-256.

    Raises:
        InputError: ``file_at`` is too long for the card.
    """
    place_text = " ".join(strip_controls(file_at).text.split())
    if len(place_text) > LONGEST_PLACE:
        limit_text = f"at most {LONGEST_PLACE} characters long"
        raise InputError("the place of the file", limit_text, f"{len(place_text)}")
    contents = contents_of_release(artefact)
    guarantee = guarantee_together(artefact, tables)
    title = theme.shortened(f"Topics of {artefact.documents}", LONGEST_TITLE)
    return TEMPLATES.get_template("card.svg.jinja").render(
        title=title,
        title_size=_fitting_size(title, LARGEST_TITLE, TITLE_WIDTH),
        verdict=_describe_verdict(artefact),
        topics=_card_topics(contents),
        dial=risk_dial(guarantee.claimed_risk),
        unit=guarantee.adjacency.unit,
        protected=_describe_protected(artefact),
        parameters=describe_parameters(guarantee),
        place=place_text or f"SHA-256 {release_sha256(artefact)[:32]}…",
        caveats=_lines_of_caveats(guarantee.caveats),
    )


def _card_topics(contents: ReportContents) -> list[CardTopic]:
    """Choose the ``N_TOPICS`` largest topics with evidence, the largest first, with short names."""
    topics_by_size = sorted(
        contents.supported_topics, key=lambda topic: -float(contents.topic_shares[topic])
    )
    card_topics = []
    for topic in topics_by_size[:N_TOPICS]:
        color_number = contents.color_places[topic] + 1
        shown_name = theme.shortened(contents.titles[topic], LONGEST_NAME)
        card_topics.append(
            CardTopic(
                number=color_number,
                name=shown_name,
                size=_fitting_size(shown_name, LARGEST_NAME, NAME_WIDTH),
                colour=theme.topic_colour(color_number),
                share=f"{contents.topic_shares[topic]:.0%}",
            )
        )
    return card_topics


def _describe_verdict(artefact: Artefact) -> str:
    """The verdict, and of how many topics it is, where evidence says so."""
    word = judge_release(artefact).word
    n_supported = len(artefact.supported_topics)
    if artefact.evidence is None or n_supported == 0:
        return f"{word}."
    return f"{word}: {n_supported} of {artefact.n_topics} topics stand out from the noise."


def _describe_protected(artefact: Artefact) -> str:
    """Sentence on what is protected: each person with everything they wrote, or each document."""
    n_units_text = f"{artefact.n_documents:,}"
    if artefact.guarantee.adjacency.unit == "person":
        return (
            f"Differential privacy protects each of {n_units_text} people with everything they"
            " wrote."
        )
    return f"Differential privacy protects each of {n_units_text} documents."


def _fitting_size(text: str, largest: float, width: float) -> str:
    """Size of letters, at most ``largest``, with which a text fits a width on the card."""
    return f"{min(largest, width / (LETTER_WIDTH * max(len(text), 1))):.1f}"


def _lines_of_caveats(caveats: Sequence[str]) -> list[str]:
    """Everything that a guarantee leaves open, in lines that fit the card."""
    text = " ".join(f"{caveat[:1].upper()}{caveat[1:]}." for caveat in caveats)
    return textwrap.wrap(text, LINE_OF_CAVEATS)
