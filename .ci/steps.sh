# What .ci/run and .ci/nightly share: installs the Debian packages that the tests need, and defines the steps.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Installs Debian packages. On a new machine, another process can hold the locks of apt for minutes.
install_packages() {
  if [ "$(id -u)" -ne 0 ]; then
    echo "Debian packages are missing: $*. Install them, or run this script as root." >&2
    exit 1
  fi
  local apt=(apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  # The timeout does not apply to the lock of the package lists.
  for _ in {1..10}; do "${apt[@]}" update && break || sleep 30; done
  DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "$@"
}

# With CI set, a missing Redis is an error.
export CI=true
packages=()
command -v redis-server > /dev/null || packages+=(redis-server)
command -v haproxy > /dev/null || packages+=(haproxy)
command -v nginx > /dev/null || packages+=(nginx)
command -v promtool > /dev/null || packages+=(prometheus)
command -v openssl > /dev/null || packages+=(openssl)
command -v firefox-esr > /dev/null || packages+=(firefox-esr)
command -v unzip > /dev/null || packages+=(unzip)
# The browsers are Debian's, unless CHROMIUM is the path of another one. Only the one with windows shows PDFs.
for browser in chromium chromium-headless-shell; do
  [ -n "${CHROMIUM:-}" ] || [ -x "/usr/bin/$browser" ] || packages+=("$browser")
done
[ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}"

# Prints what each step took when the script ends, and what runs beside a step that failed.
times=()
besidePid=
report() {
  [ -z "$besidePid" ] || join || true
  printf '\n%s\n' "${times[@]}" "$SECONDS s in total"
}
trap report EXIT

step() {
  local start=$SECONDS
  "$@"
  times+=("$((SECONDS - start)) s: $*")
}

# Runs scripts of package.json, with their options, beside the steps that follow, until `join`, which prints what they
# printed. Steps that wait, for the registry, for processes and for browsers, leave time to others.
beside() {
  besideStart=$SECONDS
  besideOutput=$(mktemp)
  besideSteps="$*"
  # shellcheck disable=SC2086 # a script and its options
  (for script in "$@"; do npm run $script; done) > "$besideOutput" 2>&1 &
  besidePid=$!
}

join() {
  local status=0
  wait "$besidePid" || status=$?
  besidePid=
  cat "$besideOutput"
  rm "$besideOutput"
  times+=("$((SECONDS - besideStart)) s, beside others: $besideSteps")
  return "$status"
}

# Packs the tarball that the following steps install.
pack() {
  local packed
  packed=$(mktemp -d)
  step npm pack --silent --pack-destination "$packed"
  TARBALL=$(echo "$packed"/*.tgz)
  export TARBALL
}
