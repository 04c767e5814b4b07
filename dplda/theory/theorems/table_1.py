r"""Table 1 of the paper: each configuration's sensitivity, utility loss, and constraint.

The paper's Table 1 has the first two. The constraint stands in the table of the version of 2018,
and in Remark 15.
"""

import math
from dataclasses import dataclass

from dplda.theory.theorems import sensitivities
from dplda.theory.theorems.readings import BoundInputs


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedSensitivity:
    """The sensitivity of one quantity, as the paper prints it with hidden constant 1.

    Attributes:
        symbol: LaTeX.
        template: the expression, as in ``formulas``.
        value: at the numbers of the experiment; infinite where a private lower bound is 0.
    """

    symbol: str
    template: str
    value: float


PRINTED_CONSTRAINTS: dict[str, tuple[str, ...]] = {
    "config-1": (),
    "config-2": (r"\Delta_2\le\sigma_k-\sigma_{k+1}",),
    "config-3": (
        r"\Delta_2\le\sigma_k-\sigma_{k+1}",
        r"\Delta_T\le\gamma_s\lambda_k(T)/(2\sqrt k)",
    ),
    "config-4": (
        r"\Delta_2\le\sigma_k-\sigma_{k+1}",
        r"\Delta_T\le\gamma_s\lambda_k(T)/(2\sqrt k)",
    ),
}
"""Constraints of each configuration, as LaTeX."""


def printed_sensitivities(inputs: BoundInputs) -> dict[str, PrintedSensitivity]:
    """The sensitivity that noise as published is scaled to, by edge with noise.

    Args:
        inputs: numbers of a published configuration.

    Returns:
        One for each edge of ``inputs.tau`` with a printed sensitivity, in its order.
    """
    moment_sensitivity = 1 / inputs.n_documents
    tensor_sensitivity = _tensor_sensitivity(inputs)
    factor_sensitivity = _factor_sensitivity(inputs, tensor_sensitivity)
    topic_sensitivity = math.sqrt(inputs.spectrum.sigma_1) * factor_sensitivity
    by_edge = {
        "e3": PrintedSensitivity(
            symbol=r"\Delta_3", template=r"\frac{1}{@N}", value=moment_sensitivity
        ),
        "e4": PrintedSensitivity(
            symbol=r"\Delta_2", template=r"\frac{1}{@N}", value=moment_sensitivity
        ),
        "e8": PrintedSensitivity(
            symbol=r"\Delta_2", template=r"\frac{1}{@N}", value=moment_sensitivity
        ),
        "e6": PrintedSensitivity(
            symbol=r"\Delta_T",
            template=r"\frac{@k^{3/2}}{@N*@sk_low^{3/2}}",
            value=tensor_sensitivity,
        ),
        "e7": PrintedSensitivity(
            symbol=r"\Delta_v",
            template=r"\frac{@k^{2}}{@gs_low*@N*@sk_low^{3/2}}",
            value=factor_sensitivity,
        ),
        "e9": PrintedSensitivity(
            symbol=r"\Delta_\mu",
            template=r"\frac{@k^{2}*\sqrt{@s1}}{@gs_low*@N*@sk_low^{3/2}}",
            value=topic_sensitivity,
        ),
    }
    return {edge: by_edge[edge] for edge in inputs.tau if edge in by_edge}


def _tensor_sensitivity(inputs: BoundInputs) -> float:
    """Theorem 5 at the private lower bound of σk; infinite where that is 0 or NaN."""
    if not inputs.sigma_lower > 0:
        return math.inf
    return sensitivities.whitened_tensor(
        n_documents=inputs.n_documents,
        n_topics=inputs.spectrum.n_topics,
        sigma_k=inputs.sigma_lower,
    )


def _factor_sensitivity(inputs: BoundInputs, tensor: float) -> float:
    """Theorem 6 at the private lower bound of γs; infinite where that is 0 or NaN.

    ``tensor`` is the sensitivity of the whitened tensor.
    """
    if not inputs.gamma_lower > 0:
        return math.inf
    return sensitivities.factors(
        tensor=tensor, n_topics=inputs.spectrum.n_topics, gamma_s=inputs.gamma_lower
    )
