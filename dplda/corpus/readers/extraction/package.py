"""Packages of Office Open XML, which Word and Excel write: parts that refer to each other."""

import io
import posixpath
import zipfile
from typing import TYPE_CHECKING

from dplda.core.optional_packages import requiring

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class Package:
    """Parts of a document, and their references to each other.

    Args:
        content: bytes of the document, a zip archive.
    """

    def __init__(self, content: bytes) -> None:
        with requiring("lxml", "Reading Office documents"):
            from lxml import etree

        self._archive = zipfile.ZipFile(io.BytesIO(content))
        self._etree = etree
        self._references_of: dict[str, dict[str, tuple[str, str]]] = {}

    def tree(self, part: str) -> "Element":
        """Parse a part as a tree; entities are not expanded."""
        parser = self._etree.XMLParser(resolve_entities=False, no_network=True)
        return self._etree.fromstring(self._archive.read(part), parser)

    def references(self, part: str) -> dict[str, tuple[str, str]]:
        """Parts that a part refers to: kind and name of each, by the identifier of the reference.

        Read once. References to places outside the document are left out.
        """
        if part not in self._references_of:
            self._references_of[part] = self._read_references(part)
        return self._references_of[part]

    def _read_references(self, part: str) -> dict[str, tuple[str, str]]:
        """Read the list of a part's references; empty if there is none, and without external ones.

        A list that is no XML raises the error of lxml.

        Returns:
            Kind and target part of each reference, by its id. The kind is the last part of the
            type's address. The target is a path in the archive, which need not hold it.
        """
        folder, file_name = posixpath.split(part)
        list_name = posixpath.join(folder, "_rels", f"{file_name}.rels")
        if list_name not in self._archive.namelist():
            return {}
        references_by_id: dict[str, tuple[str, str]] = {}
        for element in self.tree(list_name):
            if element.get("TargetMode") == "External":
                continue
            reference_id = element.get("Id", "")
            reference_type = element.get("Type", "")
            reference_kind = reference_type.rpartition("/")[2]
            target = element.get("Target", "")
            target_path = posixpath.normpath(posixpath.join("/", folder, target))
            references_by_id[reference_id] = (reference_kind, target_path.lstrip("/"))
        return references_by_id

    def related(self, part: str, kind: str) -> list[str]:
        """List the parts of one kind that a part refers to, each once.

        Args:
            part: name of the part; "" for the document itself.
            kind: last part of the reference's type, such as ``footnotes``.
        """
        references = self.references(part).values()
        names = [name for reference_kind, name in references if reference_kind == kind]
        return list(dict.fromkeys(names))
