"""The content of a released file: a release under the names of the file, and back."""

import json
import math

import numpy as np
from numpy.typing import NDArray

from dplda.core.types import Matrix, Vector
from dplda.evaluation.evidence import EvidenceCheck, ReleasedEvidence
from dplda.evaluation.knowledge import PriorUse
from dplda.evaluation.relevance import clean_topic_name
from dplda.privacy.accounting.odds import allows_whole_documents
from dplda.privacy.adjacency import Adjacency
from dplda.privacy.release import Caveat, Guarantee, Status
from dplda.release.artefact.artefact import Artefact, NoisyValueFacts
from dplda.release.artefact.file_format import (
    VERSION,
    StoredArray,
    StoredContent,
    StoredEvidence,
    StoredEvidenceCheck,
    StoredFile,
    StoredGain,
    StoredGuarantee,
    StoredPrior,
    StoredPriorUse,
    StoredValue,
    canonical_text,
    decode_array,
    encode_array,
)
from dplda.release.artefact.resumable import Resumable


def store_content(artefact: Artefact) -> StoredContent:
    """Build the dictionary that a file holds under ``release``, with the keys in their order there.

    Arrays, evidence and tables that the release lacks are null or left out, as in older files.
    """
    return {
        "documents": artefact.documents,
        "n_documents": artefact.n_documents,
        "method": artefact.method,
        "alpha0": artefact.alpha0,
        "n_topics": artefact.n_topics,
        "vocabulary": list(artefact.vocabulary),
        "words": encode_array(artefact.topics),
        "mean_words": encode_array(artefact.word_frequencies),
        "shares": encode_array(artefact.topic_shares),
        "lower": _encode(artefact.lower),
        "upper": _encode(artefact.upper),
        **_stored_gain(artefact),
        **_stored_prior(artefact),
        "drawn": [_stored_facts(noisy_value) for noisy_value in artefact.noisy_values],
        "promise": _stored_guarantee(artefact),
        "charge": artefact.receipt_number,
        "released": artefact.released_at,
        "versions": dict(artefact.versions),
    }


def _encode(array: Matrix | Vector | None) -> StoredArray | None:
    return None if array is None else encode_array(array)


def _stored_gain(artefact: Artefact) -> StoredGain:
    """Encode the evidence of a release; without it ``told_apart``, as older releases have it."""
    evidence = artefact.evidence
    if evidence is None:
        return {"told_apart": _encode(artefact.told_apart)}
    stored_evidence: StoredEvidence = {
        "explained": evidence.gain_nats,
        "noise": evidence.gain_noise,
        "length": evidence.length,
        "length_noise": evidence.length_noise,
        "by_topic": evidence.by_topic.tolist(),
        "topic_noise": evidence.topic_noise,
    }
    return {"evidence": stored_evidence}


def stored_evidence_check(artefact: Artefact) -> StoredEvidenceCheck | None:
    """The comparison of the evidence with simulated documents; None if it was not made."""
    if artefact.evidence is None or artefact.evidence.known_check is None:
        return None
    check = artefact.evidence.known_check
    return {
        "significant": check.is_significant,
        "supported": list(check.supported_topics),
        "optimism": check.optimism,
        "optimism_error": check.optimism_error,
    }


def _stored_prior(artefact: Artefact) -> StoredPrior:
    """Encode what a public table gave: its topics, and how the run used it.

    Each is left out if the release lacks it. The advantage of the table is not stored.
    """
    stored_prior: StoredPrior = {}
    if artefact.prior_topics is not None:
        stored_prior["brought"] = encode_array(artefact.prior_topics)
    prior_use = artefact.prior_use
    if prior_use is not None:
        stored_prior["table"] = {
            "name": prior_use.name,
            "digest": prior_use.digest,
            "asked": prior_use.asked,
            "used": prior_use.used,
            "stepped": prior_use.stepped,
        }
    return stored_prior


def _stored_facts(noisy_value: NoisyValueFacts) -> StoredValue:
    """Encode facts about a noisy value (size, mechanism, noise) with the keys of the file."""
    return {
        "quantity": noisy_value.quantity,
        "shape": list(noisy_value.shape),
        "mechanism": noisy_value.mechanism,
        "sensitivity": noisy_value.sensitivity,
        "scale": noisy_value.scale,
        "mu": noisy_value.mu,
        "times": noisy_value.times,
    }


def _stored_guarantee(artefact: Artefact) -> StoredGuarantee:
    """Encode the guarantee; the caveat on δ is left out.

    The key ``seen`` holds the other caveats, and is left out if there are none.
    """
    guarantee = artefact.guarantee
    stored_guarantee: StoredGuarantee = {
        "epsilon": guarantee.epsilon,
        "delta": guarantee.delta,
        "protected": guarantee.adjacency.value,
        "in_words": artefact.guarantee_text,
        "rests_on": list(guarantee.rests_on),
    }
    caveats = [caveat.name for caveat in guarantee.caveats if caveat is not Caveat.DELTA]
    if caveats:
        stored_guarantee["seen"] = caveats
    return stored_guarantee


def read_content(stored_file: StoredFile) -> Artefact:
    """Decode the release in a file, and clean the names of its topics.

    A state that an older version wrote, and this one cannot use, is kept as text.
    Whether its parts fit each other is not checked here.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: something is missing, unknown or of another
            kind.
    """
    stored_content = stored_file["release"]
    if not set(stored_content) <= set(StoredContent.__annotations__):
        raise KeyError("a key that no release has")
    resumable, older_state = _read_state(stored_file)
    return Artefact(
        documents=stored_content["documents"],
        n_documents=stored_content["n_documents"],
        method=stored_content["method"],
        alpha0=stored_content["alpha0"],
        n_topics=stored_content["n_topics"],
        vocabulary=tuple(stored_content["vocabulary"]),
        topics=_decode_present(stored_content["words"], 2),
        word_frequencies=_decode_present(stored_content["mean_words"], 1),
        topic_shares=_decode_present(stored_content["shares"], 1),
        lower=_decode(stored_content.get("lower"), 2),
        upper=_decode(stored_content.get("upper"), 2),
        told_apart=_decode(stored_content.get("told_apart"), 1),
        evidence=_read_evidence(stored_content.get("evidence"), stored_file.get("evidence_check")),
        prior_topics=_decode(stored_content.get("brought"), 2),
        prior_use=_read_prior_use(stored_content.get("table")),
        noisy_values=tuple(_read_facts(stored_value) for stored_value in stored_content["drawn"]),
        guarantee=_read_guarantee(stored_content["promise"], stored_content["n_documents"]),
        receipt_number=stored_content["charge"],
        released_at=stored_content["released"],
        versions=stored_content["versions"],
        guarantee_text=stored_content["promise"]["in_words"],
        resumable=resumable,
        names=tuple(clean_topic_name(topic_name) for topic_name in stored_file.get("names", ())),
        groups=tuple(tuple(group) for group in stored_file.get("groups", ())),
        hidden=tuple(tuple(group) for group in stored_file.get("hidden", ())),
        seal=stored_file.get("seal", ""),
        version=stored_file["version"],
        older_state=older_state,
    )


def _decode(stored_array: StoredArray | None, n_axes: int) -> NDArray[np.float64] | None:
    return None if stored_array is None else decode_array(stored_array, n_axes)


def _decode_present(stored_array: StoredArray | None, n_axes: int) -> NDArray[np.float64]:
    if stored_array is None:
        raise ValueError("an array that every release has is missing")
    return decode_array(stored_array, n_axes)


def _read_evidence(
    stored_evidence: StoredEvidence | None, stored_check: StoredEvidenceCheck | None
) -> ReleasedEvidence | None:
    """The evidence in a file, None if it has none, and its comparison with simulated documents.

    Raises:
        KeyError: the file's evidence, or its check, has other keys.
        ValueError: there is a check without evidence.
    """
    if stored_evidence is None:
        if stored_check is not None:
            raise ValueError("a check of evidence that the file lacks")
        return None
    if set(stored_evidence) != set(StoredEvidence.__annotations__):
        raise KeyError("evidence with other keys")
    return ReleasedEvidence(
        gain_nats=stored_evidence["explained"],
        gain_noise=stored_evidence["noise"],
        length=stored_evidence["length"],
        length_noise=stored_evidence["length_noise"],
        by_topic=np.array(stored_evidence["by_topic"], dtype=float),
        topic_noise=stored_evidence["topic_noise"],
        known_check=_read_evidence_check(stored_check),
    )


def _read_evidence_check(stored_check: StoredEvidenceCheck | None) -> EvidenceCheck | None:
    """The comparison of evidence with simulated documents; None if it was not made.

    Raises:
        KeyError: it has other keys.
    """
    if stored_check is None:
        return None
    if set(stored_check) != set(StoredEvidenceCheck.__annotations__):
        raise KeyError("a check of evidence with other keys")
    return EvidenceCheck(
        is_significant=stored_check["significant"],
        supported_topics=tuple(stored_check["supported"]),
        optimism=stored_check["optimism"],
        optimism_error=stored_check["optimism_error"],
    )


def _read_prior_use(stored_use: StoredPriorUse | None) -> PriorUse | None:
    """Decode the use of a public table; None if the file has none.

    An advantage that the file lacks becomes NaN.

    Raises:
        KeyError: it has other keys.
    """
    if stored_use is None:
        return None
    if not set(stored_use) <= set(StoredPriorUse.__annotations__):
        raise KeyError("the use of a table with other keys")
    return PriorUse(
        name=stored_use["name"],
        digest=stored_use["digest"],
        asked=stored_use["asked"],
        used=stored_use["used"],
        stepped=stored_use["stepped"],
        advantage=stored_use.get("advantage", math.nan),
    )


def _read_facts(stored_value: StoredValue) -> NoisyValueFacts:
    """Facts about a noisy value as a file holds them: its size, mechanism and noise, not the value.

    Raises:
        KeyError: they have other keys.
    """
    if set(stored_value) != set(StoredValue.__annotations__):
        raise KeyError("a noisy value with other keys")
    return NoisyValueFacts(
        quantity=stored_value["quantity"],
        shape=tuple(stored_value["shape"]),
        mechanism=stored_value["mechanism"],
        sensitivity=stored_value["sensitivity"],
        scale=stored_value["scale"],
        mu=stored_value["mu"],
        times=stored_value["times"],
    )


def _read_guarantee(stored_guarantee: StoredGuarantee, n_documents: int) -> Guarantee:
    """Decode the guarantee as proven and of Gaussian noise, which the checks of a file make sure.

    It has the file's caveats, and before them the caveat on δ if δ is large for N.

    Raises:
        KeyError: a part is missing, or a caveat is unknown.
        ValueError: it protects something unknown.
        InputError: its δ is out of its range.
    """
    caveats = []
    if allows_whole_documents(stored_guarantee["delta"], n_documents):
        caveats.append(Caveat.DELTA)
    caveats += [Caveat[caveat_name] for caveat_name in stored_guarantee.get("seen", ())]
    return Guarantee(
        Status.PROVEN,
        stored_guarantee["epsilon"],
        stored_guarantee["delta"],
        tuple(caveats),
        Adjacency(stored_guarantee["protected"]),
        tuple(stored_guarantee["rests_on"]),
        releasable=True,
        is_gaussian=True,  # of every file, whose noise is checked against its guarantee
    )


def _read_state(stored_file: StoredFile) -> tuple[Resumable | None, str]:
    """Decode the state in a file; keep its text if an older version wrote an unusable one.

    Returns:
        The state and an empty text; None and the text of a state that this version cannot use; or
        None and an empty text if there is no state.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: this version wrote it, and it is unusable.
    """
    stored_state = stored_file.get("state")
    if stored_state is None:
        return None, ""
    stored_content = stored_file["release"]
    try:
        resumable = Resumable.from_text(
            canonical_text(stored_state),
            n_topics=stored_content["n_topics"],
            n_words=len(stored_content["vocabulary"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        if stored_file["version"] == VERSION:
            raise
        return None, json.dumps(stored_state)
    return resumable, ""
