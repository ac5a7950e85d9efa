#!/usr/bin/env bash
# Sends `klondike serve` what its description allows and what it does not, for some minutes
# (schemathesis from PyPI, kept in ${XDG_CACHE_HOME:-$HOME/.cache}/klondike-tools), and then tries
# slow clients: half a head, half a body, and one that reads nothing.
#
#     scripts/attack_server.sh [COMMAND] [EXAMPLES]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command=${1:-target/release/klondike}
examples=${2:-100}
tools=${XDG_CACHE_HOME:-$HOME/.cache}/klondike-tools/schemathesis
if ! [ -x "$tools/bin/schemathesis" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet schemathesis
fi

work=$(mktemp -d)
"$command" serve --port 0 --time-limit 2 --memory 512MiB >"$work/url" &
server=$!
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
until [ -s "$work/url" ]; do sleep 0.1; done
url=$(cat "$work/url")

# It keeps its notes in the folder that it runs in.
(cd "$work" && "$tools/bin/schemathesis" run "${url}openapi.json" \
    --checks all --exclude-checks positive_data_acceptance,ignored_auth \
    --max-examples "$examples" --request-timeout 30 --workers 2)

python3 - "$url" <<'PYTHON'
import socket, sys, time
host, port = sys.argv[1].removeprefix("http://").rstrip("/").split(":")

def begin(text):
    client = socket.create_connection((host, int(port)))
    client.settimeout(30)
    client.sendall(text.encode())
    return client

head = f"POST /api/solve HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
slow = {
    "nothing": begin(""),
    "half a head": begin(head),
    "half a body": begin(head + "Content-Length: 30\r\n\r\n{"),
}
began = time.monotonic()
for name, client in slow.items():
    answer = client.recv(1 << 16)
    while answer and client.recv(1 << 16):
        pass
    print(f"{name}: ended after {time.monotonic() - began:.1f} s, {answer[:40]!r}")
    assert time.monotonic() - began < 20
PYTHON
kill -TERM "$server"
wait "$server"
