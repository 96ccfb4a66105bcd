# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Binary records name up to four of the lines that --lines prints, in words that readers skip. The
# file has another version then. An overlay whose records name no lines refuses --lines.
exec 2>&1
cat >n.re <<'.'
protocol eci-coherence;
substream cl from 0x80 count 8;
filter asked = true* cpu.MREQ_RLDD;
filter some = true* .;
.
printf '%s\n' '3 cpu.MREQ_RLDD@6:0x100' \
	'5 cpu.MREQ_RLDD@6:0x80 cpu.MREQ_RLDD@7:0x100 fpga.MRSP_PEMD@4:0x180' \
	'6 cpu.MREQ_RLDD@6:0x200 cpu.MREQ_RLDD@7:0x280 fpga.MRSP_PEMD@4:0x80 fpga.MRSP_PEMD@5:0x100 cpu.MRSP_HAKD@10:0x180' \
	'7 !lost 2' >n.bt
$NFACC --overlay none n.re -o n.bin || exit
$NFARUN -q --lines n.bin n.bt
for form in records compact; do
	$NFARUN -q --lines -t $form -o n.$form n.bin n.bt
	$NFARUN -q -t $form -o plain.$form n.bin n.bt
	echo "$form: $(od -An -tu4 -j8 -N4 n.$form), without: $(od -An -tu4 -j8 -N4 plain.$form)"
	for how in '' '-j2' '-t compact'; do
		$NFARUN -q $how n.bin n.$form >a
		$NFARUN -q $how n.bin plain.$form | cmp - a && echo same
	done
done
head=$(od -An -tu4 -j16 -N4 n.records | tr -d ' ')
od -An -v -tx8 -w8 -j "$head" n.records | sed 's/^ *0*//; s/^$/0/' | paste -s -d ' ' | fold -s -w 100
echo 'overlay t; protocol eci-coherence; clique 4; length 3; rings 2; reach 1; lines 8;' >t.ov
$NFACC --overlay t.ov n.re -o t.bin || exit
$NFARUN --engine rtl --lines t.bin n.bt
echo "exit code $?"
$NFARUN --engine rtl --count --by line t.bin n.bt
echo "exit code $?"
sed 's/lines 8;/lines 8; names 5;/' t.ov >u.ov
$NFACC --overlay u.ov n.re -o t.bin
sed 's/lines 8;/lines 8; names 4;/' t.ov >u.ov
# Names are part of the hardware.
$NFACC --overlay u.ov n.re -o u.bin
for f in t u; do
	$NFARUN --inspect $f.bin | grep -e ^hardware -e ^overlay | sed 's/^overlay.* memory=/overlay: memory=/'
done
