# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The form `follow`: the image keeps the states and moves of the rules, and the engine finds what an observer can know. It
# finds what the forms `only` and `states` find, can know how the trace begins, and runs alone.
exec 2>&1
cat >rules.coh <<'END'
protocol eci;
checker answers;
node cpu: p = - asked again;
node fpga: r = - owed;
tap at fpga;
cpu: p=- ! R12, R13 : p=asked;
cpu: p=asked ? RA2, RA3 : p=-;
cpu: p=asked : p=again;
cpu: p=again : p=asked;
fpga: r=- ? R12, R13 : r=owed;
fpga: r=owed ! RA2, RA3 : r=-;
END
quiet='-Wno-checker-lines -Wno-checker-order'
$NFACC --overlay none $quiet --form=follow --emit=re rules.coh
cat >trace.bt <<'END'
1 fpga.MRSP_PSHA@4:0x80
2 fpga.MRSP_PSHA@4:0x80
3 cpu.MREQ_RLDI@6:0x80
4 cpu.MREQ_RLDI@6:0x80
5 fpga.MRSP_PSHA@4:0x80
6 fpga.MRSP_PSHA@4:0x100
7 fpga.MRSP_PSHA@5:0x100 cpu.MREQ_RLDI@6:0x100
8 fpga.MRSP_PSHA@4:0x100 cpu.MREQ_RLDI@6:0x80
9 fpga.MRSP_PSHA@4:0x80 fpga.MRSP_PSHA@5:0x80
END
for options in --form=only --form=states --form=follow '--form=follow --no-names' '--form=follow --restart=never'; do
	echo "--- $options"
	$NFACC --overlay none $quiet --substream 0x0,16 $options rules.coh -o found.bin
	$NFARUN -q found.bin trace.bt
done
echo '--- by label and line, explained, and no more threads'
$NFACC --overlay none $quiet --substream 0x0,16 --form=follow rules.coh -o found.bin
$NFARUN -q --count --by line found.bin trace.bt
$NFARUN -q --explain 4 found.bin trace.bt
$NFARUN -q -j 2 found.bin trace.bt | head -n 1
$NFARUN convert -q trace.bt -o trace.bin
$NFARUN -q --shard 1/2 found.bin trace.bin -o shard
echo '--- the same errors with more threads: without lines, two would begin in the middle'
$NFACC --overlay none $quiet --form=follow rules.coh -o one.bin
awk 'BEGIN {
	seed = 1
	for (i = 1; i <= 100000; i++) {
		seed = seed * 16807 % 2147483647
		print i, seed % 3 == 0 ? "fpga.MRSP_PSHA@4:0x80" : "cpu.MREQ_RLDI@6:0x80"
	}
}' >long.bt
$NFARUN convert -q long.bt -o long.bin
for j in 1 2 3; do
	$NFARUN -q -j $j one.bin long.bin | cksum
done | sort -u | wc -l
$NFARUN -q one.bin long.bin | wc -l
echo '--- a loss, after which nothing is known'
printf '%s\n' '1 fpga.MRSP_PSHA@4:0x80' '2 !lost 1' '3 fpga.MRSP_PSHA@4:0x80' | $NFARUN -q found.bin -
echo '--- a known start'
sed 's/^checker.*/&\nstart known;/' rules.coh >known.coh
$NFACC --overlay none $quiet --substream 0x0,16 --form=follow known.coh -o known.bin
$NFARUN -q known.bin trace.bt
echo '--- not for overlays'
$NFACC $quiet --form=follow --check rules.coh
echo '--- a message of two events'
cat >two.proto <<'EOF'
protocol two;
header 64; opcode 58..63; idle 63; address 6..47 line 64;
groups a, b; channels 0..1;
types A from a on 0 { STEP 0 address; STAY 1 address; }
types B from b on 1 { NOTHING 0; }
event Step from a = A_STEP;
event Both from a = A_STEP, A_STAY;
EOF
cat >two.coh <<'EOF'
protocol two;
checker two;
node a: x = - on;
node b: y = -;
tap at a;
a: x=- ! Step : x=on;
a: x=on ! Both : x=-;
b: ? Step, Both;
EOF
$NFACC -I . --overlay none $quiet --form=follow two.coh -o two.bin
