#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# make-traces.sh [FOLDER]: makes the traces of all examples in FOLDER (default: the folder of this
# file). They are the same each time. Uses $NFAGEN, else nfagen in the path; it says on standard
# error where it put the faults.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
nfagen=${NFAGEN:-nfagen}

make() {
	name=$1
	shift
	"$nfagen" -q --plain "$@" -o "$out/$name.bt"
}

make inflight     -n 60 --lines 4 --rate 0.004 --seed 3 --mix read --fault double-request@40%
make misses       -n 90 --drain --lines 4 --mix 6:2:4:1:3 --crossing 20 --seed 2
make messages     -n 40 --drain --lines 4 --mix read --io 0.2 --seed 5
make invalidation -n 90 --drain --lines 4 --base 0x80 --mix 6:0:1:1:6 --seed 3 \
	--fault lost-ack@40%
make handover     -n 90 --drain --lines 4 --mix 3:0:0:6:6 --shared-loads --crossing 10 \
	--seed 10 --fault wrong-response@50%
make hang         -n 60 --drain --lines 4 --mix contended --seed 7 --fault never-completed@60%
make hot          -n 90 --drain --lines 3 --mix 8:1:4:1:2 --seed 3
make stall        -n 80 --lines 1 --io 0.5 --rate 0.05 --seed 8 --fault never-completed@50%
make checks       -n 90 --drain --lines 4 --mix contended --seed 6 \
	--fault double-request@10% --fault wrong-response@25% --fault lost-ack@40% \
	--fault lost-samples@70%

cat >"$out/bytes.raw" <<'TEXT'
[ 12.031] eci: link up, 12 lanes
[ 12.480] net: transmit timeout, queue 0
[ 12.481] net: reset
[ 13.112] net: link up
[ 15.733] net: transmit time out of range
[ 15.940] net: Timeout, retry 1
[ 16.350] net: timetimeout, retry 2
TEXT
