import inspect

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


def test_numpy_style():
    text = prose(inspect.cleandoc(NUMPY_STYLE))
    assert "canary" not in text.lower()
    assert "example" not in text
    for kept in (
        "straight line",
        "least squares",
        "Abscissae of the points",
        "Passed to the solver",
        "Slope and intercept",
        "solver.solve",
        "Weights are positive",
    ):
        assert kept in text


def test_google_style():
    text = prose(inspect.cleandoc(GOOGLE_STYLE))
    assert "canar" not in text.lower()
    for kept in ("Send a message", "Address of the receiver", "More receivers", "refused", "not guaranteed"):
        assert kept in text


def test_field_lists_doctests_and_fences():
    text = prose(
        "Open a file.\n\n:param str canary: name of the file\n:returns: a handle\n\n>>> canary\n3\n\n"
        "Then close it.\n\n```python\ncanary()\n```\nDone."
    )
    assert text.split("\n") == ["Open a file.", "name of the file", "a handle", "Then close it.", "Done."]


def test_nothing_gives_nothing():
    assert prose("") == ""
    assert prose(">>> 1\n1") == ""
