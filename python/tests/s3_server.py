"""An S3-compatible server with a bucket: `s3_server.py PORT N` fails one request in N."""

import itertools
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any

import boto3  # type: ignore[import-untyped]
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple


def main() -> None:
    port, failing = int(sys.argv[1]), int(sys.argv[2])
    application: Any = DomainDispatcherApplication(create_backend_app)
    numbers = itertools.count(1)

    def answer(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] != "/bucket" and next(numbers) % failing == 0:
            # What it was sent must be read, or the connection is unusable.
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start("503 Slow Down", [("Content-Length", "0")])
            return [b""]
        found: Iterable[bytes] = application(environ, start)
        return found

    def make_bucket() -> None:
        address = f"http://127.0.0.1:{port}"
        client = boto3.client("s3", endpoint_url=address, region_name="us-east-1")
        client.create_bucket(Bucket="bucket")

    threading.Timer(0.5, make_bucket).start()
    run_simple("127.0.0.1", port, answer, threaded=True)


if __name__ == "__main__":
    main()
