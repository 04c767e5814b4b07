"""A look at the first documents of an upload: what reading will keep, and what is missing."""

from dataclasses import dataclass
from functools import partial

from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dplda.core.errors import DpldaError, InputError
from dplda.corpus.read_summary import SMALL_SHARE_KEPT, Intake
from dplda.corpus.readers.load import N_GLANCED, glance
from dplda.privacy.word_selection.thresholds import rows_needed
from dplda.ui.literal import literal
from dplda.ui.upload import reading_choice
from dplda.ui.upload.file_preview import cached_preview
from dplda.ui.upload.reading_choice import FileReading
from dplda.ui.upload.word_list_choice import CountedWords

NO_WORDS = "No words were found. Check the column and what counts as a word."
NO_LISTED_WORD = "None of these words is in the first documents. Choose other words."
NOT_FOR_PROTECTED = "Do not choose words of protected documents by this number."
TOO_LITTLE = "Less than half is often too little to find topics."


@dataclass(frozen=True, slots=True, eq=False)
class FormPlaces:
    """Where messages of the form are drawn: next to the control that can mend what they say.

    Attributes:
        below_file: below the choice of a file and of how to read it.
        below_words: below the choice of words.
    """

    below_file: DeltaGenerator
    below_words: DeltaGenerator


def check_first_documents(
    file: UploadedFile, reading: FileReading, counted_words: CountedWords, places: FormPlaces
) -> str:
    """Read the first documents, and draw what share of their words the word list keeps.

    If they cannot be used, draws the reason instead. A warning is added if documents are too few
    for noise to find words.

    Args:
        file: the file.
        reading: how it is read.
        counted_words: which words are counted.
        places: where messages are drawn.

    Returns:
        What is still missing, in words; empty if nothing is, or the look was canceled.
    """
    read_first_documents = partial(
        reading.bind(glance, file), vocabulary=counted_words.fixed, n_words=counted_words.n_words
    )
    try:
        with places.below_file:
            first_look = cached_preview("kept", file, read_first_documents, reading, counted_words)
    except InputError as error:
        places.below_words.error(literal(str(error)))
        return "another word list"
    except DpldaError as error:
        places.below_file.error(literal(str(error)))
        return "a file that can be read"
    if first_look is None:
        return ""
    missing_item = _refuse(first_look, places)
    if not missing_item:
        _warn_of_selection(first_look, counted_words, places)
        _draw_share(first_look, counted_words, places)
    return missing_item


def _refuse(intake: Intake, places: FormPlaces) -> str:
    """Draw warnings on the documents, and an error if they cannot be used as they are.

    Too few documents, none with words besides stop words, and none with words of the list are
    refused.

    Returns:
        What is missing, in words; empty if the file can be used.
    """
    for warning in intake.warnings():
        places.below_file.warning(warning, icon=":material/translate:")
    refusal = reading_choice.refuse_too_few(intake.n_read)
    if refusal:
        places.below_file.error(refusal)
        return "more documents"
    if intake.n_tokens == intake.n_stopped:
        places.below_file.error(NO_WORDS)
        return "documents with words"
    if not intake.n_tokens_kept:
        places.below_words.error(NO_LISTED_WORD)
        return "another word list"
    return ""


def _warn_of_selection(intake: Intake, counted_words: CountedWords, places: FormPlaces) -> None:
    """Warn where all documents were looked at, and they are too few for noise to find words."""
    if counted_words.selection is None:
        return
    if intake.n_read < min(N_GLANCED, rows_needed(counted_words.selection)):
        words_phrase = "words that are not on the list" if counted_words.fixed else "words"
        places.below_words.warning(
            f"{intake.n_read:,} documents are too few to find {words_phrase}. Expect none."
        )


def _draw_share(intake: Intake, counted_words: CountedWords, places: FormPlaces) -> None:
    """Draw the share of the words that is kept; as a warning with advice if it is small.

    The line warns against choosing words of protected documents by it, and says so if only the
    first documents were read.
    """
    scope_phrase = ""
    if intake.n_read >= N_GLANCED:
        scope_phrase = f"In the first {intake.n_read:,} documents: "
    share_sentence = (
        f"{counted_words.keeps} {intake.share_kept:.0%} of the words, not counting stop words."
    )
    share_line = f"{scope_phrase}{share_sentence} {NOT_FOR_PROTECTED}"
    if intake.share_kept < SMALL_SHARE_KEPT:
        places.below_words.warning(f"{share_line} {TOO_LITTLE}", icon=":material/filter_alt:")
    else:
        places.below_words.caption(share_line)
