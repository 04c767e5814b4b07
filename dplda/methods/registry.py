"""The registry of methods: one entry for each; whatever lists methods asks here."""

from dataclasses import replace
from itertools import chain

from dplda.core.errors import InputError
from dplda.methods import unigram
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method import Method
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.prior_source import PriorSource
from dplda.methods.configurations import REGISTRY
from dplda.methods.configurations.authors.authors_methods import authors_methods
from dplda.methods.configurations.chain import spectral_methods
from dplda.methods.dpvi import variational_methods
from dplda.methods.look_then_add import look_then_add
from dplda.methods.refined import refined_methods
from dplda.methods.refined.refined_methods import refined_with

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
        refined_with(PriorSource(), trusted=False),
        unigram.private_unigram(),
    )
}
"""Every method by text: those without ε first, then the default for new visitors."""
AUTHORS_METHODS: dict[str, Method] = {
    method.key: method
    for method in (*authors_methods(), variational_methods.published_by_document())
}
"""Methods that presets and sweeps may name, and that no page offers: they promise nothing."""


def parse_method_spec(text: object) -> MethodSpec:
    """Find the spec that a text names: the only reader of what ``MethodSpec.text`` writes.

    Args:
        text: a name, or a name, a slash and a calibration, as in ``config-1/as published``. A name
            alone takes the recommended calibration. ``refined@0.3`` is that method in two releases,
            the first with 30 % of ε; the share is one of ``SHARES``.

    Raises:
        InputError: it is no text, or no method is called that. With a known name before the slash,
            the error lists its calibrations. Another share, or one of a method that cannot be
            continued, is an unknown method.
    """
    if not isinstance(text, str):
        raise InputError("method", "a text", f"a value of type {type(text).__name__}")
    method_name, at_sign, share_text = text.partition("@")
    if (
        at_sign
        and share_text in SHARES
        and method_name in METHODS
        and METHODS[method_name].fit_continued is not None
    ):
        return replace(METHODS[method_name].spec, first_share=float(share_text))
    if text in METHODS:
        return METHODS[text].spec
    if text in AUTHORS_METHODS:
        return AUTHORS_METHODS[text].spec
    for method in calibrations(text).values():
        if method.is_recommended:
            return method.spec
    other_calibrations = calibrations(text.partition("/")[0]).values()
    if other_calibrations:
        requirement = "one of " + ", ".join(method.key for method in other_calibrations)
        raise InputError("method", requirement, "another calibration")
    raise _unknown_method()


def find_method(spec: MethodSpec) -> Method:
    """Find the listed method of a spec, or build one for its prior, or one of two releases.

    Equal specs give the same object.

    Raises:
        InputError: there is none, as for two releases of a method that cannot be continued.
    """
    if spec.first_share is not None:
        single_release_method = find_method(replace(spec, first_share=None))
        if single_release_method.fit_continued is None:
            requirement = "one that can be continued, for two releases"
            raise InputError("method", requirement, single_release_method.key)
        return look_then_add(single_release_method, spec.first_share)
    listed_method = METHODS.get(spec.text) or AUTHORS_METHODS.get(spec.text)
    if listed_method is not None and listed_method.spec == spec:
        return listed_method
    if spec.prior is not None:
        method_with_prior = refined_with(spec.prior, trusted=spec.prior_is_trusted)
        if method_with_prior.spec == spec:
            return method_with_prior
    raise _unknown_method()


def parse_method(text: object) -> Method:
    """The method that a text names; see ``parse_method_spec``."""
    return find_method(parse_method_spec(text))


def _unknown_method() -> InputError:
    return InputError("method", "one of " + ", ".join(METHODS), "another name")


def calibrations(name: str) -> dict[str, Method]:
    """The methods of one name by calibration, the recommended one first.

    ``""`` without a choice.
    """
    named = (method for method in METHODS.values() if method.name == name)
    return {str(method.scaling or ""): method for method in named}


def private_methods() -> tuple[Method, ...]:
    """Methods with an ε, in their recommended calibration.

    The first is the default for a new visitor.
    """
    noisy = (method for method in METHODS.values() if method.needs_epsilon)
    return tuple(method for method in noisy if method.is_recommended)


def releasable_methods() -> tuple[Method, ...]:
    """Methods whose topics may be released."""
    return tuple(method for method in METHODS.values() if method.is_releasable)
