#!/usr/bin/env bash
# Tests that a match over four hosts completes although one host is lost.
set -euo pipefail

usage() {
    cat <<'TEXT'
usage: scripts/four-hosts.sh [GAMES [DEPTH]]

Plays GAMES games (default 1000) of the last game that "referee games" names between searches of DEPTH (default 3) and DEPTH - 1 with
scripts/tournament-parallel.sh over four hosts. After three parts, one host is disconnected and all
its processes are killed. The joined record is then compared with an unsplit run, game by game.

The hosts are network namespaces of this machine, each with an ssh server. Needs root, ip, sshd, GNU
parallel and python3. The variable REFEREE names the executable (default: release/referee in
CARGO_TARGET_DIR or target).
TEXT
}

case ${1-} in -h | --help) usage; exit 0 ;; esac
games=${1-1000} depth=${2-3} shards=20
top=$(cd "$(dirname "$0")/.." && pwd)
export REFEREE=${REFEREE-$(cd "$top" && realpath -m "${CARGO_TARGET_DIR:-target}")/release/referee}
[ "$(id -u)" = 0 ] || { echo "four-hosts.sh: network namespaces need root" >&2; exit 2; }
for tool in ip /usr/sbin/sshd parallel python3 "$REFEREE"; do
    command -v "$tool" >/dev/null || { echo "four-hosts.sh: $tool is not installed" >&2; exit 2; }
done
folder=$(mktemp -d)

# Ends all processes in a host's namespace; all of them are ours.
lose() {
    ip -n "refhost$1" link set eth0 down 2>/dev/null || true
    ip netns pids "refhost$1" 2>/dev/null | xargs -r kill -9 2>/dev/null || true
}
clean() {
    for host in 1 2 3 4; do
        lose $host
        ip netns del "refhost$host" 2>/dev/null || true
    done
    ip link del refbridge 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT

mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
ssh-keygen -q -t ed25519 -N '' -f "$folder/hostkey"
cat > "$folder/sshd" <<TEXT
HostKey $folder/hostkey
AuthorizedKeysFile $folder/key.pub
StrictModes no
UsePAM no
PidFile none
TEXT
cat > "$folder/ssh" <<TEXT
IdentityFile $folder/key
StrictHostKeyChecking no
UserKnownHostsFile /dev/null
LogLevel ERROR
ConnectTimeout 5
ServerAliveInterval 2
ServerAliveCountMax 2
TEXT
ip link add refbridge type bridge
ip addr add 10.213.0.254/24 dev refbridge
ip link set refbridge up
hosts=
for host in 1 2 3 4; do
    ip netns add "refhost$host"
    ip link add "refveth$host" type veth peer name eth0 netns "refhost$host"
    ip link set "refveth$host" master refbridge up
    ip -n "refhost$host" addr add "10.213.0.$host/24" dev eth0
    ip -n "refhost$host" link set eth0 up
    ip -n "refhost$host" link set lo up
    ip netns exec "refhost$host" /usr/sbin/sshd -f "$folder/sshd"
    hosts+="${hosts:+,}1/10.213.0.$host"
done

game=$("$REFEREE" games | tail -n 1 | cut -f 1)
match=(match "$game" --a "builtin:search:$depth" --b "builtin:search:$((depth - 1))" --games "$games")
log=$folder/run/joblog
{
    until [ "$(wc -l 2>/dev/null < "$log" || echo 0)" -gt 3 ]; do sleep 0.1; done
    echo "lost: host 3, with $(($(wc -l < "$log") - 1)) of $shards parts done"
    lose 3
} &
"$top/scripts/tournament-parallel.sh" $shards "$folder/run" --ssh "ssh -F $folder/ssh" --sshlogin "$hosts" \
    --retries 5 -- "${match[@]}"
wait $!
"$REFEREE" "${match[@]}" --quiet --record "$folder/whole.jsonl" > "$folder/whole.txt"
python3 - "$folder/whole.jsonl" "$folder/run/joined.jsonl" "$log" <<'TEXT'
import json, sys
def games(path):
    kept = ("game", "seats", "opening", "seed", "moves", "points", "end")
    games = [json.loads(line) for line in list(open(path))[1:]]
    return sorted([[game[name] for name in kept] for game in games])
whole, joined = games(sys.argv[1]), games(sys.argv[2])
jobs = [line.split("\t") for line in list(open(sys.argv[3]))[1:]]
hosts = {}
for job in jobs:
    hosts[job[1]] = hosts.get(job[1], 0) + 1
print("parts by host:", ", ".join(f"{host} {count}" for host, count in sorted(hosts.items())))
print(f"{len(joined)} games over four hosts, {sum(a != b for a, b in zip(whole, joined))} differ from the unsplit run")
sys.exit(0 if whole == joined else 1)
TEXT
