# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A counter of which the tap sees when it steps and when it is not 0: its sets of states are those of
# 24 values of which any are missing. The engine remembers 65,536 of them, and says if there were more.
exec 2>&1
cat >ring.proto <<'END'
protocol ring;
header 64; opcode 58..63; idle 63; address 6..47 line 64;
groups a, b; channels 0..1;
types A from a on 0 { STEP 0 address; STAY 1 address; }
types B from b on 1 { NOTHING 0; }
event Step from a = A_STEP;
event Stay from a = A_STAY;
END
awk 'BEGIN {
	n = 24
	for (i = 0; i < n; i++)
		values = values " v" i
	for (i = 1; i < n; i++)
		others = others (i > 1 ? "|" : "") "v" i
	print "protocol ring;\nchecker ring;\nnode a: x =" values ";\nnode b: y = -;"
	print "tap at a;\nflight a 2;\nflight b 1;"
	for (i = 0; i < n; i++)
		print "a: x=v" i " ! Step : x=v" (i + 1) % n ";"
	print "a: x=" others " ! Stay;\nb: ? Step, Stay;"
}' >ring.coh
$NFACC -I . --overlay none -Wno-flight --form=follow --substream 0x0,16384 ring.coh -o ring.bin
awk 'BEGIN {
	seed = 1
	for (line = 0; line < 8000; line++)
		for (i = 0; i < 60; i++) {
			seed = (seed * 16807) % 2147483647
			printf "%d a.A_%s@0:0x%x\n", ++t, seed % 1000 < 500 ? "STEP" : "STAY", 64 * line
		}
}' >ring.bt
for n in 60000 480000; do
	head -n $n ring.bt | $NFARUN --count ring.bin
done
$NFARUN -q ring.bin ring.bt -o found.txt
for form in json csv; do
	$NFARUN -q --count -t $form ring.bin ring.bt
done
head -n 60000 ring.bt | $NFARUN -q --count -t json ring.bin
for form in msc nodes; do
	for time in 60000 480000; do
		$NFARUN -q --explain $time --emit=$form ring.bin ring.bt | grep -c 'more sets of states'
	done
done
$NFARUN -q --explain all ring.bin ring.bt
