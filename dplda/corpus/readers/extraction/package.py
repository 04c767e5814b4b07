"""Packages of Office Open XML, which Word and Excel write: parts in a zip archive that refer to each other."""

import io
import posixpath
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class Package:
    """The parts of a document, and how they refer to each other."""

    def __init__(self, content: bytes) -> None:
        from lxml import etree

        self._archive = zipfile.ZipFile(io.BytesIO(content))
        self._etree = etree
        self._references: dict[str, dict[str, tuple[str, str]]] = {}

    def tree(self, part: str) -> "Element":
        """A part as a tree; entities are not expanded."""
        parser = self._etree.XMLParser(resolve_entities=False, no_network=True)
        return self._etree.fromstring(self._archive.read(part), parser)

    def references(self, part: str) -> dict[str, tuple[str, str]]:
        """The parts that a part refers to: their kind and name, by the identifier of the reference."""
        if part not in self._references:
            folder, name = posixpath.split(part)
            listed = posixpath.join(folder, "_rels", f"{name}.rels")
            found: dict[str, tuple[str, str]] = {}
            if listed in self._archive.namelist():
                for each in self.tree(listed):
                    if each.get("TargetMode") != "External":
                        kind = each.get("Type", "").rpartition("/")[2]
                        target = posixpath.join("/", folder, each.get("Target", ""))
                        found[each.get("Id", "")] = kind, posixpath.normpath(target).lstrip("/")
            self._references[part] = found
        return self._references[part]

    def related(self, part: str, kind: str) -> list[str]:
        """The parts of a kind that a part refers to, each once."""
        names = [name for found, name in self.references(part).values() if found == kind]
        return list(dict.fromkeys(names))
