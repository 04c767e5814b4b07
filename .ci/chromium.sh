#!/bin/sh
# Prints the path of a Chromium that runs; installs one where the system's package manager may be used,
# else says the one command that does. Messages go to standard error.
set -eu

names='chromium chromium-browser google-chrome google-chrome-stable'
mac='/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

find_browser() {
    for name in "${CHROMIUM:-}" $names "$mac" /Applications/Chromium.app/Contents/MacOS/Chromium; do
        path=$(command -v "$name" 2>/dev/null) || continue
        # Running it tells a browser from a stub that only points to another package.
        if "$path" --version >/dev/null 2>&1; then
            echo "$path"
            return 0
        fi
    done
    return 1
}

install_with_apt() {
    echo 'No Chromium found: installing it with apt-get for the browser tests.' >&2
    "$@" apt-get update -q >&2 &&
        "$@" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
            -o DPkg::Lock::Timeout=300 chromium fonts-noto-core >&2
}

command_to_run() {
    if command -v apt-get >/dev/null; then
        echo 'sudo apt-get install -y chromium fonts-noto-core'
    elif command -v dnf >/dev/null; then
        echo 'sudo dnf install -y chromium'
    elif command -v pacman >/dev/null; then
        echo 'sudo pacman -S --noconfirm chromium'
    elif command -v brew >/dev/null; then
        echo 'brew install --cask google-chrome'
    else
        echo 'make test CHROMIUM=/path/to/chromium'
    fi
}

find_browser && exit 0

if command -v apt-get >/dev/null; then
    if [ "$(id -u)" -eq 0 ]; then
        install_with_apt || true
    elif sudo -n true 2>/dev/null; then
        install_with_apt sudo -n || true
    fi
    find_browser && exit 0
fi

echo "The browser tests need Chromium. Run: $(command_to_run)" >&2
exit 1
