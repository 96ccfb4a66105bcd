# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Questions about a trace: latencies, open requests, requests in flight, rates, counts.
exec 2>&1
sed '/part/d; s/ idle 15;//' "$CASES/bus.txt" >bus.proto
cat >>bus.proto <<'END'
pair read: REQ_READ -> ANS_DATA by line, id;
pair write: REQ_WRITE -> ANS_OK by line;
pair sync: REQ_SYNC -> ANS_DONE by id;
END
cat >trace.bt <<'END'
10 core@0=0x0011 core@1=0x1020
12 core@0=0x0012
15 core@0=0x2003 mem=0x3012
19 mem=0x4020
20 mem=0x3011
21 core@0=0x0011 core@1=0x2005
30 core@0=0x0011
31 mem=0x4070
35 !lost ?
36 mem=0x5005 core@1=0x7123
40 core@0=0x1050
9000 mem=0x4050
9001 core@0=0x1050
END
bus="-p ./bus.proto trace.bt"
for question in --latency '--latency --by type' '--latency --by line' '--latency --by group' '--latency --histogram --slowest 2' \
	--open --in-flight '--in-flight --histogram' '--rate 10' '--count --by type' \
	'--count --by group' '--count --by line'; do
	for form in text csv json; do
		case "$form $question" in
		csv*--histogram*--slowest*) continue ;;
		esac
		echo "== $question, $form"
		$NFARUN -q -t $form $question $bus
	done
done
echo '== slowest, csv'
$NFARUN -q --latency --slowest 1 -t csv $bus
echo '== the summary'
$NFARUN --open -o out.txt $bus
$NFARUN --count --by type -o out.txt $bus
echo '== the protocol of an image'
echo 'protocol bus; filter f = true* REQ_READ; filter g = true* REQ_WRITE;' |
	$NFACC -I . --overlay none - -o f.bin
$NFARUN --inspect f.bin | grep -o 'section pairs'
$NFARUN -q --latency -p ./f.bin trace.bt
for form in text csv json; do
	$NFARUN -q --count --by label -t $form f.bin trace.bt
done
echo '== latency by label: of the batch of the request, or of the answer'
for form in text csv json; do
	$NFARUN -q --latency --by label -t $form f.bin trace.bt
done
$NFARUN -q --latency --by label --histogram -p ./bus.proto -e 'filter asked = true* REQ_READ[id == 1]; filter answered = true* ANS_DATA; filter both = true* Any(REQ_WRITE, ANS_OK); filter none = true* REQ_SYNC;' trace.bt
$NFARUN ask -q --latency --by label f.bin <trace.bt
$NFARUN ask --latency --by label
$NFARUN ask --latency --by label trace.bt
$NFARUN ask --open -e true trace.bt
echo '== wrong use'
for wrong in '--latency --open' '--latency --count' '--latency --by label' '--open --by type' '--open --slowest 1' '--rate 0' '--rate 5 --histogram' '--latency -t dense' \
	'--latency f.bin' '--latency --lines' '--latency --explain=first' '--count --by pair' \
	'--count --by label' '--count' '--latency -t csv --histogram --slowest 1' '--open -p nosuch' \
	'--open -p ./nosuch' '--open -p bytes' '--open -p trace.bt'; do
	$NFARUN $wrong -p ./bus.proto $wrong trace.bt >out.txt
	echo "exit code $? of $wrong"
done
$NFARUN --histogram f.bin trace.bt
$NFARUN --count --by pair f.bin trace.bt
$NFARUN --latency -p ./bus.proto -o trace.bt trace.bt
