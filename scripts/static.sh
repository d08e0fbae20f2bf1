#!/usr/bin/env bash
# Builds the arena without a server: a folder of files for any web host.
set -euo pipefail

cd "$(dirname "$0")/.."
source scripts/games.bash

usage() {
    cat <<'TEXT'
usage: scripts/static.sh [--quick] [--test] [--measure] [GAME...]

Writes target/static/ with the modules of these games (default: all).
Any web server shows it, for example: python3 -m http.server --directory target/static 8000

  --quick     hardly optimised, into target/static-quick/, for tests
  --test      after the build: tests the folder in Chromium, each game to its end
  --measure   after the build: plays 200 positions a game with fixed limits, in the modules by node and in a native
              build for any x86-64 processor, and compares moves, positions and time. Then, in Chromium: the bytes of
              a first visit, the time until a game is ready on a slow phone, and memory

Needs rustup's target wasm32-unknown-unknown (rustup target add wasm32-unknown-unknown), or Debian's packages
rustc-web, rust-web-src and lld-19. Exit code 3: neither is here.
TEXT
}

quick=false tests=false measures=false games=()
for argument in "$@"; do
    case $argument in
        -h | --help) usage; exit 0 ;;
        --quick) quick=true ;;
        --test) tests=true ;;
        --measure) measures=true ;;
        *)
            case " ${all_games[*]} " in *" $argument "*) games+=("$argument") && continue ;; esac
            echo "static.sh: unknown argument \"$argument\"" >&2
            usage >&2
            exit 2
            ;;
    esac
done
[ ${#games[@]} -gt 0 ] || games=("${all_games[@]}")

target=${CARGO_TARGET_DIR:-target}
out=$target/static
if $quick; then out=$target/static-quick; fi

# Vectors of 128 bits: every browser of the last years has them.
flags="-C target-feature=+simd128"
way=() options=()
linker=$(command -v wasm-ld-19 || command -v wasm-ld || true)
if [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
    way=(env "RUSTFLAGS=$flags")
elif [ -d /usr/lib/rustlib/src/rust/library/std ] && [ -x /usr/bin/rustc ] && [ -n "$linker" ]; then
    # Debian's compiler builds the standard library from its sources.
    way=(env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 "RUSTFLAGS=$flags -C linker=$linker")
    options=(-Zbuild-std=std,panic_abort)
else
    echo "static.sh: no standard library for wasm32-unknown-unknown (see --help)" >&2
    exit 3
fi
# A module has the features of its game alone. An incremental build has no whole-program optimisation.
way+=(CARGO_RESOLVER_FEATURE_UNIFICATION=selected CARGO_INCREMENTAL=0)
if $quick; then
    way+=(CARGO_PROFILE_MODULE_LTO=off CARGO_PROFILE_MODULE_CODEGEN_UNITS=16 CARGO_PROFILE_MODULE_OPT_LEVEL=1)
fi

modules=()
mkdir -p "$out.modules"
for game in "${games[@]}"; do
    "${way[@]}" cargo rustc --quiet --package static-page --lib --crate-type cdylib --no-default-features --features "$game" \
        --profile module --target wasm32-unknown-unknown "${options[@]}"
    cp "$target/wasm32-unknown-unknown/module/static_page.wasm" "$out.modules/$game.wasm"
    modules+=("$game=$out.modules/$game.wasm")
done
rm -rf "$out"
# With the features of the whole workspace nothing is compiled twice.
cargo build --quiet --workspace --bin static-page
"$target/debug/static-page" "$out" "${modules[@]}"

# size FILE...: the bytes of files, as they are, by gzip, and by brotli where node can say it.
size() {
    local plain packed small
    plain=$(cat "$@" | wc -c) packed=$(for file in "$@"; do gzip -9c "$file"; done | wc -c)
    small=$(node -e 'const z = require("zlib"), f = require("fs"); console.log(process.argv.slice(1).reduce((sum, name) => sum + z.brotliCompressSync(f.readFileSync(name)).length, 0))' "$@" 2>/dev/null || echo "?")
    echo "$plain bytes, gzip $packed, brotli $small"
}
echo "== $out"
echo "first page: $(size "$out"/{fr/index.html,style.css,static.css,home.js,kept.js,app.js,forms.js,ladder.js,wire.js,server.js,local.js,module.js,modules.js,workers.js,icon.svg})"
for game in "${games[@]}"; do
    echo "$game: $(size "$out/$game"-*.wasm)"
done
if $tests; then
    STATIC_FOLDER=$(realpath "$out") cargo test --quiet --package static-page --test it browser::
fi
if $measures; then
    RUSTFLAGS="-C target-cpu=x86-64" cargo build --quiet --release --package static-page --target-dir "$target/portable"
    node scripts/static-measure.mjs "$target/portable/release/static-page" "$out.modules" "${games[@]}"
    node scripts/static-browser.mjs "$out" "${games[@]}"
fi
