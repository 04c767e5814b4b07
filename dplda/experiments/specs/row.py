"""One row of a sweep's frame: a cell and what came out."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A cell, its circumstances and its results; NaN where a number does not apply or did not come out.

    Attributes:
        calibration: empty for a method without noise.
        n_documents: ``N`` that was fitted to, held-out documents not counted.
        alpha0: ``α0`` that the method was told.
        l1_sum: matched error against the truth, sum over topics of L1 distances, in [0, 2k]; the paper's.
        l1_mean: its mean over topics, in [0, 2].
        sampling_l1: part of ``l1_sum`` that the same method without noise has too.
        privacy_l1: distance in the unit of ``l1_sum`` between the topics with and without noise.
        resolved: topics above the noise floor; ``k`` where a method has no such floor, NaN where it refused.
        unreadable: share of the topics that are no further from the mean word distribution than noise; NaN where it
            does not say.
        refused: why there is no result, in words; empty where there is one.
        failed: name of the exception where the program, not the method, gave up; empty elsewhere.
        seconds: time of this cell; what cells of one corpus share is counted in the first that needs it.
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
    umass: float = math.nan
    resolved: float = math.nan
    unreadable: float = math.nan
    refused: str = ""
    failed: str = ""
    seconds: float = math.nan
