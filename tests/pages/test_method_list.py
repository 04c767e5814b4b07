"""The sidebar's list of methods: headings, and the switch between calibrations."""

import pytest

from dplda.methods.base.method_names import MethodGroup
from dplda.methods.registry import calibrations, private_methods
from dplda.ui.state.keys import Key

SMALL = {"corpus": "simulated_500_30_3_1_40_poisson_0.1_0", "k": "3", "view": "documents"}


def test_list_has_every_private_method_under_the_heading_of_its_group(open_page) -> None:
    options = open_page("documents", SMALL).selectbox(key=Key.CONFIGURATION).options
    headings = [option for option in options if option.startswith("──")]
    assert headings == [f"── {group} ──" for group in list(MethodGroup)[:3]]
    assert len(options) == len(headings) + len(private_methods())
    place_of_heading = options.index("── The paper's four ──")
    assert options[place_of_heading + 1] == "Configuration 1 · noise on pairs and triples"


def test_heading_that_is_chosen_picks_its_first_method(open_page) -> None:
    app = open_page("documents", SMALL)
    app.selectbox(key=Key.CONFIGURATION).set_value(str(MethodGroup.PAPER)).run()
    assert not app.exception
    assert app.selectbox(key=Key.CONFIGURATION).value == "config-1"


@pytest.mark.parametrize("name", ["config-1", "config-2"])
def test_switch_beside_the_name_has_every_calibration(name, open_page) -> None:
    app = open_page("documents", SMALL | {"configuration": name})
    switch = app.button_group(key=f"{Key.CALIBRATION}.{name}")
    assert len(switch.options) == len(calibrations(name))
    switch.set_value("as published").run()
    assert app.query_params["calibration"] == "published"


@pytest.mark.parametrize("name", ["config-3", "config-4"])
def test_configuration_without_a_corrected_form_says_why(name, open_page) -> None:
    app = open_page("documents", SMALL | {"configuration": name})
    captions = [caption.value for caption in app.sidebar.caption]
    assert any("*not proven*" in caption and "no corrected form" in caption for caption in captions)
