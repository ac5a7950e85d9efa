#!/usr/bin/env python3
"""Checks the links of a folder of web pages, such as the built book: every file and every anchor that
a page names is there. Links to other sites are not fetched.

usage: scripts/check_links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page and what it links to."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links = {""}, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        self.links += filter(None, (attributes.get("href"), attributes.get("src")))


def broken(folder):
    # The page for wrong addresses stands at none of its own, so its links are from the root.
    paths = sorted(path for path in folder.rglob("*.html") if path.name != "404.html")
    pages = {path.resolve(): Page(path) for path in paths}
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if folder.resolve() not in (target, *target.parents):
                yield path, link, "leaves the folder"
            elif not target.is_file():
                yield path, link, "there is no such file"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield path, link, "there is no such anchor"


def main():
    if len(sys.argv) != 2 or not Path(sys.argv[1], "index.html").is_file():
        sys.exit(__doc__)
    faults = [f"{page.name}: {link}: {fault}" for page, link, fault in broken(Path(sys.argv[1]))]
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
