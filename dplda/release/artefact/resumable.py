"""What a released file holds for a release that continues it: the state of its run, and what was promised so far."""

import base64
import json
import math
from dataclasses import asdict, dataclass, fields
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from dplda.methods.base.previous_release import RunState, StepState
from dplda.methods.refined.stages.spectral_start import SpectralStart

NUMBERS = "<f8"


class StoredArray(TypedDict):
    """An array in the file: its shape, and eight bytes for each number, as base64."""

    shape: list[int]
    float64: str


@dataclass(frozen=True, slots=True)
class Parent:
    """The release that a file continues: number of its charge, and SHA-256 of its file without names of topics."""

    charge: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Selected:
    """How a chain's words were selected, and the ε and δ of its topics alone so far."""

    n_words: int
    epsilon: float
    delta: float
    topics_epsilon: float
    topics_delta: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Resumable:
    """What a continuation needs beside the topics.

    Attributes:
        apart: distance of exact noise that was charged so far, for all releases of the chain.
        parent: the release before; None for the first of a chain.
        selected: None for words that were public.
    """

    state: RunState
    apart: float
    parent: Parent | None = None
    selected: Selected | None = None

    def stored(self) -> object:
        """As the file holds it."""
        content: dict[str, object] = {"state": _stored_state(self.state), "apart": self.apart}
        if self.parent is not None:
            content["parent"] = asdict(self.parent)
        if self.selected is not None:
            content["selected"] = asdict(self.selected)
        return content

    @classmethod
    def read(cls, text: str, *, k: int, d: int) -> "Resumable":
        """From the JSON text of a file, for k topics over d words.

        Raises:
            KeyError, TypeError, ValueError: it holds something else.
        """
        held = json.loads(text)
        state, parent, selected = held["state"], held.get("parent"), held.get("selected")
        steps, start = state.pop("steps", None), state.pop("start", None)
        if steps is not None:
            steps = StepState(
                topics=_sized(steps["topics"], (k, d)),
                topic_shares=_sized(steps["shares"], (k,)),
                running_mean=_sized(steps["mean"], (k, d)),
                precision=_positive(steps["precision"]),
            )
        if start is not None:
            start = SpectralStart(
                topics=_sized(start["topics"], (k, d)),
                error_variance=_sized(start["variance"], (k,)),
                was_found=_sized(start["resolved"], (k,)) > 0,
                unclipped_share=_positive(start["unclipped"]),
            )
        found = RunState(
            noisy_word_counts=_sized(state["counts"], (d,)),
            word_noise_std=_positive(state["noise"]),
            word_weights=_sized(state["weights"], (d,)),
            steps=steps,
            start=start,
            prior_was_accepted=bool(state["tilted"]),
        )
        return cls(
            state=found,
            apart=_positive(held["apart"]),
            parent=parent and Parent(**parent),
            selected=selected
            and Selected(
                int(selected["n_words"]),
                *(_positive(selected[one.name]) for one in fields(Selected)[1:]),
            ),
        )


def _positive(number: float) -> float:
    if not 0 < number < math.inf:
        raise ValueError("a number out of range")
    return float(number)


def _sized(stored: StoredArray, size: tuple[int, ...]) -> NDArray[np.float64]:
    found = read_array(stored, len(size))
    if found.shape != size or not np.isfinite(found).all():
        raise ValueError("an array of another size")
    return found


def _stored_state(state: RunState) -> dict[str, object]:
    """The state of a run under the names that files have, whatever its fields are called here."""
    content: dict[str, object] = {
        "counts": written_array(state.noisy_word_counts),
        "noise": state.word_noise_std,
        "weights": written_array(state.word_weights),
    }
    if state.steps is not None:
        content["steps"] = {
            "topics": written_array(state.steps.topics),
            "shares": written_array(state.steps.topic_shares),
            "mean": written_array(state.steps.running_mean),
            "precision": state.steps.precision,
        }
    if state.start is not None:
        content["start"] = {
            "topics": written_array(state.start.topics),
            "variance": written_array(state.start.error_variance),
            "resolved": written_array(state.start.was_found.astype(np.float64)),
            "unclipped": state.start.unclipped_share,
        }
    content["tilted"] = state.prior_was_accepted
    return content


def written_array(array: NDArray[np.float64]) -> StoredArray:
    """An array for the file."""
    data = np.ascontiguousarray(array, dtype=NUMBERS).tobytes()
    return {"shape": list(array.shape), "float64": base64.b64encode(data).decode("ascii")}


def read_array(stored: StoredArray, axes: int) -> NDArray[np.float64]:
    """An array of the file, with so many axes."""
    array = np.frombuffer(base64.b64decode(stored["float64"], validate=True), dtype=NUMBERS).astype(
        np.float64
    )
    if len(stored["shape"]) != axes:
        raise ValueError("an array of another kind")
    return array.reshape(stored["shape"])
