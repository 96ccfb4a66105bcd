#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# bench_shark.sh [MESSAGES]: prints how many times longer tshark takes, in seconds of the processor, with
# the dissector of ECI than without one. It lists all packets, filters by one field, and shows all fields.
set -eu
messages=${1:-1000000}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/nfacc-bench.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
export HOME="$tmp" # no settings of the user
echo 'protocol eci; filter req = true* R13;' 'log = true* any; window 1000;' >eci.re
"$NFACC" --overlay none eci.re -o eci.bin
"$NFACC" --emit=lua -o eci.lua
"$NFAGEN" -q -n "$messages" --seed 1 -f compact -o eci.nft
"$NFARUN" -q --to pcapng -o eci.pcapng eci.bin eci.nft

# seconds OPTION...: of the processor that tshark takes.
seconds() {
	python3 - "$@" <<'P'
import resource, subprocess, sys
subprocess.run(["tshark", "-r", "eci.pcapng", *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL,
               stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
P
}

# row NAME FILTER-WITHOUT FILTER-WITH [OPTION...]: of options that both runs have.
row() {
	name=$1 without=$2 with=$3
	shift 3
	plain=$(seconds ${without:+-Y "$without"} "$@")
	dissected=$(seconds -X lua_script:eci.lua ${with:+-Y "$with"} "$@")
	awk -v name="$name" -v a="$plain" -v b="$dissected" 'BEGIN { printf "%-36s %.1f\n", name, b / a }'
}

echo "tshark with a dissector, times the time without: $messages batches"
row 'list' '' ''
row 'filter, one field' 'frame.len > 300' 'eci.latency > 300'
row 'filter, and fields of what is left' 'frame.len > 300' 'eci.latency > 300' -T fields -e frame.number
row 'all fields of all packets, as text' '' '' -V
