"""Why one document can move a released quantity no further than its stated sensitivity: a sentence each."""

from dplda.privacy.release import Release, Status

_COUNTS = "Nine counts of documents, each moved by at most 1 when one is replaced: √9 together."
_WHOLE = "A document's {} add up to 1, so replacing one moves at most 2 of them in total, and the average divides by N."
_APART = "A document's {} have length at most {}, and two non-negative tables are at most √2 times that apart."

_PROVEN = {
    "C₂": _COUNTS,
    "C₃": _COUNTS,
    "w̄": "A document's weight lies between 0 and 1, and the average divides by N.",
    "E₁": _APART.format("weighted word frequencies", "√(√2 C₂)"),
    "E₂": _APART.format("weighted pair frequencies, counted by unordered pairs,", "√2 C₂"),
    "E₃": _APART.format("triple frequencies, counted by unordered triples,", "1"),
    "M₂": "√(2 + 4a²)/N, which two documents of one repeated word each attain.",
    "σk": "No eigenvalue of M₂ moves by more than the largest stretch of its change, at most 2/N.",
    "gap": "Two eigenvalues of M₂, each moved by at most 2/N.",
    "largest word": "No word's frequency in a document lies outside 0 and 1, and the average divides by N.",
    "largest pair": "No pair's frequency in a document lies outside 0 and 1, and the average divides by N.",
}
_PURE = {
    "w̄": _PROVEN["w̄"],
    "E₁": _WHOLE.format("word frequencies"),
    "E₂": _WHOLE.format("pair frequencies"),
    "E₃": _WHOLE.format("triple frequencies"),
}
_CLIPPED_TENSOR = "Every document's tensor is cut down to length C₃; two of them are at most 2 C₃ apart."
_ALIGNED_TENSOR = (
    "The change of M₃ seen through the whitening, plus the turning of the whitening itself, both bounded from below"
    " through the private bounds of σk and of the gap after it (Theorem 5′)."
)
_PUBLISHED = {
    "M₂": "1/N as printed; a document can move M₂ by √(2 + 4a²)/N.",
    "M₃": "1/N as printed; a document can move M₃ further, by at least √2/N.",
    "σk": "1/N as printed; a document can move σk by up to 2/N.",
    "γs": "1/N as printed; how far a document can move γs has no such bound.",
    "T": "k^1.5/(N σ̃k^1.5) as printed, from a false lemma: two neighbours exist whose T differ by a constant.",
    "v, λ": "k²/(γ̃s N σ̃k^1.5) as printed, for one vector and used for all; its theorem does not apply here.",
    "μ, α": "k² √σ₁/(γ̃s N σ̃k^1.5) as printed, for one topic and used for all; σ₁ itself is read off unprotected.",
}


def why(release: Release, status: Status) -> str:
    """The sentence for a release of a plan of this status."""
    if status is Status.AS_PUBLISHED:
        return _PUBLISHED[release.symbol]
    if release.pure_epsilon:
        return _PURE[release.symbol]
    if release.symbol == "T":
        return _ALIGNED_TENSOR if "private frame" in release.quantity else _CLIPPED_TENSOR
    return _PROVEN[release.symbol]


def refusal(bound: str) -> str:
    """Why a quantity has no noise scale."""
    return f"The private lower bound of {bound} comes out at 0 or below: no finite noise protects this."
