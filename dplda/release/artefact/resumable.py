"""State in a released file for a release that continues it, and what was promised so far."""

import json
import math
from dataclasses import dataclass
from typing import NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from dplda.methods.base.previous_release import RunState, SpectralStart, StepState
from dplda.release.artefact.file_format import StoredArray, decode_array, encode_array


@dataclass(frozen=True, slots=True)
class Parent:
    """The release that a file continues.

    Attributes:
        receipt_number: of its charge.
        sha256: of its file without names of topics, in hexadecimal.
    """

    receipt_number: str
    sha256: str


@dataclass(frozen=True, slots=True)
class SelectedWords:
    """How a chain's words were selected, and the budget of its topics so far.

    Attributes:
        n_words: most words that could be selected.
        epsilon: ε of the selection.
        delta: δ of the selection.
        topics_epsilon: ε of all topics of the chain together, without the selection.
        topics_delta: δ of these topics.
    """

    n_words: int
    epsilon: float
    delta: float
    topics_epsilon: float
    topics_delta: float


class StoredParent(TypedDict):
    """A parent in the file."""

    charge: str
    sha256: str


class StoredSelection(TypedDict):
    """A selection of words in the file."""

    n_words: int
    epsilon: float
    delta: float
    topics_epsilon: float
    topics_delta: float


class StoredSteps(TypedDict):
    """Variational steps in the file."""

    topics: StoredArray
    shares: StoredArray
    mean: StoredArray
    precision: float


class StoredStart(TypedDict):
    """A spectral start in the file."""

    topics: StoredArray
    variance: StoredArray
    resolved: StoredArray
    unclipped: float


class StoredProgress(TypedDict, total=False):
    """Progress of a run; each part is left out where there is none."""

    steps: StoredSteps
    start: StoredStart


class StoredRunState(StoredProgress):
    """The state of a run in the file, whatever its fields are called in the code."""

    counts: StoredArray
    noise: float
    weights: StoredArray
    tilted: bool


class StoredState(TypedDict):
    """Everything in the file that a continuation needs."""

    state: StoredRunState
    apart: float
    parent: NotRequired[StoredParent]
    selected: NotRequired[StoredSelection]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Resumable:
    """State that a continuation needs beside the topics.

    Attributes:
        state: of the run.
        tv_slack: distance of exact noise that was charged so far, for all releases of the chain.
        parent: the release before; None for the first of a chain.
        selected_words: None for words that were public.
    """

    state: RunState
    tv_slack: float
    parent: Parent | None = None
    selected_words: SelectedWords | None = None

    def stored(self) -> StoredState:
        """Encode the state for the file; without keys for a parent or selected words if none."""
        stored_state: StoredState = {"state": _stored_run_state(self.state), "apart": self.tv_slack}
        if self.parent is not None:
            stored_state["parent"] = {
                "charge": self.parent.receipt_number,
                "sha256": self.parent.sha256,
            }
        selected_words = self.selected_words
        if selected_words is not None:
            stored_state["selected"] = {
                "n_words": selected_words.n_words,
                "epsilon": selected_words.epsilon,
                "delta": selected_words.delta,
                "topics_epsilon": selected_words.topics_epsilon,
                "topics_delta": selected_words.topics_delta,
            }
        return stored_state

    @classmethod
    def from_text(cls, text: str, *, n_topics: int, n_words: int) -> "Resumable":
        """Decode the state from a file's JSON; parent and selected words are None if missing.

        Args:
            text: JSON of a ``StoredState``.
            n_topics: ``k`` of the file.
            n_words: ``d`` of the file.

        Raises:
            KeyError, TypeError, ValueError: it holds something else.
        """
        stored_state: StoredState = json.loads(text)
        stored_parent = stored_state.get("parent")
        stored_selection = stored_state.get("selected")
        return cls(
            state=_read_run_state(stored_state["state"], n_topics, n_words),
            tv_slack=_positive(stored_state["apart"]),
            parent=_read_parent(stored_parent) if stored_parent else None,
            selected_words=_read_selection(stored_selection) if stored_selection else None,
        )


def _read_parent(stored_parent: StoredParent) -> Parent:
    """The release that was continued, by its receipt and the SHA-256 of its file."""
    if set(stored_parent) != {"charge", "sha256"}:
        raise KeyError("a parent with other keys")
    return Parent(receipt_number=stored_parent["charge"], sha256=stored_parent["sha256"])


def _read_selection(stored_selection: StoredSelection) -> SelectedWords:
    """How words were selected, and the budget of topics beside them.

    Refuses an ε or δ that is not above 0, with a ``ValueError``.
    """
    return SelectedWords(
        n_words=int(stored_selection["n_words"]),
        epsilon=_positive(stored_selection["epsilon"]),
        delta=_positive(stored_selection["delta"]),
        topics_epsilon=_positive(stored_selection["topics_epsilon"]),
        topics_delta=_positive(stored_selection["topics_delta"]),
    )


def _read_run_state(stored_state: StoredRunState, n_topics: int, n_words: int) -> RunState:
    """Read the state of a run; its steps and spectral start are None if the file has none.

    Refuses arrays of other shapes, and noise that is not above 0, with a ``ValueError``.
    """
    stored_steps = stored_state.get("steps")
    stored_start = stored_state.get("start")
    return RunState(
        noisy_word_counts=_sized(stored_state["counts"], (n_words,)),
        word_noise_std=_positive(stored_state["noise"]),
        word_weights=_sized(stored_state["weights"], (n_words,)),
        steps=_read_steps(stored_steps, n_topics, n_words),
        start=_read_start(stored_start, n_topics, n_words),
        prior_was_accepted=bool(stored_state["tilted"]),
    )


def _read_steps(stored_steps: StoredSteps | None, n_topics: int, n_words: int) -> StepState | None:
    """The state of variational steps; None where a file has none.

    Raises:
        ValueError: an array has another shape or infinite numbers, or the precision is not above 0.
    """
    if stored_steps is None:
        return None
    return StepState(
        topics=_sized(stored_steps["topics"], (n_topics, n_words)),
        topic_shares=_sized(stored_steps["shares"], (n_topics,)),
        running_mean=_sized(stored_steps["mean"], (n_topics, n_words)),
        precision=_positive(stored_steps["precision"]),
    )


def _read_start(
    stored_start: StoredStart | None, n_topics: int, n_words: int
) -> SpectralStart | None:
    """The spectral start of the steps; None where a file has none.

    Raises:
        ValueError: an array has another shape or infinite numbers, or the unclipped share is not
            above 0.
    """
    if stored_start is None:
        return None
    return SpectralStart(
        topics=_sized(stored_start["topics"], (n_topics, n_words)),
        error_variance=_sized(stored_start["variance"], (n_topics,)),
        was_found=_sized(stored_start["resolved"], (n_topics,)) > 0,
        unclipped_share=_positive(stored_start["unclipped"]),
    )


def _positive(number: float) -> float:
    """The number, which has to be positive and finite; else ``ValueError``."""
    if not 0 < number < math.inf:
        raise ValueError("a number out of range")
    return float(number)


def _sized(stored_array: StoredArray, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The array, which has to have this shape and finite numbers; else ``ValueError``."""
    array = decode_array(stored_array, len(shape))
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError("an array of another size")
    return array


def _stored_run_state(state: RunState) -> StoredRunState:
    """The state of a run under the names of the file."""
    return {
        "counts": encode_array(state.noisy_word_counts),
        "noise": state.word_noise_std,
        "weights": encode_array(state.word_weights),
        **_stored_steps_and_start(state),
        "tilted": state.prior_was_accepted,
    }


def _stored_steps_and_start(state: RunState) -> StoredProgress:
    """Encode the steps and the spectral start of a state; one that the state lacks is left out."""
    stored_progress: StoredProgress = {}
    if state.steps is not None:
        stored_progress["steps"] = {
            "topics": encode_array(state.steps.topics),
            "shares": encode_array(state.steps.topic_shares),
            "mean": encode_array(state.steps.running_mean),
            "precision": state.steps.precision,
        }
    if state.start is not None:
        stored_progress["start"] = {
            "topics": encode_array(state.start.topics),
            "variance": encode_array(state.start.error_variance),
            "resolved": encode_array(state.start.was_found.astype(np.float64)),
            "unclipped": state.start.unclipped_share,
        }
    return stored_progress
