# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Batches for people: columns, fields by name, times, colours, what a terminal gets.
exec 2>&1
cat >a.bt <<'END'
57088522836 cpu@6=0x0003e00000008080
57088522839 cpu@4=0x0007e00000008680 cpu@13=0x8000000000000000 cpu@6=0x2804300000a08180
57088523100 fpga@4=0x4803c00000008080
57088523101 !lost 3
57088523105 !lost ?
57088523200 fpga.MRSP_PEMD@4:0xfffff80
END
printf '3 cpu.MREQ_GSYNC@6\n9 fpga@4=0x5043c00000008080\n' >b.bt
filter='tick 100; log = all; window 1; filter asked = true* Any(R12, R13); filter a = true* tick; filter z = true* end;'
echo '== a filter'
$NFARUN --pretty -e "$filter" --tick 500 a.bt
echo '== lines, and a wide label'
$NFARUN -q --pretty --lines -e 'substream cl from 0x8000 count 8;
	filter this_is_a_label_wider_than_its_column = true* any; filter b = true* cpu.any;' a.bt
for times in absolute relative delta; do
	echo "== conversion, times $times"
	$NFARUN -q -p eci --pretty --times $times a.bt b.bt
done
echo '== physical addresses'
$NFARUN -q -p eci --pretty --unhash a.bt
$NFARUN -q -p eci -t json --unhash a.bt | grep -o '"address":"0xfffff80".*'
echo '== provenance'
$NFARUN -q -p eci --pretty --provenance b.bt | grep -v '^# tool'
echo '== bytes, which have neither channels nor addresses'
printf 'ab' | $NFARUN -q --pretty -p bytes -f raw -e "true* 'b'"
echo '== on a terminal'
if command -v script >script.txt; then
	on_terminal() {
		script -qec "$*" /dev/null </dev/null | tr -d '\r' | tr '\033' '^'
	}
	on_terminal "$NFARUN -q -p eci b.bt" >shown.txt
	grep -q '^ *^\[2m3^\[0m  ^\[36mcpu.MREQ_GSYNC@6^\[0m$' shown.txt || cat shown.txt
	$NFARUN -q -p eci --pretty b.bt >plain.txt
	sed 's/\^\[[0-9;]*m//g' shown.txt | cmp - plain.txt
	on_terminal "NO_COLOR=1 $NFARUN -q -p eci b.bt" >shown.txt
	cmp shown.txt plain.txt
	on_terminal "$NFARUN -q -p eci --raw b.bt" >shown.txt
	$NFARUN -q -p eci b.bt | cmp - shown.txt
	on_terminal "$NFARUN -q -p eci -t csv b.bt" >shown.txt
	$NFARUN -q -p eci -t csv b.bt | cmp - shown.txt
fi
echo '== wrong use'
for wrong in '--times delta' '--times never --pretty' '--unhash' '-t csv --unhash' '--pretty --count --unhash' \
	'--pretty --fields' '--pretty --latency'; do
	$NFARUN -p eci $wrong a.bt
	echo "exit code $?"
done
printf 'a' | $NFARUN -q --pretty -p bytes -f raw --unhash
echo "exit code $?"
