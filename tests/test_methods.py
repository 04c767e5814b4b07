"""Methods by name."""

import pytest

from dplda.configurations import REGISTRY, Calibration
from dplda.errors import InputError
from dplda.methods import NAMES, Method
from dplda.plan import Plan
from dplda.privacy.release import Status

ALL = [Method(name, calibration) for name, known in REGISTRY.items() for calibration in known.variants]
ALL += [Method("dp-vi", Calibration.CORRECTED), Method("dp-vi", Calibration.PUBLISHED)]
ALL += [Method("unnoised"), Method("vi"), Method("unigram")]


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.text)
def test_text_is_read_back(method) -> None:
    assert Method.parse(method.text) == method


def test_titles_and_texts_tell_methods_apart() -> None:
    assert len({method.text for method in ALL}) == len({method.title for method in ALL}) == len(ALL)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_alone_takes_the_recommended_calibration(name) -> None:
    method = Method.parse(name)
    if name in REGISTRY:
        assert method.calibration == REGISTRY[name].default_calibration == Plan(name, 1.0).calibration
    assert (method.calibration is not None) == method.needs_epsilon


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.text)
def test_what_needs_no_epsilon_is_not_private(method) -> None:
    assert (method.status is Status.NOT_PRIVATE) == (not method.needs_epsilon)


def test_status_is_that_of_the_calibration() -> None:
    assert Method.parse("config-1").status is Status.PROVEN
    assert Method.parse("config-1/as published").status is Status.AS_PUBLISHED
    assert Method.parse("dp-vi").status is Status.PROVEN


@pytest.mark.parametrize(
    "text",
    ["", "lda", "config-1/", "config-1/wrong", "config-3/corrected", "vi/corrected", "dp-vi/Laplace", 3, None],
)
def test_what_is_no_method_is_refused(text) -> None:
    with pytest.raises(InputError):
        Method.parse(text)
