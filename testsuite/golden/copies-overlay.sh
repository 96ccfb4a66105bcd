# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Filters with windows of two sizes, compiled for overlays that have such windows. The output is that
# of the sparse image. Overlays without them refuse the filters.
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
	$NFACC --overlay none "$1" -o none.bin && $NFARUN -q none.bin "$2" >none.out
	$NFACC --overlay t.ov "$1" -o t.bin && $NFARUN -q t.bin "$2" | diff none.out - &&
		sed 's/ .*//' none.out | paste -s -d ' '
}
echo "$o;" >t.ov
$NFACC --check --overlay t.ov w.re
echo "$o; window_after own;" >t.ov
same w.re w.bt
$NFARUN --inspect t.bin | grep -o 'window.*'
sed 's/2, 1/1, 3/' w.re >big.re
$NFACC --check --overlay t.ov big.re 2>&1 | head -n 1
