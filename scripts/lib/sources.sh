# shellcheck shell=bash
# Third-party sources: fetched once into third_party/ and checked file by file against pins.sha256.
# Sourced by scripts/setup.

PINS="$ROOT/scripts/lib/pins.sha256"

pins_of() { grep -E "^[0-9a-f]{64}  $1/" "$PINS"; }

# verify NAME DIR: every pinned file of NAME is in DIR/NAME with the pinned sum.
verify() { (cd "$2" && pins_of "$1" | sha256_check); }

# derive_sources SUITE DIR: writes apt source entries for SUITE into DIR, made from the entries of this
# system's own Debian archive: the same addresses and options (keys, trust), only the suite replaced and
# `deb` turned into `deb-src`. Knows both the one-line and the deb822 format.
derive_sources() {
    local codename own file
    codename="$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)"
    own="^(${codename:-sid}|stable|oldstable|testing|unstable|sid)\$"
    mkdir -p "$2"
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | awk -v suite="$1" -v own="$own" '
        $1 == "deb" {
            line = $0; options = ""
            if (match(line, /\[[^]]*\]/)) {
                options = substr(line, RSTART, RLENGTH) " "
                line = substr(line, 1, RSTART - 1) substr(line, RSTART + RLENGTH)
            }
            split(line, f)
            if (f[3] ~ own && line ~ /[ \t]main([ \t]|$)/) print "deb-src " options f[2] " " suite " main"
        }' >"$2/derived.list"
    # One file after the other, with a blank line between: a stanza ends where its file ends.
    for file in /etc/apt/sources.list.d/*.sources; do
        if [ -f "$file" ]; then cat "$file" && echo; fi
    done | awk -v suite="$1" -v own="$own" '
        function flush(   i, n, word, match_suite) {
            n = split(value["suites"], word)
            for (i = 1; i <= n; i++) if (word[i] ~ own) match_suite = 1
            if (match_suite && (" " value["types"] " ") ~ / deb / && (" " value["components"] " ") ~ / main / &&
                tolower(value["enabled"]) !~ /no|false/)
                printf "Types: deb-src\nSuites: %s\nComponents: main\n%s\n", suite, kept
            kept = ""; split("", value)
        }
        /^#/ { next }
        /^[ \t]*$/ { flush(); next }
        {
            if ($0 !~ /^[ \t]/) { key = tolower($0); sub(/:.*/, "", key) }
            text = $0; sub(/^[^ \t:]+:/, "", text)
            value[key] = value[key] " " text
            if (key !~ /^(types|suites|components|enabled)$/) kept = kept $0 "\n"
        }
        END { flush() }' >"$2/derived.sources"
    [ -s "$2/derived.list" ] || [ -s "$2/derived.sources" ]
}

# from_debian PACKAGE VERSION DIR SUITE...: unpacks the upstream part of Debian's source package into DIR.
# apt gets a configuration of its own in a temporary folder: the system's sources and lists stay as they are,
# while its proxies, keys and the like still apply.
from_debian() {
    local package=$1 version=$2 dir=$3 suite work versions full
    shift 3
    have apt-get && have dpkg-source || return 1
    for suite in "$@"; do
        work="$(mktemp -d "$TMP/apt.XXXXXX")"
        derive_sources "$suite" "$work/parts" || return 1
        mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/download"
        # `#clear`: the system's hooks after an update are about the system's lists, not about these.
        # As root, apt would fetch as a user who may not write into this folder.
        cat >"$work/apt.conf" <<CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Sandbox::User "root";
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/parts";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
CONF
        apt-get -qq -c "$work/apt.conf" update >"$work/log" 2>&1 || true
        versions="$(apt-cache -c "$work/apt.conf" showsrc "$package" 2>>"$work/log" | awk '/^Version:/ { print $2 }')"
        full="$(grep -m1 -E "^${version//./\\.}[-+]" <<<"$versions")" || continue
        (cd "$work/download" && apt-get -qq -c "$work/apt.conf" source --download-only "$package=$full") \
            >>"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2 && continue; }
        # Without Debian's patches: what is left is upstream's release, byte for byte, as the sums expect.
        # apt has checked the archive's signatures, so dpkg-source need not look for the uploader's key.
        dpkg-source --no-check --skip-patches -x "$work"/download/*.dsc "$dir" >>"$work/log" 2>&1 || continue
        echo "   $package $full from Debian $suite"
        return 0
    done
    return 1
}

# from_git URL TAG DIR: the fall-back where Debian's archive is not in use or has moved on.
from_git() {
    have git || return 1
    echo "   $1 $2"
    git -c advice.detachedHead=false clone --quiet --depth 1 --branch "$2" "$1" "$3"
}

# third_party NAME PACKAGE VERSION URL TAG SUITE...: third_party/NAME holds exactly the pinned files.
third_party() {
    local name=$1 package=$2 version=$3 url=$4 tag=$5
    shift 5
    if [ -d "third_party/$name" ]; then
        verify "$name" third_party ||
            die "third_party/$name is not what scripts/lib/pins.sha256 expects; remove it and run scripts/setup again"
        return 0
    fi
    say "Sources of $name $version"
    TMP="$(mktemp -d)"
    trap 'rm -rf "$TMP"' EXIT
    from_debian "$package" "$version" "$TMP/$name" "$@" || from_git "$url" "$tag" "$TMP/$name" ||
        die "no source of $name $version: neither Debian's archive ($*) nor $url at $tag could be used"
    verify "$name" "$TMP" || die "the fetched sources of $name $version differ from scripts/lib/pins.sha256"
    # Only what was checked comes in, and only as a whole.
    mkdir -p third_party "$TMP/checked"
    pins_of "$name" | cut -c 67- | tar -C "$TMP" -cf - -T - | tar -C "$TMP/checked" -xf -
    mv "$TMP/checked/$name" "third_party/$name"
    rm -rf "$TMP"
    trap - EXIT
}
