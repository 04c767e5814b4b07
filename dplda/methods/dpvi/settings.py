"""The public choices of a private variational run, and the claim of each calibration."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from dplda.core import checks
from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration, PublishedReading, Scaling
from dplda.methods.configurations.averages import CONSTANTS_CHOSEN
from dplda.methods.denoising.word_frequencies import CLIP_NORM
from dplda.methods.dpvi.accounting import Accountant, SamplingSchedule, noise_multiplier_for
from dplda.privacy.adjacency import REPLACEMENT_IN_WORDS, Adjacency, Assumption
from dplda.privacy.release import Status

MOST_STEPS = 100_000  # minibatches of a run: some minutes on small corpora
MOST_WORDS = 1_000_000_000  # of a document, and iterations on it: more are no different
MOST_HALVINGS = 7  # of the minibatches of a run whose accountant does not reach ε otherwise


class Clipping(StrEnum):
    """The statistic that the published algorithm scales down to the norm ``a·N_max``."""

    MINIBATCH = "the mean of a minibatch"
    """As the paper's formula prints it."""
    DOCUMENT = "each document"
    """As the paper's words have it, *clipping being applied to around 3/4 of the documents*."""


@dataclass(frozen=True, slots=True)
class VariationalSettings:
    """Public choices of a run, made without looking at the documents.

    Attributes:
        sampling_rate: ``ν`` in (0, 1], chance of each document to be in a minibatch.
        epochs: mean number of times a document is taken; the steps are ``epochs/ν``, rounded.
        longest: ``N_max``, words beyond which a document's counts are scaled down.
        bound: ``C``, bound on the norm of one document's statistic in the corrected calibration, in
            words.
        batch_bound: ``a`` in (0, 1]: as published the batch's statistic is scaled down to
            ``a·N_max/S``.
        offset: ``τ0`` ≥ 0, which slows the first steps.
        decay: ``κ`` in [0, 1]; 0 keeps the last step alone.
        topic_prior: ``η`` > 0, added to every word of every topic.
        spread: shape of the gamma distribution of the first λ; large for similar first topics,
            which merge less often.
        tolerance: mean change of a document's γ, in words, below which inference stops.
        most_iterations: of inference on a document.
        accountant: how the steps are composed.
        word_steps: minibatches that count words alone, before topics; None for the choice of
            ``first_word_share``.
        words_bound: norm that a document's word counts are scaled down to, in words.
        clipping: what is scaled down as published; every document's statistic where corrected.
        halves_minibatches: whether minibatches are halved, and twice as many, until the accountant
            reaches ε.
    """

    sampling_rate: float = 0.1
    epochs: float = 6.0
    longest: int = 200
    bound: float = 5.0
    batch_bound: float = 0.1
    offset: float = 0.0
    decay: float = 0.5
    topic_prior: float = 0.1
    spread: float = 1000.0
    tolerance: float = 0.5
    most_iterations: int = 20
    accountant: Accountant = Accountant.PLD
    word_steps: int | None = None
    words_bound: float = CLIP_NORM
    # The key of a run's noise holds the text of its settings; ``key_choices`` adds these two.
    clipping: Clipping = field(default=Clipping.MINIBATCH, repr=False)
    halves_minibatches: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse a setting that is out of its range, or does not fit the others."""
        checks.plain(self)
        for field_name in ("epochs", "bound", "topic_prior", "spread", "tolerance", "words_bound"):
            checks.moderate(field_name, getattr(self, field_name))
        for field_name in ("sampling_rate", "batch_bound"):
            checks.share(field_name, getattr(self, field_name))
        for field_name in ("longest", "most_iterations"):
            checks.integer_between(field_name, getattr(self, field_name), 1, MOST_WORDS)
        if self.epochs / self.sampling_rate > MOST_STEPS:
            raise InputError(
                "epochs / sampling_rate",
                f"at most {MOST_STEPS:,} minibatches",
                f"{self.epochs / self.sampling_rate:.3g}",
                "Choose fewer epochs, or a larger sampling rate.",
            )
        checks.one_of("accountant", self.accountant, Accountant)
        checks.one_of("clipping", self.clipping, Clipping)
        checks.instance("halves_minibatches", self.halves_minibatches, bool)
        checks.between("offset", self.offset, 0, checks.LARGEST, open_ends=False)
        checks.between("decay", self.decay, 0, 1, open_ends=False)
        if self.word_steps is not None:
            checks.integer_between("word_steps", self.word_steps, 0, self.steps)

    @property
    def steps(self) -> int:
        """T, total number of minibatches, at least one."""
        return max(1, round(self.epochs / self.sampling_rate))

    @property
    def key_choices(self) -> tuple[str, ...]:
        """Texts that tell these settings from all others, for the key of a run's noise."""
        is_usual = self.clipping is Clipping.MINIBATCH and not self.halves_minibatches
        further = () if is_usual else (str(self.clipping), str(self.halves_minibatches))
        return repr(self), *further

    def schedule(
        self, epsilon: float, delta: float, *, adjacency: Adjacency = Adjacency.REPLACE_ONE
    ) -> SamplingSchedule:
        """Calibrate the noise to ε and δ.

        If the accountant finds none and the settings allow it, halves the sampling rate and doubles
        the steps, and tries again, at most ``MOST_HALVINGS`` times and up to ``MOST_STEPS`` steps.

        Args:
            epsilon: ε of the whole run.
            delta: δ of the whole run.
            adjacency: which corpora are neighbors.

        Raises:
            InputError: the accountant finds no noise that is large enough.
        """
        for halvings in range(MOST_HALVINGS + 1):
            sampling_rate = self.sampling_rate / 2**halvings
            steps = self.steps * 2**halvings
            try:
                sigma = noise_multiplier_for(
                    epsilon=epsilon,
                    delta=delta,
                    sampling_rate=sampling_rate,
                    steps=steps,
                    accountant=self.accountant,
                    adjacency=adjacency,
                )
            except InputError:
                is_last_try = halvings == MOST_HALVINGS or 2 * steps > MOST_STEPS
                if not self.halves_minibatches or is_last_try:
                    raise
            else:
                return SamplingSchedule(sigma, sampling_rate, steps)
        raise AssertionError("the last number of halvings returns or raises")


PUBLISHED_SETTINGS = VariationalSettings(
    sampling_rate=0.05,
    epochs=1.0,
    accountant=Accountant.CAPPED,
    halves_minibatches=True,
)
"""Settings of the paper: one epoch, minibatches of at most a twentieth of the documents, its
accountant. With ε = 2.44 and δ = 1e-4 they give its σ = 1.24."""


def default_settings(scaling: Scaling | None) -> VariationalSettings:
    """Choose the settings of a calibration: the paper's own as published, else our defaults.

    Args:
        scaling: calibration, or another reading of the published method.
    """
    if scaling == PublishedReading.BY_DOCUMENT:
        return replace(PUBLISHED_SETTINGS, clipping=Clipping.DOCUMENT)
    return PUBLISHED_SETTINGS if scaling == Calibration.PUBLISHED else VariationalSettings()


_SECRET = (
    "Which documents are in a minibatch is drawn at random and must stay secret; its key is like"
    " the noise's."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClippingScheme:
    """How a calibration bounds the effect of a document.

    Attributes:
        status: what is proven of it.
        rests_on: assumptions of the proof, or gaps of the claim; sentences.
        clip_norm: norm that statistics are scaled down to, and the unit of σ, in words.
        clips_documents: whether every document's statistic is scaled down; as printed, that of the
            whole batch is.
        filters_noise: whether known noise is filtered out at the end, and first minibatches may
            count words alone; as published, noisy steps are cut at 0 instead.
        adjacency: which corpora are neighbors for ε.
    """

    status: Status
    rests_on: tuple[str, ...]
    clip_norm: float
    clips_documents: bool
    filters_noise: bool
    adjacency: Adjacency


def clipping_scheme(calibration: Calibration, settings: VariationalSettings) -> ClippingScheme:
    """Choose the bound and the claim of a calibration.

    Raises:
        InputError: there is no such calibration.
    """
    if calibration == Calibration.CORRECTED:
        return ClippingScheme(
            status=Status.PROVEN,
            rests_on=(
                "Every document's statistic is scaled down to a fixed norm before it is added up.",
                Assumption.NEIGHBOURS,
                REPLACEMENT_IN_WORDS,
                CONSTANTS_CHOSEN,
                _SECRET,
            ),
            clip_norm=settings.bound,
            clips_documents=True,
            filters_noise=True,
            adjacency=Adjacency.REPLACE_ONE,
        )
    if calibration == Calibration.PUBLISHED:
        return _published_scheme(settings)
    raise InputError(
        "calibration", f"{Calibration.CORRECTED!s} or {Calibration.PUBLISHED!s}", str(calibration)
    )


_INCLUDE_OR_EXCLUDE = (
    "ε counts one document more or less, as in the paper. One document replaced by another costs"
    " about twice as much."
)


def _published_scheme(settings: VariationalSettings) -> ClippingScheme:
    """Make the bound and the claim of the paper, under the settings' reading of its clipping.

    Of documents, or (as printed) of the mean of a minibatch; neither is called proven. Noise is not
    filtered, and neighbors have one document more or less.
    """
    clips_documents = settings.clipping is Clipping.DOCUMENT
    gaps: tuple[str, ...] = (
        "The statistic of a whole minibatch is scaled down to the norm that the noise is a multiple"
        " of: one more document can turn that statistic around and move it by up to √2 times the"
        " norm. The paper counts it once.",
        "How far it moves depends on the other documents, which accounting for random minibatches"
        " does not cover.",
    )
    if clips_documents:
        gaps = (
            "Every document is scaled down to a fixed norm. The paper's formula scales down the"
            " mean of a minibatch instead, which hides nearly everything.",
        )
    return ClippingScheme(
        status=Status.AS_PUBLISHED,
        rests_on=(*gaps, _INCLUDE_OR_EXCLUDE, _SECRET),
        clip_norm=settings.batch_bound * settings.longest,
        clips_documents=clips_documents,
        filters_noise=False,
        adjacency=Adjacency.ADD_OR_REMOVE_ONE,
    )
