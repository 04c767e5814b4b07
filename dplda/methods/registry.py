"""The registry of methods: one entry for each; whatever lists methods asks here."""

from itertools import chain

from dplda.core.errors import InputError
from dplda.methods import unigram
from dplda.methods.base.method import Method
from dplda.methods.configurations import REGISTRY, Calibration
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.dpvi import variational_methods
from dplda.methods.look_then_add import look_then_add
from dplda.methods.refined import refined_methods
from dplda.methods.refined.prior_sources import PriorSource

SHARES = tuple(f"0.{tenth}" for tenth in range(1, 10))  # of ε, for the first of two releases

METHODS: dict[str, Method] = {
    method.key: method
    for method in (
        spectral_methods.without_noise(),
        refined_methods.without_noise(),
        variational_methods.without_noise(),
        unigram.without_noise(),
        refined_methods.refined(),
        *chain.from_iterable(map(spectral_methods.methods_for_configuration, REGISTRY.values())),
        *map(variational_methods.private_variational, Calibration),
        refined_methods.refined_with(PriorSource(), trusted=False),
        unigram.private_unigram(),
    )
}
"""Every method by text: those without ε first, then the default for new visitors."""


def parse_method(text: object) -> Method:
    """The method with this text: a name, or a name, a slash and a calibration, as in ``config-1/as published``.

    ``refined@0.3`` is that method in two releases, the first with 30 % of ε.
    """
    if not isinstance(text, str):
        raise InputError("method", "a text", f"a value of type {type(text).__name__}")
    base, at, share = text.partition("@")
    if (
        at
        and (whole := METHODS.get(base)) is not None
        and whole.fit_continued is not None
        and share in SHARES
    ):
        return look_then_add(whole, float(share))
    known = METHODS.get(text) or next(
        (one for one in calibrations(text).values() if one.is_recommended), None
    )
    if known is None:
        there = calibrations(text.partition("/")[0])
        if there:
            raise InputError(
                "method",
                "one of " + ", ".join(one.key for one in there.values()),
                "another calibration",
            )
        raise InputError("method", "one of " + ", ".join(METHODS), "another name")
    return known


def calibrations(name: str) -> dict[str, Method]:
    """The methods of one name by calibration, the recommended one first; ``""`` without a choice."""
    return {str(one.scaling or ""): one for one in METHODS.values() if one.name == name}


def private_methods() -> tuple[Method, ...]:
    """Methods with an ε, in their recommended calibration; the first is the default for a new visitor."""
    return tuple(one for one in METHODS.values() if one.needs_epsilon and one.is_recommended)


def releasable_methods() -> tuple[Method, ...]:
    """Methods whose topics may be released."""
    return tuple(one for one in METHODS.values() if one.is_releasable)
