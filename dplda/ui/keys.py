"""Names under which the session keeps things; those of the sidebar are also the names in a link."""

from enum import StrEnum


class Key(StrEnum):
    """Keys of widgets and of values that outlive a rerun."""

    # The experiment: bound to the address.
    CONFIGURATION = "configuration"
    EPSILON = "epsilon"
    DELTA = "delta"
    N_TOPICS = "k"
    ALPHA0 = "alpha0"
    SEED = "seed"
    # The rest of the sidebar.
    REROLL = "sidebar.reroll"
    CARD_SAVE = "sidebar.card.save"
    CARD_LOAD = "sidebar.card.load"
    # Values without a widget.
    CHOICE = "session.choice"
    UPLOADED = "session.uploaded"
    LINK_READ = "session.link_read"
    NOTICES = "session.notices"
    CANCELLED = "session.cancelled"
    TOPIC_ORDER = "session.topic_order"
    UPLOADS_READ = "session.uploads_read"
    # Start.
    START_EPSILON = "start.epsilon"
    # Corpus.
    SOURCE = "corpus.source"
    USE_EMBEDDED = "corpus.use_embedded"
    SIMULATE = "corpus.simulate"
    SIMULATE_NOW = "corpus.simulate.now"
    SIM_DOCUMENTS = "corpus.simulate.documents"
    SIM_WORDS = "corpus.simulate.words"
    SIM_TOPICS = "corpus.simulate.topics"
    SIM_ALPHA0 = "corpus.simulate.alpha0"
    SIM_LENGTH = "corpus.simulate.length"
    SIM_LAW = "corpus.simulate.law"
    SIM_CONCENTRATION = "corpus.simulate.concentration"
    SIM_SEED = "corpus.simulate.seed"
    FILE = "corpus.file"
    LABEL = "corpus.label"
    COLUMN = "corpus.column"
    ENCODING = "corpus.encoding"
    VOCABULARY = "corpus.vocabulary"
    WORD_LIST = "corpus.word_list"
    VOCABULARY_SIZE = "corpus.vocabulary_size"
    READ = "corpus.read"
    # Topics.
    WORDS_SHOWN = "topics.words_shown"
    SAVE_CSV = "topics.save_csv"
    SAVE_JSON = "topics.save_json"
    SAVE_CARD = "topics.save_card"
