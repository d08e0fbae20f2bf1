#!/usr/bin/env bash
# Installs the browser, its driver and axe-core, which the arena's tests need.
set -euo pipefail

case ${1-} in
    "") ;;
    -h | --help)
        echo "usage: scripts/browser.sh"
        echo
        echo "Installs chromium and its driver from Debian's packages if they are missing. If that is not"
        echo "possible, prints one line; the tests that need them are then skipped, and say so. axe-core goes from"
        echo "npm to target/npm."
        exit 0
        ;;
    *) echo "browser.sh: unknown argument \"$1\"" >&2; exit 2 ;;
esac

cd "$(dirname "$0")/.."
if [ ! -e target/npm/node_modules/axe-core ]; then
    if ! command -v npm >/dev/null || ! npm install --silent --no-audit --no-fund --prefix target/npm axe-core@4.14.1 >/dev/null
    then
        echo "browser.sh: axe-core could not be installed (npm)" >&2
    fi
fi

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    exit 0
fi
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    echo "browser.sh: chromium and chromedriver are missing, and only root can install them (apt-get)" >&2
    exit 0
fi
apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    chromium chromium-driver fonts-dejavu-core >/dev/null || echo "browser.sh: chromium could not be installed" >&2
