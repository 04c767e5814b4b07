"""The pictures that lessons may use, by name."""

from dplda.lessons.views.accounts import Accounts
from dplda.lessons.views.adding import Adding
from dplda.lessons.views.clipping import ClippingView
from dplda.lessons.views.districts import SharesOfDistricts
from dplda.lessons.views.flow import FlowOfNoise
from dplda.lessons.views.more import MoreOfWhat
from dplda.lessons.views.noise import NoiseOnEdges
from dplda.lessons.views.odds import Odds
from dplda.lessons.views.picture import PictureView
from dplda.lessons.views.pull import Pull
from dplda.lessons.views.topics import TopicsInWords
from dplda.lessons.views.turning import Turning
from dplda.lessons.views.who import WhoWasIn

VIEWS: dict[str, type[PictureView]] = {
    "topics": TopicsInWords,
    "who was in": WhoWasIn,
    "flow": FlowOfNoise,
    "odds": Odds,
    "pull": Pull,
    "noise": NoiseOnEdges,
    "accounts": Accounts,
    "adding": Adding,
    "turning": Turning,
    "clipping": ClippingView,
    "regimes": MoreOfWhat,
    "districts": SharesOfDistricts,
}
