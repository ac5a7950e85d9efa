"""Makes datasets/winnable/: the numbers of deals that are proved winnable, each with its grade.

Run it in the project's folder after `cargo build --release`:
python3 scripts/winnable.py [KLONDIKE [COUNT]]
The lists are the same on every machine; they take some minutes.
"""

import json
import subprocess
import sys

program = sys.argv[1] if len(sys.argv) > 1 else "target/release/klondike"
count = sys.argv[2] if len(sys.argv) > 2 else "2500"
for name, first in (("klondike", "klondike:1"), ("pysolfc", "pysolfc-mt:32000")):
    for draw in (1, 3):
        command = [program, "generate", count, "--grade", "1..10", "--json"]
        command += ["--from", first, "--draw", str(draw)]
        with open(f"datasets/winnable/{name}-draw{draw}.txt", "w") as file:
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
                for line in run.stdout:
                    deal = json.loads(line)
                    file.write(f"{deal['deal'].split(':')[1]} {deal['grade']}\n")
            if run.returncode != 0:
                sys.exit(f"{' '.join(command)} ended with status {run.returncode}")
