# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Questions about pairs in order: queues by line, by a field, and one without keys.
exec 2>&1
cat >bus.proto <<'END'
protocol bus;
header 16; opcode 12..15; address 4..7 line 64;
groups core 0..1, mem;
types REQ from core { READ 0 address; WRITE 1 address; }
types ANS from mem { DATA 3 address; OK 4 address; LAST 5 address; }
field id 0..3;
pair read: REQ_READ -> ANS_DATA, ANS_LAST by id in order;
pair line: REQ -> ANS_D*, ANS_OK by line in order;
pair bus: REQ_READ, REQ_WRITE -> ANS in order;
pair write: REQ_WRITE -> ANS_OK by line;
END
cat >trace.bt <<'END'
5 mem=0x3010
10 core@0=0x0011 core@1=0x1020
12 core@0=0x0011
15 core@0=0x0023 mem=0x3011
19 mem=0x4020
20 mem=0x5011 core@1=0x1020
30 core@0=0x0011 core@1=0x0012
35 !lost ?
36 mem=0x3011
40 core@0=0x0011
41 core@0=0x0011 mem=0x3011
9000 core@1=0x1021
END
$NFACC -I . --list bus | grep ^pair
bus="-p ./bus.proto trace.bt"
for question in '--latency --slowest 20' '--latency --by type' '--latency --by line' '--latency --by group' \
	'--latency --histogram' --open --in-flight '--open -t csv' '--open -t json'; do
	echo "== $question"
	$NFARUN -q $question $bus
done
echo '== the summary'
$NFARUN --open -o out.txt $bus
echo '== the protocol of an image, labels'
echo 'protocol bus; filter r = true* REQ_READ; filter w = true* REQ_WRITE;' |
	$NFACC -I . --overlay none - -o f.bin
$NFARUN -q --latency --by label f.bin trace.bt
$NFARUN -q --latency -p ./f.bin trace.bt
echo '== beside another trace'
head -n 4 trace.bt >short.bt
$NFARUN -q --latency --against short.bt $bus
$NFARUN -q --open --against short.bt $bus
echo '== a table of types'
$NFARUN inspect --list-types -p ./bus.proto
