"""Learn: lessons that ask before they show."""

from dplda.ui.learn import page, room, step_view
from dplda.ui.shell import frame

experiment = frame.open_page("Learn", "Short lessons: guess first, then see what a live computation says.", page.header)
place = page.choose()
step_view.show(place, experiment.settings.seed)
room.tools(place, experiment.settings.seed)
