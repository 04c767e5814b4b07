"""Which key the noise of a run is drawn from, derived in this one place."""

from dplda.corpus.corpus import Label
from dplda.corpus.on_disk import AnyCorpus
from dplda.privacy.noise.keys import NoiseKey, Secret, SecretKey, SeedKey


def draw_key(
    corpus: AnyCorpus, *, method: tuple[str, ...], choices: tuple[str, ...], seed: int, secret: Secret | None = None
) -> NoiseKey:
    """The key of one run.

    On simulated and public corpora it is a seed and the method, so that one seed gives common noise across ε and
    splits. On a sensitive corpus it is a secret with everything that tells this run from another one: two runs that
    differ in a plan, in the documents or in the number of the draw share no number.

    Args:
        method: its name and the scaling of its noise.
        choices: all else that the run depends on, in words: ε, δ, split, numbers of topics, settings.
        seed: a public seed; on a sensitive corpus, the number of the draw.
        secret: of the session, where the same draw may be asked for again; drawn anew where None. Not looked at on
            simulated and public corpora.
    """
    if corpus.label is not Label.SENSITIVE:
        return SeedKey(seed, method)
    return SecretKey((corpus.digest, *method, *choices, str(seed)), secret or Secret())
