# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Latencies in nanoseconds, where the clock of the tap is known. Times stay in cycles.
exec 2>&1
cat >bus.proto <<'END'
protocol bus;
header 16; opcode 12..15; address 4..7 line 64;
groups core 0..1, mem;
types REQ from core { READ 0 address; }
types ANS from mem { DATA 3 address; }
pair read: REQ_READ -> ANS_DATA by line;
END
printf '10 core@0=0x0011\n20 mem=0x3011\n21 core@1=0x0021\n182 mem=0x3021\n' >a.bt
printf '10 core@0=0x0011\n30 mem=0x3011\n31 core@1=0x0021\n353 mem=0x3021\n' >b.bt
for clock in '' '--clock 322M' '--clock 1G'; do
	for form in text csv json; do
		echo "== ${clock:-no clock}, $form"
		$NFARUN -q --latency $clock -t $form -p ./bus.proto a.bt
	done
	for more in --histogram '--slowest 1' '--against b.bt'; do
		echo "== ${clock:-no clock}, $more"
		$NFARUN ask -q --latency $more $clock -t csv -p ./bus.proto a.bt
	done
done
for wrong in --open --in-flight '--rate 10' --count; do
	$NFARUN ask $wrong --clock 322M -p ./bus.proto a.bt
	echo "exit code $? of $wrong"
done
