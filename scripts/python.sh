#!/usr/bin/env bash
# Builds the wheel of the Python package and tests it from a fresh environment, not from the tree.
#
# usage: scripts/python.sh [stubs | attack]
#     stubs: write the type stubs anew and do nothing else
#     attack: kill the workers and schedulers of clusters, and nothing else; ten minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(realpath -m "${CARGO_TARGET_DIR:-target}/python")
tools=$work/tools
if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    echo "Python 3.10 or newer with the module venv is missing (Debian: python3-venv)" >&2
    exit 1
fi
mkdir -p "$work"
if [ ! -x "$tools/bin/maturin" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet 'maturin>=1.13,<2'
fi

# The stubs that the code asks for.
stubs() {
    rm -rf "$work/stubs"
    (cd python &&
        "$tools/bin/maturin" generate-stubs --quiet --profile release --out "$work/stubs")
}

if [ "${1:-}" = stubs ]; then
    stubs
    cp "$work/stubs/klondike_solver/_klondike.pyi" python/klondike_solver/
    exit
fi

rm -rf "$work/wheels" "$work/tests"
"$tools/bin/maturin" build --quiet --release --locked -m python/Cargo.toml --out "$work/wheels"
stubs
diff -u python/klondike_solver/_klondike.pyi "$work/stubs/klondike_solver/_klondike.pyi" || {
    echo "the stubs are stale: scripts/python.sh stubs" >&2
    exit 1
}
# The source distribution has all that it builds from. It lacks the crates that the package does not
# need, so cargo shortens the lock file there, and must not be kept from it.
rm -rf "$work/sdist"
"$tools/bin/maturin" sdist -m python/Cargo.toml --out "$work/sdist"
tar -xzf "$work"/sdist/*.tar.gz -C "$work/sdist"
(cd "$work"/sdist/*/ && cargo metadata --offline --format-version 1 >/dev/null &&
    ! grep -q '^locked' pyproject.toml)
# Packages of others are kept from run to run; the wheel and what it asks for is installed anew.
packages=(pytest mypy 'pyright[nodejs]' pyarrow polars pandas duckdb gymnasium nbclient ipykernel
    distributed hyperqueue 'moto[server]')
if [ "$(cat "$work/fresh/packages" 2>/dev/null)" != "${packages[*]}" ]; then
    rm -rf "$work/fresh"
    python3 -m venv "$work/fresh"
    "$work/fresh/bin/pip" install --quiet "${packages[@]}"
    echo "${packages[*]}" >"$work/fresh/packages"
fi
"$work/fresh/bin/pip" uninstall --quiet --yes klondike-solver tqdm
"$work/fresh/bin/pip" install --quiet "$work"/wheels/*.whl
cp -r python/tests "$work/tests"
cp -r docs/clusters.md docs/gymnasium.md docs/python.md python/notebooks "$work/tests"
cd "$work/tests"
if [ "${1:-}" = attack ]; then
    exec "$work/fresh/bin/python" -m pytest --verbose -p no:cacheprovider attack_cluster.py
fi
"$work/fresh/bin/python" -m pytest --quiet -p no:cacheprovider .
"$work/fresh/bin/mypy" --strict --no-error-summary --cache-dir "$work/mypy" .
"$work/fresh/bin/pyright" --pythonpath "$work/fresh/bin/python" --warnings .
