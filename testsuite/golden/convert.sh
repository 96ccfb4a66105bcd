# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Conversion without a filter, several traces in one run, fields, provenance.
exec 2>&1
cp "$CASES/bus.txt" bus.proto
cat >a.bt <<'END'
10 core@0=0x0311 core@1=0x1020
12 core@0=0x0012
15 core@0=0x2003 mem=0x3012
35 !lost ?
36 mem=0x5005 core@1=0x7123
END
printf '3 core@0=0x1050\n9 mem=0x4050\n' >b.bt
versionless() {
	sed 's/nfarun [0-9][0-9.]*/nfarun VERSION/'
}
bus="-p ./bus.proto"
for form in text csv 'json --fields' 'text --provenance' 'csv --provenance' 'json --provenance'; do
	echo "== one trace, $form"
	$NFARUN -q $bus -t $form a.bt | versionless
	echo "== two traces, $form"
	$NFARUN -q $bus -t $form a.bt b.bt | versionless
done
echo '== binary forms and back'
$NFARUN -q $bus -o a.canonical a.bt
for form in records compact dense; do
	$NFARUN -q $bus -t $form -o a.$form a.bt
	$NFARUN -q $bus a.$form | cmp - a.canonical && echo "$form: the same"
done
$NFARUN -q $bus -t compact a.bt b.bt
echo "exit code $?"
echo '== a filter over several traces'
$NFARUN $bus -e 'true* REQ_READ' a.bt b.bt
$NFARUN $bus --count -e 'true* REQ_READ' a.bt b.bt
$NFARUN -q $bus --count --by line -t csv --substream 0x40,4 -e 'filter r = true* REQ_READ; filter w = true* REQ_WRITE;' \
	a.bt b.bt
echo '== a limit is that of each trace'
$NFARUN -q $bus -t csv -e 'filter r = true+; limit 1;' a.bt b.bt
echo '== traces with errors: the others are run, and a file is not written'
printf '5 core@0=0x1050\n4 mem=0x4050\n' >bad.bt
$NFARUN $bus -e 'true* REQ_WRITE' b.bt bad.bt nosuch.bt b.bt
echo "exit code $?"
$NFARUN -q $bus -o out.bt bad.bt b.bt
echo "exit code $?, $(ls out.bt 2>&1 | tail -c 26)"
head -c 150 a.compact >cut.nft
$NFARUN $bus cut.nft b.bt
echo "exit code $?"
echo '== the text of a filter in an image'
echo 'protocol bus;
filter r = true* REQ_READ;' >r.re
$NFACC -I . --overlay none --source r.re -o r.bin
$NFARUN -q --provenance r.bin a.bt | grep -v '^# tool'
echo '== comments in a value change dump'
$NFARUN -q $bus -t vcd --provenance -e 'true* REQ_READ // $end' a.bt | grep -A 5 '^.version' | versionless |
	sed 's/libnfart [0-9.]*/libnfart VERSION/'
echo '== wrong use'
for wrong in '-p bus' '--fields' '-t csv --fields' '-t dense --provenance' '--lines' '--tick 5' \
	'--histogram' '--by line' '-t dense -o b.bt' '-p ./nosuch' '-p ./bus.proto -e true --explain=first'; do
	$NFARUN $bus $wrong a.bt b.bt >out.txt
	echo "exit code $?"
done
$NFARUN $bus r.bin a.bt
echo "exit code $?"
