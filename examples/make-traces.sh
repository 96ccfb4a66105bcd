#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# make-traces.sh [FOLDER]: makes the traces of all examples, FOLDER/NAME/NAME.bt (FOLDER is the folder
# of this file if none is given). They are the same each time. Uses $NFAGEN, else nfagen in the path; it says on standard
# error where it put the faults.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here}
nfagen=${NFAGEN:-nfagen}

make() {
	name=$1
	shift
	mkdir -p "$out/$name"
	"$nfagen" -q --plain "$@" -o "$out/$name/$name.bt"
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
make slow         -n 60 --drain --lines 4 --mix contended --rate 0.05 --seed 4
make unanswered   -n 80 --drain --lines 4 --mix contended --seed 3 \
	--fault never-completed@40% --fault never-completed@70%
make range        -n 50 --drain --lines 6 --mix read --rate 0.03 --seed 2

mkdir -p "$out/blocks" "$out/bytes" "$out/joins" "$out/transaction" "$out/trigger" "$out/watchdog"
"$nfagen" -q --model streams --cores 2 --rounds 1 -n 130 -o "$out/blocks/blocks.bt"

cat >"$out/bytes/bytes.raw" <<'TEXT'
[ 12.031] eci: link up, 12 lanes
[ 12.480] net: transmit timeout, queue 0
[ 12.481] net: reset
[ 13.112] net: link up
[ 15.733] net: transmit time out of range
[ 15.940] net: Timeout, retry 1
[ 16.350] net: timetimeout, retry 2
TEXT
cat >"$out/joins/joins.bt" <<'TEXT'
3 fpga@0=0x50000101
5 fpga@1=0x50000202 cpu@0=0x10000900
8 cpu@0=0xa0000002
9 fpga@0=0x40000303
12 cpu@1=0xa0000001
14 cpu@0=0x90000003
15 cpu@0=0xa0000003
17 cpu@1=0xa0000006
20 fpga@0=0x50000401 fpga@1=0x50000502
21 cpu@0=0x50000601
24 fpga@0=0xa0000001 cpu@1=0x90000001
26 cpu@0=0xa0000002
TEXT
cat >"$out/transaction/transaction.bt" <<'TEXT'
12 cpu@6=0x0010000000008080
19 cpu@7=0x0014000000008100
31 cpu@6=0x0818000000008080
66 fpga@5=0x5014000000008100
80 cpu@7=0x2814000000008200
97 fpga@4=0x4818000000008080
140 fpga@4=0x5010000000008080
155 cpu@6=0x0010000000008280
171 cpu@6=0x0818000000008180
190 fpga@5=0x5014000000008200
203 cpu@6=0x0010000000008180
236 fpga@4=0x4818000000008180
251 fpga@4=0x5010000000008280
TEXT
cat >"$out/trigger/trigger.bt" <<'TEXT'
3 core.REQ_READ@0:0x1000
5 core.REQ_WRITE@1:0x1040
9 mem.ANS_DATA@0:0x1000
11 mem.ANS_DONE@1:0x1040
20 core.REQ_READ@0:0x1080
22 core.REQ_READ@1:0x1140
27 mem.ANS_DATA@0:0x1140
30 core.REQ_WRITE@0:0x1000 core.REQ_READ@1:0x10c0
36 mem.ANS_DATA@0:0x10c0
38 core.REQ_READ@0:0x1180
44 mem.ANS_DONE@0:0x1000 mem.ANS_DATA@1:0x1180
47 core.REQ_READ@1:0x11c0
51 pin.PIN_RISE
52 mem.ANS_DATA@1:0x11c0
60 core.REQ_READ@0:0x1000
61 pin.PIN_FALL
66 mem.ANS_DATA@0:0x1000
70 core.REQ_WRITE@1:0x1000
75 mem.ANS_DONE@1:0x1000
TEXT
cat >"$out/watchdog/watchdog.bt" <<'TEXT'
38 cpu.MREQ_RLDD@7:0x8100
284 cpu.MREQ_RLDI@6:0x8080
334 fpga.MRSP_PEMD@5:0x8100
389 fpga.MRSP_PSHA@4:0x8080
1030 cpu.MRSP_VICC@5:0x8100
1500 cpu.MREQ_RLDD@7:0x8100
1629 fpga.MRSP_PEMD@5:0x8100
4184 cpu.MREQ_RLDI@6:0x8180
4266 fpga.MRSP_PSHA@4:0x8180
4952 cpu.MREQ_RLDD@6:0x8280
TEXT
