"""The flow of the spectral method: steps, edges, and what each edge carries, in words and equations."""

from enum import StrEnum

from dplda.flow.graph import Arrow, Flow, Place, Step


class Edge(StrEnum):
    """An edge of the spectral flow, named as in the paper.

    Example:
        >>> from dplda.flow import Edge
        >>> Edge("e8") is Edge.E8
        True
        >>> f"noise on {Edge.E8}"
        'noise on e8'
    """

    E0 = "e0"
    E1 = "e1"
    E2 = "e2"
    E3 = "e3"
    E4 = "e4"
    E5 = "e5"
    E6 = "e6"
    E7 = "e7"
    E8 = "e8"
    E9 = "e9"


_STEPS: tuple[Step, ...] = (
    Step("corpus", "Documents", 0, 1),
    Step("M3", "Triple moment M₃", 1, 2),
    Step("M2", "Pair moment M₂", 1, 0),
    Step("spectrum", "Spectrum U, Σ", 2, 0),
    Step("tensor", "Whitened tensor T", 3, 2),
    Step("unwhitening", "Unwhitening W†", 4, 0),
    Step("factors", "Factors λ, v", 4, 2),
    Step("topics", "Topics", 5, 1),
    Step("output", "Output", 6, 1),
)

_ARROWS: tuple[Arrow, ...] = (
    Arrow(
        Edge.E0,
        "corpus",
        "M2",
        "pair frequencies of the documents",
        "For every document, how often each pair of words occurs in it, as a share of all its pairs of positions.",
        "f₂ = (c cᵀ − diag c) / (l (l − 1))",
        place=Place(leaves=0.12),
    ),
    Arrow(
        Edge.E1,
        "corpus",
        "M3",
        "triple frequencies of the documents",
        "For every document, how often each three words occur together in it, as a share of all triples of positions.",
        "f₃ = (c⊗c⊗c − s₃(diag c, c) + 2 Σᵢ cᵢ eᵢ⊗eᵢ⊗eᵢ) / (l (l − 1) (l − 2))",
        road="by way of the triple moment",
        place=Place(leaves=-0.12),
    ),
    Arrow(
        Edge.E2,
        "M2",
        "spectrum",
        "the pair moment, for all its uses",
        "Which words go together more often than chance: a d×d table that is a sum of one part per topic.",
        "M₂ = E₂ − a E₁⊗E₁,  a = α₀/(α₀ + 1)",
    ),
    Arrow(
        Edge.E3,
        "M3",
        "tensor",
        "the triple moment",
        "Which three words go together more often than chance: this separates one topic from a mixture of two.",
        "M₃ = E₃ + b s₃(E₂, E₁) + c E₁⊗E₁⊗E₁,  b = −α₀/(α₀ + 2),  c = 2α₀²/((α₀ + 1)(α₀ + 2))",
        place=Place(enters=-0.16),
    ),
    Arrow(
        Edge.E4,
        "spectrum",
        "tensor",
        "the whitening W",
        "A map from d words to k numbers under which the topics are at right angles.",
        "W = U Σ^(−1/2)",
        road="by way of the whitening W",
        place=Place(leaves=-0.16, enters=0.16, marker=0.42),
    ),
    Arrow(
        Edge.E5,
        "spectrum",
        "unwhitening",
        "the leading eigenpairs",
        "The k strongest directions of the pair moment and their strengths, kept for unwhitening to words.",
        "M₂ ≈ U Σ Uᵀ",
        place=Place(leaves=0.16),
    ),
    Arrow(
        Edge.E6,
        "tensor",
        "factors",
        "the whitened tensor T",
        "The triple moment seen through the whitening: k×k×k numbers instead of d×d×d.",
        "T = M₃(W, W, W)",
    ),
    Arrow(
        Edge.E7,
        "factors",
        "topics",
        "eigenvalues and vectors of T",
        "One direction and one strength per topic, still in whitened coordinates.",
        "T = Σᵢ λᵢ vᵢ⊗vᵢ⊗vᵢ",
        place=Place(enters=-0.12),
    ),
    Arrow(
        Edge.E8,
        "unwhitening",
        "topics",
        "the unwhitening W†",
        "The map from whitened coordinates to words: it contains the pair moment's leading directions unchanged.",
        "W† = U Σ^(1/2)",
        road="by the unwhitening W†",
        place=Place(enters=0.12),
    ),
    Arrow(
        Edge.E9,
        "topics",
        "output",
        "the topics",
        "The finished topics, each a distribution over words, and the Dirichlet's parameters.",
        "μᵢ = ((α₀ + 2)/2) λᵢ W† vᵢ,  αᵢ = 4α₀(α₀ + 1)/((α₀ + 2)² λᵢ²)",
    ),
)

SPECTRAL = Flow(_STEPS, _ARROWS)
"""No edge carries noise here: configurations decide that."""
