"""Where the parts are: a folder, or a bucket of S3 and the like, by the file systems of pyarrow.

A file appears in one step, with all that is in it: in a folder by a temporary name, which is then
renamed; elsewhere by one upload, which object stores show when it is complete.
"""

import contextlib
import errno
import functools
import os
import random
import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

import pyarrow  # type: ignore[import-untyped]
from pyarrow import fs

from .._errors import ArgumentError

T = TypeVar("T")

# A store over a network may fail now and then. After these seconds it is asked once more.
PAUSES = (0.1, 0.3, 1, 3, 10)
# What no pause mends: a disk that is full, or what this user may not do.
FINAL = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}


class Store:
    """A folder of files, on whatever file system."""

    def __init__(self, place: str) -> None:
        self.place = place
        try:
            found: tuple[Any, str] = fs.FileSystem.from_uri(with_one_put(place))
        except (OSError, ValueError, pyarrow.ArrowException) as error:
            raise ArgumentError(f"store: {place}: {error}") from error
        self.files, self.path = found
        self.path = self.path.rstrip("/")
        self.is_local = isinstance(self.files, fs.LocalFileSystem)

    def read(self, name: str) -> bytes | None:
        """What is in a file, if there is one."""

        def get() -> bytes | None:
            try:
                with self.files.open_input_stream(f"{self.path}/{name}") as file:
                    content: bytes = file.read()
                    return content
            except FileNotFoundError:
                return None

        return self._again(get)

    def write(self, name: str, content: bytes) -> None:
        """Makes a file, or replaces it."""
        if self.is_local:
            write_file(f"{self.path}/{name}", content)
            return

        def put() -> None:
            with self.files.open_output_stream(f"{self.path}/{name}") as file:
                file.write(content)

        self._again(put)

    def names(self, folder: str) -> list[str]:
        """The files in a folder, in the order of their names; temporary ones are left out."""
        selector = fs.FileSelector(f"{self.path}/{folder}", allow_not_found=True)
        found = self._again(lambda: self.files.get_file_info(selector))
        names = (info.base_name for info in found if info.is_file)
        return sorted(f"{folder}/{name}" for name in names if not name.startswith("."))

    def _again(self, action: Callable[[], T]) -> T:
        for pause in () if self.is_local else PAUSES:
            try:
                return action()
            except OSError as error:
                if error.errno in FINAL:
                    raise
            # Tasks that failed together do not try again together.
            time.sleep(pause * (0.5 + random.random()))
        return action()


def with_one_put(place: str) -> str:
    """The address of a bucket of S3, which is sent a small file in one request, not in three."""
    if not place.startswith("s3://") or "allow_delayed_open=" in place:
        return place
    return f"{place}{'&' if '?' in place else '?'}allow_delayed_open=true"


def write_file(path: str, content: bytes) -> None:
    """Writes a file that is there with all its content, or not at all, also after a power cut."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    temporary = os.path.join(folder, f".{uuid.uuid4().hex}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise
    with contextlib.suppress(OSError):  # not every file system opens folders
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@functools.lru_cache(maxsize=8)
def store_at(place: str) -> Store:
    """The store of this name; a process keeps its connections."""
    return Store(place)


def name_of(place: "str | os.PathLike[str]") -> str:
    """The name of a store that means the same in every process."""
    text = os.fspath(place)
    return text if "://" in text else os.path.abspath(text)
