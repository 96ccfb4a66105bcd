# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# What --estimate prints: T figure 33 (eq. 33, 34: 7 states and 7 edges), T figure 35 and T eq. 50, of
# which each state becomes three states, and one state has more successors than there are choices; the
# thesis's model at two overlays of T table 8; and wrong use.
exec 2>&1
set -e
try() {
	printf '%s\n' "$1" >x.re
	shift
	echo "nfacc --estimate $*: $(cat x.re)"
	$NFACC --estimate "$@" x.re
}
try 'let req = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);
let no_rsp = None(fpga.MRSP_PEMD, fpga.MRSP_PSHA); filter f = req no_rsp* req;' -Wno-anchored --overlay none
all='protocol bytes; automaton f { state x start accept; state y; state z;'
try "$all
x -> x : 'a'; x -> y : 'a'; x -> z : 'a'; y -> x : 'b'; y -> y : 'b'; y -> z : 'b';
z -> x : 'c'; z -> y : 'c'; z -> z : 'c'; }" --overlay 2,2,1,0,1
try "$all
x -> x : 'a'; y -> x : 'a'; z -> x : 'a'; x -> y : 'b'; y -> y : 'b'; z -> y : 'b';
x -> z : 'c'; y -> z : 'c'; z -> z : 'c'; }" --overlay 2,2,1,0,1
try "protocol bytes; filter f = true* ('a' 'a' | 'b' 'b' | 'c' 'c' | 'd' 'd');" --overlay none
$NFACC --estimate --overlay table8-4x128
$NFACC --estimate --overlay table8-300
for n in 8 10 12; do
	echo "overlay h; protocol bytes; clique 2; length 2; rings 1; reach 0; lines 1; histogram $n;" >h.ov
	$NFACC --estimate --overlay h.ov --protocol bytes | grep histogram
done
for with in 'window 0' 'window 64' 'window 64; state memory' 'window 64; shadow yes' 'window 1022' \
	'window 64; shadow yes; state memory' 'window 64; shadow yes; state memory; label_swap yes'; do
	echo "overlay p; protocol eci; clique 2; length 2; rings 1; reach 0; payload 64; $with;" >p.ov
	$NFACC --estimate --overlay p.ov | grep payload
done
$NFACC --estimate --overlay guards -o guards.txt
cat guards.txt
set +e
$NFACC --estimate --overlay none
echo "exit code $?"
$NFACC --estimate --overlay table8-4 --protocol bytes
echo "exit code $?"
echo 'filter f = true* nothing;' >x.re
$NFACC --estimate x.re
echo "exit code $?"
$NFACC --estimate --check x.re
echo "exit code $?"
