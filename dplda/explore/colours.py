"""The colours of topics, the same wherever they are shown."""

# Okabe and Ito's set, which eight kinds of colour vision can tell apart, then four more for the later topics.
PALETTE = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#D55E00",
    "#56B4E9",
    "#CC79A7",
    "#B8A500",
    "#8C6BB1",
    "#999999",
    "#A6553A",
    "#44AA99",
    "#882255",
    "#2D00FF",
)
UNREADABLE = "#999999"  # of topics that say nothing


def topic_colour(number: int) -> str:
    """The colour of topic ``number``, counted from 1, never that of an unreadable one; repeats after twelve."""
    colours = [colour for colour in PALETTE if colour != UNREADABLE]
    return colours[(number - 1) % len(colours)]
