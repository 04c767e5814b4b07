"""The value that names a method, and its written form."""

import pickle
from dataclasses import replace

import pytest

from dplda.core.errors import InputError
from dplda.methods.base.calibration import Calibration
from dplda.methods.base.method_spec import MethodSpec
from dplda.methods.base.prior_source import PriorKind, PriorSource
from dplda.methods.registry import METHODS, SHARES, find_method, parse_method, parse_method_spec

SEEDS = PriorSource(PriorKind.SEEDS, "space: orbit, nasa", "themes")
WRITTEN = [*METHODS, *(f"refined@{share}" for share in SHARES), "refined-english@0.5"]


@pytest.mark.parametrize("text", WRITTEN)
def test_written_form_read_back_is_the_same(text) -> None:
    assert parse_method_spec(text).text == text
    assert find_method(parse_method_spec(text)).key == text


def test_specs_of_all_written_forms_are_distinct() -> None:
    assert len({parse_method_spec(text) for text in WRITTEN}) == len(WRITTEN)


def test_name_alone_takes_the_recommended_calibration() -> None:
    assert parse_method_spec("config-1") == MethodSpec(
        name="config-1", scaling=Calibration.CORRECTED
    )


@pytest.mark.parametrize(
    "spec",
    [
        MethodSpec(name="refined"),
        MethodSpec(name="refined", first_share=0.3),
        MethodSpec(name="refined", prior=SEEDS),
        MethodSpec(name="refined", prior=SEEDS, prior_is_trusted=True),
        MethodSpec(name="refined-english", prior=PriorSource(), prior_is_trusted=True),
        MethodSpec(name="adaptive", scaling=Calibration.CORRECTED),
    ],
    ids=str,
)
def test_find_method_after_pickling_gives_the_same_method(spec) -> None:
    method = find_method(spec)
    assert method.spec == spec
    assert find_method(pickle.loads(pickle.dumps(spec))) is method


@pytest.mark.parametrize(
    "spec",
    [
        MethodSpec(name="other"),
        MethodSpec(name="config-1"),  # says neither calibration
        MethodSpec(name="refined", scaling=Calibration.CORRECTED),
        MethodSpec(name="adaptive", scaling=Calibration.CORRECTED, first_share=0.3),
        MethodSpec(name="private-unigram", prior=SEEDS),
        MethodSpec(name="refined", prior=PriorSource()),  # which is refined-english
        MethodSpec(name="refined", prior_is_trusted=True),
        MethodSpec(name="refined", first_share=1.0),
    ],
    ids=str,
)
def test_find_method_of_no_method_refuses(spec) -> None:
    with pytest.raises(InputError):
        find_method(spec)


@pytest.mark.parametrize("text", ["", "refined@0.30", "refined@1", "config-1/other", "@0.3", None])
def test_parse_method_spec_of_another_text_refuses(text) -> None:
    with pytest.raises(InputError):
        parse_method_spec(text)


def test_method_with_a_changed_spec_has_its_written_form() -> None:
    method = parse_method("private-unigram")
    assert replace(method, spec=MethodSpec(name="toy", first_share=0.5)).name == "toy@0.5"
