r"""Theorems 10 to 13 with explicit constants as formulas, as ``explicit`` computes them.

What has a name in the proof is a definition: the stretch f, the norms of noise matrices and
tensors, and the sensitivities that they are scaled to. The failure probability of each norm, η, is
written out.
"""

import math

from dplda.methods.configurations.published import GAMMA
from dplda.theory.theorems import explicit, sensitivities
from dplda.theory.theorems.bounds import THEOREMS
from dplda.theory.theorems.formulas import BoundFormula, Definition
from dplda.theory.theorems.readings import BoundInputs
from dplda.theory.theorems.sensitivities import positive

_ETA = f"{explicit.FAILURE:g}"
_UNWHITENING = r"@A*@l1*\frac{\sqrt{@s1}}{@sk}*@E8"
_NOISY_ROOT = r"@A*\sqrt{@s1+@E8}"
_DIRECTION = r"@A*@l1*\sqrt{@s1}"


def explicit_formula_of(configuration: str) -> BoundFormula:
    """The formula of a configuration's theorem with explicit constants.

    Args:
        configuration: ``config-1`` to ``config-4``; any other name gives the last one's.
    """
    match configuration:
        case "config-1":
            return _config_1()
        case "config-2":
            return _config_2()
        case "config-3":
            return _config_3()
        case _:
            return _config_4()


def _config_1() -> BoundFormula:
    """Formula of Theorem 10: the tensor's error comes from the whitening and from the triples.

    As for the others, its definitions come in an order in which each can be computed.
    """
    whitening_definition = Definition(
        name="P",
        template=r"\frac{3*@s1^{3/2}*@l1*@E4}{@sk*\sqrt{@sk/2}*(@sk-@E4)}",
        value_of=explicit.whitening_error,
    )
    triples_definition = Definition(
        name="Q", template=r"\frac{@E3}{(@sk-@E4)^{3/2}}", value_of=explicit.triples_error
    )
    tensor_definition = Definition(
        name="F",
        template="@P+@Q",
        value_of=lambda inputs: explicit.whitening_error(inputs) + explicit.triples_error(inputs),
    )
    triple_noise_definition = Definition(
        name="E3",
        template="@D3*@t3*@c",
        value_of=lambda inputs: explicit.tensor_noise_norm(
            explicit.triple(inputs) * inputs.tau["e3"], inputs.spectrum.n_words
        ),
    )
    definitions = (
        *(
            _STRETCH,
            _PAIRS,
            _TRIPLES,
            _MATRIX,
            _pair_noise("4"),
            _WORD_TENSOR,
            triple_noise_definition,
        ),
        *(whitening_definition, triples_definition, tensor_definition, _pair_noise("8")),
    )
    return _assembled("config-1", definitions, "@f*@F", "@f*@F")


def _config_2() -> BoundFormula:
    """Formula of Theorem 11: the error of the tensor is its noise."""
    noise_definition = Definition(
        name="F",
        template="@DT*@t6*@ck",
        value_of=lambda inputs: explicit.tensor_noise_norm(
            explicit.tensor(inputs) * inputs.tau["e6"], inputs.spectrum.n_topics
        ),
    )
    definitions = (
        _STRETCH,
        _PAIRS,
        _TENSOR,
        _TOPIC_TENSOR,
        noise_definition,
        _MATRIX,
        _pair_noise("8"),
    )
    return _assembled("config-2", definitions, "@f*@F", "@f*@F")


def _config_3() -> BoundFormula:
    """Formula of Theorem 12: noise stands on each factor and on its eigenvalue."""
    vector_definition = Definition(
        name="V",
        template="@g*@t7*@vk",
        value_of=lambda inputs: explicit.vector_noise_norm(
            _factor_change(inputs) * inputs.tau["e7"], inputs.spectrum.n_topics
        ),
    )
    eigenvalue_definition = Definition(
        name="L",
        template=rf"@g*@t7*\sqrt{{2\ln(2/{_ETA})}}",
        value_of=lambda inputs: (
            _factor_change(inputs)
            * inputs.tau["e7"]
            * math.sqrt(2 * math.log(2 / explicit.FAILURE))
        ),
    )
    definitions = (
        *(_PAIRS, _TENSOR, _FACTORS, _TOPIC_VECTOR, vector_definition, eigenvalue_definition),
        *(_MATRIX, _pair_noise("8")),
    )
    return _assembled("config-3", definitions, "@V", "@L")


def _config_4() -> BoundFormula:
    """Formula of Theorem 13, of a single term: noise stands on the topics."""
    change_definition = Definition(
        name="Dm",
        template=r"@A*@l1*\sqrt{@s1}*\left(@g+\frac{@D1}{@sk}\right)+@A*\sqrt{@s1+@D1}*@g",
        value_of=explicit.topic_change,
    )
    return BoundFormula(
        source=THEOREMS["config-4"],
        terms=("@Dm*@t9*@v",),
        definitions=(_PAIRS_L1, _TENSOR, _FACTORS, change_definition, _WORD_VECTOR),
    )


def _assembled(
    configuration: str, definitions: tuple[Definition, ...], direction: str, size: str
) -> BoundFormula:
    """Formula of three terms, from errors of the factors' directions and of their sizes.

    Args:
        configuration: name of the configuration, which gives the theorem.
        definitions: of the names in the terms.
        direction: template of the bound on the error of the directions.
        size: template of the bound on the error of the sizes.
    """
    return BoundFormula(
        source=THEOREMS[configuration],
        terms=(f"{_DIRECTION}*{direction}", _UNWHITENING, f"{_NOISY_ROOT}*{size}"),
        definitions=definitions,
    )


def _pair_noise(edge: str) -> Definition:
    """Norm of the noise on the pair moment at an edge, by its number."""
    return Definition(
        name=f"E{edge}",
        template=f"@D2*@t{edge}*@p",
        value_of=lambda inputs: explicit.pair_noise_norm(inputs, f"e{edge}"),
    )


def _tensor_factor(size: str) -> str:
    """Template of the norm of a cubic Gaussian tensor, per standard deviation."""
    return rf"\sqrt{{8*\left(3*{size}*\ln(6/\ln(1.5))+\ln(2/{_ETA})\right)}}"


def _vector_factor(size: str) -> str:
    """Template of the length of a Gaussian vector, per standard deviation."""
    return rf"\sqrt{{{size}+2\sqrt{{{size}*\ln(1/{_ETA})}}+2\ln(1/{_ETA})}}"


def _factor_change(inputs: BoundInputs) -> float:
    r""":math:`g = 2\sqrt k Δ_T/\tilde γ_s`, sensitivity of a factor."""
    root_k = math.sqrt(inputs.spectrum.n_topics)
    return 2 * root_k * explicit.tensor(inputs) / positive(GAMMA, inputs.gamma_lower)


_STRETCH = Definition(
    name="f", template=r"\frac{2\sqrt{@k}}{@gs}", value_of=explicit.factor_stretch
)
_PAIRS = Definition(name="D2", template="", value_of=explicit.pair)
_TRIPLES = Definition(name="D3", template="", value_of=explicit.triple)
_TENSOR = Definition(name="DT", template="", value_of=explicit.tensor)
_PAIRS_L1 = Definition(
    name="D1",
    template="",
    value_of=lambda inputs: sensitivities.pair_moment_l1(
        n_documents=inputs.n_documents, alpha0=inputs.spectrum.alpha0
    ),
)
_FACTORS = Definition(name="g", template=r"\frac{2\sqrt{@k}*@DT}{@gs_low}", value_of=_factor_change)
_MATRIX = Definition(
    name="p",
    template=rf"2\sqrt{{@d}}+2\sqrt{{\ln(2/{_ETA})}}",
    value_of=lambda inputs: explicit.matrix_factor(inputs.spectrum.n_words),
)
_WORD_TENSOR = Definition(
    name="c",
    template=_tensor_factor("@d"),
    value_of=lambda inputs: explicit.tensor_factor(inputs.spectrum.n_words),
)
_TOPIC_TENSOR = Definition(
    name="ck",
    template=_tensor_factor("@k"),
    value_of=lambda inputs: explicit.tensor_factor(inputs.spectrum.n_topics),
)
_WORD_VECTOR = Definition(
    name="v",
    template=_vector_factor("@d"),
    value_of=lambda inputs: explicit.vector_factor(inputs.spectrum.n_words),
)
_TOPIC_VECTOR = Definition(
    name="vk",
    template=_vector_factor("@k"),
    value_of=lambda inputs: explicit.vector_factor(inputs.spectrum.n_topics),
)
