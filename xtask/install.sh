#!/bin/sh
# xtask/install.sh run|test|drill — installs what running, testing or drilling Recourse needs and this machine lacks.
# Quick when everything is there. Installs packages on Debian and Ubuntu; elsewhere says what is missing.
set -eu

least_rust=1.95
least_node=18
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }
stop() { say "install: $*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# at_least 1.95 1.100.2: whether the second version is the first or newer.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# --- Debian packages ---------------------------------------------------------------------------------------------------

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif has sudo; then sudo "$@"
  else stop "\"$*\" needs root: run it yourself, or install sudo."
  fi
}

apt() { as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 "$@"; }

lists_are_fresh=no
refresh_lists() {
  [ "$lists_are_fresh" = yes ] && return
  say "Asking Debian for its list of packages …"
  apt update >/dev/null || stop "apt-get update failed; is this machine on a network?"
  lists_are_fresh=yes
}

installed() { dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'; }

# packages "what it is, how long" NAME…: installs those that are missing, and never removes one that is there.
packages() {
  what=$1
  shift
  missing=
  for name in "$@"; do installed "$name" || missing="$missing $name"; done
  [ -z "$missing" ] && return
  has apt-get || stop "missing:$missing ($what); install what your system calls these."
  say "Installing $what:$missing …"
  log=$(mktemp)
  # A list that was never fetched, or is too old, is fetched once and the same is tried again.
  # shellcheck disable=SC2086
  if ! apt install -y --no-install-recommends --no-remove $missing >"$log" 2>&1; then
    refresh_lists
    apt install -y --no-install-recommends --no-remove $missing >"$log" 2>&1 || {
      tail -n 20 "$log" >&2
      stop "could not install$missing ($what); the reason stands above."
    }
  fi
  rm -f "$log"
}

offered_version() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p'; }

# --- What running needs ------------------------------------------------------------------------------------------------

c_compiler() {
  if has cc && has make && echo '#include <stdlib.h>' | cc -E - >/dev/null 2>&1; then return; fi
  packages "a C compiler, for SQLite and cryptography, about 20 s" gcc libc6-dev make
}

rust_version() { "$1" --version | cut -d ' ' -f 2; }

# Debian's newest Rust, which it keeps for building browsers.
debian_rust() {
  if ! has apt-get; then
    stop "missing: $1; install Rust $least_rust or newer with rustup, then \`rustup target add wasm32-unknown-unknown\`."
  fi
  if ! installed rustc-web; then
    version=$(offered_version rustc-web)
    if [ -z "$version" ] || ! at_least "$least_rust" "$version"; then
      refresh_lists
      version=$(offered_version rustc-web)
    fi
    if [ -z "$version" ] || [ "$version" = "(none)" ] || ! at_least "$least_rust" "$version"; then
      stop "missing: $1, and this system offers no rustc-web from $least_rust on; install Rust with rustup."
    fi
  fi
  packages "Debian's Rust, for $1, about 40 s" rustc-web cargo-web rust-web-src
  # The linker for wasm must know what this compiler's LLVM writes.
  packages "the linker for wasm, about 10 s" "lld-$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')"
}

rust() {
  if ! has cargo; then
    debian_rust "a Rust compiler"
    return
  fi
  version=$(rust_version rustc)
  at_least "$least_rust" "$version" ||
    stop "Rust $version is too old, Recourse needs $least_rust: \`rustup update\`, or remove it and run this again."
}

has_wasm_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ]; }
has_debian_wasm() {
  [ -x /usr/bin/rustc ] && [ -x /usr/bin/cargo ] && installed rust-web-src &&
    [ -x "/usr/bin/wasm-ld-$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')" ]
}

wasm_target() {
  if has_wasm_target || has_debian_wasm; then return; fi
  if has rustup; then
    say "Adding the wasm target to Rust, at most a minute …"
    if timeout 60 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 && has_wasm_target; then return; fi
    say "rustup could not; taking Debian's toolchain for the browser's part instead."
  fi
  debian_rust "a compiler for wasm"
}

node_and_npm() {
  if has node && has npm && at_least "$least_node" "$(node --version | tr -d v)"; then return; fi
  if has node && ! at_least "$least_node" "$(node --version | tr -d v)"; then
    stop "Node.js $(node --version) is too old, $least_node is needed."
  fi
  packages "Node.js and npm, about 60 s" nodejs npm
}

# npm_packages FOLDER "what they are": as the lock file says, again only when it has changed.
npm_packages() {
  lock=$root/$1/package-lock.json
  done_for=$root/$1/node_modules/.installed-for
  if [ -f "$done_for" ] && cmp -s "$lock" "$done_for"; then return; fi
  say "Installing $2 …"
  (cd "$root/$1" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2) || stop "npm ci failed in $1/."
  cp "$lock" "$done_for"
}

for_running() {
  c_compiler
  rust
  wasm_target
  node_and_npm
  npm_packages xtask "the tools that make the web bundle, about 10 s"
}

# --- What testing needs besides ----------------------------------------------------------------------------------------

postgresql() {
  for initdb in /usr/lib/postgresql/*/bin/initdb; do [ -x "$initdb" ] && return; done
  has initdb && return
  packages "PostgreSQL for the tests, about 30 s" postgresql
}

chromium() {
  [ -x "${RECOURSE_CHROMIUM:-/usr/bin/chromium}" ] || packages "Chromium for the tests, about 60 s" chromium
}

fonts() {
  # Elsewhere a system with a desktop has them.
  has apt-get || return 0
  packages "fonts of many scripts for the tests, about 20 s" fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji
}

lints() {
  if has rustup && cargo --version 2>/dev/null | grep -q . && [ "$(command -v cargo)" != /usr/bin/cargo ]; then
    cargo fmt --version >/dev/null 2>&1 || timeout 60 rustup component add rustfmt >/dev/null 2>&1 || true
    cargo clippy --version >/dev/null 2>&1 || timeout 60 rustup component add clippy >/dev/null 2>&1 || true
  elif installed rustc-web; then
    packages "Rust's formatter and lints, about 10 s" rustfmt-web rust-web-clippy
  fi
  cargo fmt --version >/dev/null 2>&1 || stop "rustfmt is missing: \`rustup component add rustfmt\`."
}

for_testing() {
  for_running
  lints
  postgresql
  chromium
  fonts
  npm_packages end2end "the browser tests' driver, about 5 s"
}

# Generates requests from the API's description.
schemathesis() {
  folder=${XDG_CACHE_HOME:-$HOME/.cache}/recourse/schemathesis
  [ -x "$folder/bin/schemathesis" ] && return
  has python3 && python3 -c 'import ensurepip' 2>/dev/null || packages "Python, for a drill, about 20 s" python3-venv
  say "Installing schemathesis for a drill, about 20 s …"
  { python3 -m venv "$folder" && "$folder/bin/pip" install -q 'schemathesis==4.32.5' >&2; } || stop "schemathesis could not be installed."
}

for_drilling() {
  for_testing
  schemathesis
}

case ${1:-} in
  run) for_running ;;
  test) for_testing ;;
  drill) for_drilling ;;
  *) stop "say what for: install.sh run, install.sh test or install.sh drill." ;;
esac
