"""The configurations that pages and the command line show, one entry each."""

from dplda.evaluation.colours import Style
from dplda.flow import Edge
from dplda.methods.base.method_names import FAMILY_NAMES
from dplda.methods.configurations import published
from dplda.methods.configurations.adaptive import ADAPTIVE
from dplda.methods.configurations.aligned import CONFIG_2_CORRECTED
from dplda.methods.configurations.averages import CONFIG_1_CORRECTED, SHARED_MOMENT_CORRECTED
from dplda.methods.configurations.laplace import CONFIG_1_LAPLACE
from dplda.methods.configurations.variant import Configuration, by_scaling

REGISTRY: dict[str, Configuration] = {
    configuration.name: configuration
    for configuration in (
        ADAPTIVE,
        Configuration(
            name="shared-moment",
            family=FAMILY_NAMES["shared-moment"],
            edges=(Edge.E2, Edge.E3),
            summary=(
                "One noisy pair moment serves whitening and unwhitening; the triple moment has its"
                " own noise."
            ),
            variants=by_scaling(SHARED_MOMENT_CORRECTED),
            style=Style.at(1, "S"),
        ),
        Configuration(
            name="config-1",
            family=FAMILY_NAMES["config-1"],
            edges=(Edge.E3, Edge.E4, Edge.E8),
            summary=(
                "Noise on both moments, and on the pair moment twice: for whitening and for"
                " unwhitening."
            ),
            variants=by_scaling(CONFIG_1_CORRECTED, published.CONFIG_1_PUBLISHED, CONFIG_1_LAPLACE),
            style=Style.at(2, "1"),
        ),
        Configuration(
            name="config-2",
            family=FAMILY_NAMES["config-2"],
            edges=(Edge.E6, Edge.E8),
            summary="Noise on the small whitened tensor, and on the pair moment for unwhitening.",
            variants=by_scaling(CONFIG_2_CORRECTED, published.CONFIG_2_PUBLISHED),
            style=Style.at(3, "2"),
        ),
        Configuration(
            name="config-3",
            family=FAMILY_NAMES["config-3"],
            edges=(Edge.E7, Edge.E8),
            summary="Noise on the decomposed factors, and on the pair moment for unwhitening.",
            variants=by_scaling(published.CONFIG_3_PUBLISHED),
            style=Style.at(4, "3"),
        ),
        Configuration(
            name="config-4",
            family=FAMILY_NAMES["config-4"],
            edges=(Edge.E9,),
            summary="Noise on the finished topics only.",
            variants=by_scaling(published.CONFIG_4_PUBLISHED),
            style=Style.at(5, "4"),
        ),
    )
}
