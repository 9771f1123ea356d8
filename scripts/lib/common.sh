# shellcheck shell=bash
# Shared by the scripts beside this folder; sourced, never run.
# Sets ROOT and moves there, so that every path below is relative to the project.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
cd "$ROOT" || exit 1

say() { printf '\n== %s\n' "$*"; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# Is `node` there, and new enough for the tests (node --test) and for npm's lock file?
have_node() { have node && have npm && [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ]; }

# `sha256sum --check` reading from standard input, on systems that call it otherwise too.
sha256_check() {
    if have sha256sum; then sha256sum --check --quiet --strict -; else shasum -a 256 --check --quiet --strict -; fi
}
