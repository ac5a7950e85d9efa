#!/usr/bin/env python3
"""Mixed load on `klondike serve`: 200 connections for a minute.

Every connection asks one question after another: quick ones, solutions, analyses, streams, some
that are refused, and some that are left before their answer. The server must answer each request
that it accepted, keep within its memory, and end within a second of SIGTERM. Uses nothing but
Python's library, and only the loopback address.

    scripts/load_server.py [--command target/release/klondike] [--seconds 60] [--connections 200]
"""

import argparse
import asyncio
import collections
import json
import random
import resource
import signal
import subprocess
import sys
import time

QUESTIONS = [
    # weight, kind, a function of the random numbers, whether the answer is streamed
    (30, "position", lambda r: {"deal": deal(r), "moves": "draw*3"}, False),
    (25, "solve", lambda r: {"deal": deal(r)}, False),
    (5, "solve", lambda r: {"deal": deal(r), "goal": "shortest", "limits": {"time_ms": 300}}, True),
    (10, "analyse", lambda r: {"deal": deal(r), "moves": "draw"}, False),
    (10, "explain", lambda r: {"deal": deal(r)}, True),
    (5, "grade", lambda r: {"deal": deal(r)}, False),
    (3, "advise", lambda r: {"deal": deal(r), "iterations": 50}, False),
    (5, "prove", lambda r: {"deal": deal(r), "rules": "draw1"}, False),
    (5, "svg", lambda r: {"deal": deal(r)}, False),
    (2, "solve", lambda r: {"deal": "AS AS"}, False),
]


def deal(numbers):
    return f"klondike:{numbers.randrange(1, 100_000)}"


class Load:
    def __init__(self, port, end):
        self.port, self.end = port, end
        self.count = collections.Counter()
        self.times = []

    async def connection(self, number):
        numbers = random.Random(number)
        while time.monotonic() < self.end:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                self.count["connections refused"] += 1
                await asyncio.sleep(0.1)
                continue
            try:
                while time.monotonic() < self.end:
                    if not await self.ask(numbers, reader, writer):
                        break
            except (asyncio.IncompleteReadError, ConnectionError, ValueError) as error:
                self.count["lost"] += 1
                print(f"lost: {error!r}", file=sys.stderr)
            finally:
                writer.close()

    async def ask(self, numbers, reader, writer):
        """Asks one question. Returns whether the connection can be used again."""
        weights = [question[0] for question in QUESTIONS]
        _, kind, make, streams = numbers.choices(QUESTIONS, weights)[0]
        body = json.dumps(make(numbers)).encode()
        accept = "text/event-stream" if streams else "application/json"
        head = (
            f"POST /api/{kind} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept: {accept}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        began = time.monotonic()
        writer.write(head.encode() + body)
        await writer.drain()
        if numbers.random() < 0.02:
            self.count["left by the client"] += 1
            return False
        status = int((await reader.readuntil(b"\r\n")).split()[1])
        headers = {}
        while (line := await reader.readuntil(b"\r\n")) != b"\r\n":
            name, value = line.decode().split(":", 1)
            headers[name.lower()] = value.strip()
        answer = await self.body(reader, headers)
        self.count[f"status {status}"] += 1
        if status == 429:
            await asyncio.sleep(float(headers["retry-after"]) * numbers.random())
        elif status == 200 and answer["kind"] in ("error", "progress"):
            raise ValueError(f"no answer: {answer}")
        elif status not in (200, 422):
            raise ValueError(f"status {status}: {answer}")
        self.times.append(time.monotonic() - began)
        return True

    async def body(self, reader, headers):
        if "content-length" in headers:
            return json.loads(await reader.readexactly(int(headers["content-length"])))
        text = b""
        while size := int(await reader.readuntil(b"\r\n"), 16):
            text += await reader.readexactly(size)
            await reader.readuntil(b"\r\n")
        await reader.readuntil(b"\r\n")
        return json.loads(text.decode().rsplit("data: ", 1)[1])


async def run(options, port, process):
    load = Load(port, time.monotonic() + options.seconds)
    await asyncio.gather(*(load.connection(number) for number in range(options.connections)))
    with open(f"/proc/{process.pid}/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    code = await asyncio.get_running_loop().run_in_executor(None, process.wait)
    return load, peak, code, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default="target/release/klondike")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--queue", type=int, default=256, help="requests that may wait")
    parser.add_argument("--memory", type=int, default=512, help="of the server, in MiB")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    command = [options.command, "serve", "--port", "0", "--queue", str(options.queue)]
    command += ["--memory", f"{options.memory}MiB"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(process.stdout.readline().rsplit(":", 1)[1].strip("/\n"))
        load, peak, code, end = asyncio.run(run(options, port, process))
    finally:
        process.kill()
    times = sorted(load.times)
    answered = sum(count for name, count in load.count.items() if name.startswith("status"))
    print(f"{answered} answers in {options.seconds:.0f} s, {options.connections} connections")
    for name, count in sorted(load.count.items()):
        print(f"  {name}: {count}")
    for share in (50, 95, 99):
        print(f"  {share} % within {1000 * times[len(times) * share // 100 - 1]:.0f} ms")
    print(f"  most memory of the program: {peak / 1024:.0f} MiB (--memory {options.memory}MiB)")
    print(f"  ended {1000 * end:.0f} ms after SIGTERM, with status {code}")
    good = load.count["lost"] == 0 and peak < options.memory * 1024 and code == 0 and end < 1
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
