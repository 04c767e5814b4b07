"""What texts look like that are counted as plain text and are not: HTML, mail, writing without spaces."""

import re

_TAG = re.compile(
    r"<(?:!doctype|!--|/?(?:html|head|body|title|meta|link|script|style|div|span|p|br|hr|a|img|b|i|em|strong"
    r"|table|tr|td|th|ul|ol|li|h[1-6])[\s/>])",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\s*(?:From \S+@|(?:From|To|Cc|Date|Subject|Message-ID|Received|Return-Path|Reply-To|Newsgroups|Path|Xref"
    r"|MIME-Version|Content-[A-Za-z-]+|In-Reply-To|References|Organization|X-[A-Za-z-]+): )",
    re.IGNORECASE,
)
# Thai, Lao, Burmese, Khmer, kana, Chinese; Korean has spaces. Words of these are shorter, where they are parted.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]{6,}")
_MANY, _MOST = 0.05, 0.5  # of the texts
_LOOKED_AT = 500  # characters of each


class Look:
    """Counts texts of each kind."""

    def __init__(self) -> None:
        self._n_texts = self._n_html = self._n_mail = self._n_unspaced = 0

    def at(self, text: str) -> None:
        """Look at the beginning of a text that is not empty."""
        text = text[:_LOOKED_AT]
        self._n_texts += 1
        self._n_html += "<" in text and _TAG.search(text) is not None
        self._n_mail += _HEADER.match(text) is not None
        if not text.isascii():
            runs = sum(found.end() - found.start() for found in _UNSPACED.finditer(text))
            self._n_unspaced += runs > _MOST * len(text)

    def found(self) -> dict[str, bool]:
        """Whether many have tags, many begin with a header, and most are long runs of scripts that part no words."""
        return {
            "looks_html": self._n_html > _MANY * self._n_texts,
            "looks_mail": self._n_mail > _MANY * self._n_texts,
            "looks_unspaced": self._n_unspaced > _MOST * self._n_texts,
        }
