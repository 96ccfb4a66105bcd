# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Ticks in several threads: a limit that is reached at ticks, in full blocks of them and in a gap
# with more ticks than memory could hold, and many losses that wait for a batch.
exec 2>&1
compile() {
	$NFACC --overlay none -o "$1" -
}
# A batch, a gap or none, and more batches one to three cycles apart.
for gap in 1 20000; do
	awk -v gap=$gap 'BEGIN {
		print (gap > 1 ? "10" : "1000000"), "cpu.MREQ_RLDD@6:0x8080"
		for (; n < 60000; n++) { t += 1 + n * n % 3; print gap sprintf("%06d", t), "cpu.MREQ_RLDD@6:0x8080" }
	}' >gap$gap.bt
done
awk 'BEGIN {
	print "10 cpu.MREQ_RLDD@6:0x8080"
	for (t = 20; n < 100000; n++) { t += 3; print t, "!lost 3" }
	print t + 9, "cpu.MREQ_RLDD@6:0x8080"
}' >losses.bt
compile each <<'F'
filter e = true+;
F
compile every <<'F'
protocol eci; tick 1; limit 100; filter a = true* true;
F
compile two <<'F'
protocol eci; tick 1; limit 5; filter f = true* tick true* tick;
F
compile message <<'F'
protocol eci; tick 100; filter m = true* cpu.MREQ_RLDD None(tick)* tick cpu.MREQ_RLDD;
F
for trace in gap1 gap20000 losses; do
	$NFARUN -q -t compact each $trace.bt >trace
	for image in every two message; do
		for ask in --count '--latency --by label'; do
			echo "--- $image, $trace, $ask"
			$NFARUN $ask -j 1 $image trace >one 2>&1
			cat one
			for j in 2 3; do
				$NFARUN $ask -j $j $image trace 2>&1 | cmp - one
			done
			[ "$ask" != --count ] || $NFARUN $ask $image $trace.bt 2>&1 | cmp - one
		done
	done
done
