# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Filters with windows of two sizes, several ranges of substreams, substreams for a field and
# broadcast types, compiled for overlays that have these. The output is that of the sparse image.
# Overlays without them refuse the filters.
exec 2>&1
cat >w.re <<'.'
protocol eci-coherence; window 2, 1; log = all;
filter hit = true* cpu.MREQ_RLDD;
.
for i in 1 2 3 4 5 6 7 8; do
	if [ $i = 4 ]; then echo "$i cpu.MREQ_RLDD@6:0x80"; else echo "$i fpga.MRSP_PEMD@4:0x80"; fi
done >w.bt
o='overlay t; clique 3; length 5; rings 2; reach 1; window 2'
# same FILTER TRACE: compares the images for overlay none and t.ov.
same() {
	$NFACC -I . --overlay none "$1" -o none.bin && $NFARUN -q none.bin "$2" >none.out
	$NFACC -I . --overlay t.ov "$1" -o t.bin && $NFARUN -q t.bin "$2" | diff none.out - &&
		sed 's/ .*//' none.out | paste -s -d ' '
}
echo "$o;" >t.ov
$NFACC --check --overlay t.ov w.re
echo "$o; window_after own;" >t.ov
same w.re w.bt
$NFARUN --inspect t.bin | grep -o 'window.*'
sed 's/2, 1/1, 3/' w.re >big.re
$NFACC --check --overlay t.ov big.re 2>&1 | head -n 1

cat >k.re <<'.'
protocol eci-coherence;
substream rreqid from 3 count 2, from 9 count 1;
filter pair = true* cpu.MREQ_RLDD cpu.MREQ_RLDD;
.
sed 's/rreqid from 3 count 2, from 9/cl from 0x80 count 2, from 0x1000/' k.re >r.re
awk 'BEGIN { for (i = 1; i <= 40; i++)
	printf "%d cpu@6=0x%04x0000%08x\n", i, i % 11 * 4, i % 7 == 6 ? 4096 : i % 7 * 128
}' >k.bt
o='overlay t; clique 3; length 5; rings 2; reach 1'
echo "$o;" >t.ov
$NFACC --check --overlay t.ov k.re
echo "$o; key_ranges 2; lines 2;" >t.ov
$NFACC --check --overlay t.ov r.re 2>&1 | head -n 1
echo "$o; key_ranges 2; lines 3;" >t.ov
same r.re k.bt
$NFACC --emit=map --overlay t.ov r.re | grep -e ' copies '
for data in 32 64; do
	echo "$o; key_ranges 3; keys yes; data $data;" >t.ov
	$NFACC --stats --overlay t.ov k.re -o t.bin 2>&1 | grep -o "proof: .*streams"
	same r.re k.bt
	same k.re k.bt
	$NFARUN --inspect t.bin | grep '^substream'
done
$NFACC --emit=map --overlay t.ov k.re | grep -e ' copies ' -e 'keyed cpu@6 '
# Without substreams the key is that of lines, which registers and --substream may turn on.
echo 'protocol eci-coherence; filter f = true* cpu.MREQ_RLDD;' >plain.re
$NFACC --emit=map --overlay t.ov plain.re | grep -e ' copies ' -e 'keyed cpu@6 '
for overlay in none t.ov; do
	$NFACC --overlay $overlay plain.re -o t.bin && $NFARUN -q --substream 0x80,2 t.bin k.bt | cksum
done
cat >two.proto <<'.'
protocol two; header 16; opcode 0..3; groups g; channels 0; types T { A 1; B 2; }
field id 4..7 of T_A; field id 8..11 of T_B;
.
echo 'protocol two; substream id from 3 count 2; filter f = true* g.T_A;' >two.re
$NFACC -I . --check --overlay t.ov two.re

cat >all.proto <<'.'
protocol all; header 16; opcode 0..3; address 8..15 line 1; groups g; channels 0..1;
types T { A 1 address; S 2 broadcast; }
.
echo 'protocol all; substream cl from 3 count 2; filter f = true* g.T_A g.T_S+;' >b.re
cat >b.bt <<'.'
1 g.T_A@0:0x3
2 g.T_S@1
3 g.T_A@0:0x5
4 g.T_A@1:0x4
5 g.T_S@0 g.T_A@1:0x3
6 g.T_S@1
.
echo "$o;" >t.ov
$NFACC -I . --check --overlay t.ov b.re
echo "$o; broadcast yes;" >t.ov
same b.re b.bt
