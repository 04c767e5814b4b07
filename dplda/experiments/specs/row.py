"""One row of a sweep's frame: a cell and its results."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A cell, its settings and its results; NaN for a number that does not apply or is missing.

    Attributes:
        setting: name of its setting.
        method: text of its method.
        configuration: name of the method, without a calibration.
        calibration: empty for a method without noise.
        status: of the guarantee.
        epsilon: ε; NaN without noise.
        delta: δ; NaN without noise.
        corpus: number of the corpus, from 0.
        repeat: number of the draw of noise, from 0.
        n_documents: ``N`` without held-out documents.
        n_words: ``d``.
        n_topics: ``k``.
        alpha0: ``α0`` given to the method.
        mean_length: mean number of words in a document.
        noise_seed: seed of the noise and of random starts.
        version: of the code, with a digest of its sources.
        l1_sum: sum over topics of L1 distances to the matched truth, in [0, 2k]; the paper's.
        l1_mean: its mean over topics, in [0, 2].
        l2_mean: mean over topics of L2 distances to the matched truth.
        sampling_l1: ``l1_sum`` of the same method without noise.
        privacy_l1: distance in the unit of ``l1_sum`` between the topics with and without noise.
        perplexity: of held-out documents.
        npmi: mean coherence of the topics on held-out documents.
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
