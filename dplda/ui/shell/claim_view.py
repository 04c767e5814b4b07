"""Claims that may be made of a run: badges, and the words behind them."""

import streamlit as st

from dplda.methods.configurations.verdict import EdgeVerdict
from dplda.privacy.accounting.groups import describe_ten_documents
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.ui.state.keys import Key

_BADGES = {  # word, icon, color
    Status.PROVEN: ("Proven", "verified_user", "green"),
    Status.AS_PUBLISHED: ("As published: not proven", "menu_book", "orange"),
    Status.NOT_PRIVATE: ("Not private", "lock_open", "red"),
}
_REASON_HEADINGS = {
    Status.PROVEN: "Why this holds",
    Status.AS_PUBLISHED: "Why this is not proven",
    Status.NOT_PRIVATE: "Why this is not private",
}
BROKEN_HEADING = "What the mechanism rests on"  # where a caveat breaks the claim
_BREAKING_WORDS: dict[Caveat, str] = {  # short enough to stand beside a title on a phone
    Caveat.SEED: "Seed not private",
    Caveat.VOCABULARY: "Word list not private",
    Caveat.GROUPS: "Groups not private",
    Caveat.SPLIT: "Split not private",
}


def status_badge(status: Status) -> str:
    """The badge of a status, in Markdown."""
    return _badge(*_BADGES[status])


def draw_claim(claim: Guarantee | EdgeVerdict) -> None:
    """Draw a guarantee, or the verdict on edges that match no configuration, as a badge.

    Such edges are *not private* if they leak; otherwise nothing is claimed of them.
    """
    if isinstance(claim, Guarantee):
        draw_guarantee(claim)
    elif claim.leak:
        st.markdown(status_badge(Status.NOT_PRIVATE))
    else:
        st.markdown(_badge("No claim", "help", "gray"))


def draw_guarantee(guarantee: Guarantee) -> None:
    """Draw a badge of the guarantee; a click shows the guarantee in words, and its reasons.

    The badge is the mechanism's, or those of all caveats that break it; the mechanism's own turns
    gray then. Behind it are the mechanism's badge and all caveats, too.
    """
    status_word, status_icon, status_colour = _BADGES[guarantee.mechanism]
    if _is_broken(guarantee):
        status_colour = "gray"
    mechanism_badge = _badge(status_word, status_icon, status_colour)
    breaking_badges = [
        _badge(_BREAKING_WORDS[caveat], "warning", "red")
        for caveat in guarantee.caveats
        if caveat.breaks_privacy
    ]
    popover_label = " ".join(breaking_badges or [mechanism_badge])
    with st.popover(popover_label, type="tertiary", key=Key.CLAIM, wrap=True):
        st.markdown(mechanism_badge)
        for caveat in guarantee.caveats:
            st.markdown(_caveat_badge(caveat))
        _draw_in_words(guarantee)


def _is_broken(guarantee: Guarantee) -> bool:
    """Whether what surrounds the mechanism breaks its guarantee."""
    return guarantee.status is not guarantee.mechanism


def _draw_in_words(guarantee: Guarantee) -> None:
    """Draw the guarantee in words, and its reasons under a heading that fits the status.

    A proven guarantee of documents also says how little it leaves to somebody who wrote ten of
    them.
    """
    st.markdown(guarantee.in_words())
    is_proven = guarantee.status is Status.PROVEN
    if is_proven and guarantee.adjacency is Adjacency.REPLACE_ONE:
        ten_documents_sentence = describe_ten_documents(
            guarantee.epsilon, guarantee.delta, gaussian_fit=False
        )
        st.markdown(
            f"This protects one document: {ten_documents_sentence}. To protect each person as a"
            " whole, choose a column of persons."
        )
    reasons_heading = _REASON_HEADINGS[guarantee.mechanism]
    if _is_broken(guarantee):
        reasons_heading = BROKEN_HEADING
    st.markdown(f"**{reasons_heading}**")
    st.markdown("\n".join(f"- {_capitalized(reason)}" for reason in guarantee.rests_on))


def _caveat_badge(caveat: Caveat) -> str:
    """A caveat as a badge: gray for simulated noise, red if it breaks privacy, else orange."""
    text = _capitalized(caveat)
    if caveat is Caveat.SIMULATED:
        return _badge(text, "casino", "gray")
    return _badge(text, "warning", "red" if caveat.breaks_privacy else "orange")


def _badge(word: str, icon_name: str, colour: str) -> str:
    return f":{colour}-badge[:material/{icon_name}: {word}]"


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
