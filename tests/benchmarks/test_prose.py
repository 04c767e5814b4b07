import inspect

import pytest

from benchmarks.docstrings.prose import prose

NUMPY_STYLE = """
    Fit a straight line.

    The line is found by least squares, as said in [1]_ and on https://example.org/page.

    Parameters
    ----------
    canary_name : array_like of shape (n,), default=None
        Abscissae of the points.
    **canary_options
        Passed to the solver.

    Returns
    -------
    canary_fit : ndarray
        Slope and intercept.

    See Also
    --------
    canary_other : Something else.

    Notes
    -----
    Uses :func:`solver.solve` and :math:`canary^2`; see ::

        canary = literal()

    .. versionadded:: 1.2
       canary of a version

    .. note::
       Weights are positive.

    Examples
    --------
    Some canary text.

    >>> canary(1)
    canary output

    References
    ----------
    .. [1] Canary, A. A book.
    """

GOOGLE_STYLE = """
    Send a message.

    Args:
        canary (str, optional): Address of the receiver.
        *canaries: More receivers.

    Raises:
        CanaryError: The server refused.

    Example:
        canary code

    Delivery is not guaranteed.
    """


NUMPY_KEPT = ("straight line", "least squares", "Abscissae of the points", "Passed to the solver")
NUMPY_KEPT += ("Slope and intercept", "solver.solve", "Weights are positive")
GOOGLE_KEPT = (
    "Send a message",
    "Address of the receiver",
    "More receivers",
    "refused",
    "not guaranteed",
)


@pytest.mark.parametrize(
    ("docstring", "kept"), [(NUMPY_STYLE, NUMPY_KEPT), (GOOGLE_STYLE, GOOGLE_KEPT)]
)
def test_prose_of_a_docstring_holds_words_without_code(docstring, kept):
    text = prose(inspect.cleandoc(docstring))
    assert "canar" not in text.lower()
    assert "example" not in text
    assert all(words in text for words in kept)


def test_prose_of_marked_up_text_leaves_out_code():
    text = prose(
        "Open a file.\n\n:param str canary: name of the file\n:returns: a handle\n\n>>> canary\n3\n\n"
        "Then close it.\n\n```python\ncanary()\n```\nDone."
    )
    assert text.split("\n") == [
        "Open a file.",
        "name of the file",
        "a handle",
        "Then close it.",
        "Done.",
    ]
    assert prose("") == prose(">>> 1\n1") == ""
