# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The types of a protocol, from a name, a description and an image; questions about several traces.
exec 2>&1
cat >bus.proto <<'END'
protocol bus;
header 16; opcode 12..15; address 4..7 line 64;
groups core 0..1, mem;
types REQ from core { READ 0 address; WRITE 1 on 1 address; SYNC 2; }
types ANS from mem { DATA 3 address; OK 4 address; DONE 5 broadcast; }
field id 0..3;
field part 8 of REQ_READ;
pair read: REQ_READ -> ANS_DATA by line, id;
pair both: REQ_READ, REQ_WRITE -> ANS_DATA, ANS_OK by line;
END
$NFARUN --list-types | head -n 12
$NFARUN --list-types -p ./bus.proto
$NFARUN --list-types -p ./bus.proto -t csv
echo 'protocol bus; filter f = true* REQ_READ;' | $NFACC -I . --overlay none - -o bus.bin
$NFARUN --list-types -p ./bus.proto -t json >description.json
$NFARUN --list-types -p ./bus.bin -t json | cmp - description.json && tail -n 1 description.json
for wrong in '-t dense' 'trace.bt' '--latency' '-e true' '--times delta' '-p nosuch'; do
	$NFARUN --list-types $wrong
	echo "exit code $?"
done
printf '10 core@0=0x0011\n15 mem=0x3011\n20 core@0=0x0011\n' >a.bt
printf '3 core@1=0x1050\n9 mem=0x4050\n' >b,b.bt
printf '5 core@1=0x1050\n4 mem=0x4050\n' >bad.bt
for question in --latency '--latency --slowest 1' --open --in-flight '--in-flight --histogram' '--rate 10' \
	'--count --by type' '--count --by line'; do
	for form in text csv json; do
		echo "== $question, $form"
		$NFARUN -q -p ./bus.proto -t $form $question a.bt b,b.bt
	done
done
echo '== the summary, and a trace with an error'
$NFARUN -p ./bus.proto --open a.bt b,b.bt
$NFARUN -p ./bus.proto --open bad.bt a.bt
echo "exit code $?"
$NFARUN -p ./bus.proto --count --by type -o out.txt bad.bt a.bt
echo "exit code $?, $(ls out.txt 2>&1 | tail -c 26)"
$NFARUN -p ./bus.proto --latency bus.bin a.bt
echo "exit code $?"
