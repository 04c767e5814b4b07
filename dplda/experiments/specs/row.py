"""One row of a sweep's frame: a cell and its results."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A cell, its settings and its results; NaN for a number that does not apply or is missing.

    Attributes:
        calibration: empty for a method without noise.
        n_documents: ``N`` without held-out documents.
        alpha0: ``α0`` given to the method.
        l1_sum: sum over topics of L1 distances to the matched truth, in [0, 2k]; the paper's.
        l1_mean: its mean over topics, in [0, 2].
        sampling_l1: ``l1_sum`` of the same method without noise.
        privacy_l1: distance in the unit of ``l1_sum`` between the topics with and without noise.
        resolved: topics above the noise floor; ``k`` for a method without one, NaN if it refused.
        unreadable: share of topics whose part in the documents' gain noise alone could give; NaN if
            unknown.
        refused: why the method gave no result, else empty.
        failed: name of the exception if the program failed, else empty.
        seconds: time of this cell; shared work counts for the first cell that needs it.
    """

    setting: str
    method: str
    configuration: str
    calibration: str
    status: str
    epsilon: float
    delta: float
    corpus: int
    repeat: int
    n_documents: int
    n_words: int
    n_topics: int
    alpha0: float
    mean_length: float
    noise_seed: int
    version: str
    l1_sum: float = math.nan
    l1_mean: float = math.nan
    l2_mean: float = math.nan
    sampling_l1: float = math.nan
    privacy_l1: float = math.nan
    perplexity: float = math.nan
    npmi: float = math.nan
    resolved: float = math.nan
    unreadable: float = math.nan
    refused: str = ""
    failed: str = ""
    seconds: float = math.nan
