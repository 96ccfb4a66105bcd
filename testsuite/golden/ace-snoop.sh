# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The snoop channels of a port: each message that they can make, and each breach.
exec 2>&1
{
	printf '$scope module top $end\n$var wire 1 k aclk $end\n'
	for signal in acvalid:1 acready:1 acaddr:16 acsnoop:4 crvalid:1 crready:1 crresp:5 \
		cdvalid:1 cdready:1 cdlast:1 cddata:4; do
		printf '$var wire %s %s %s $end\n' "${signal#*:}" "${signal%:*}" "${signal%:*}"
	done
	printf '$upscope $end\n$enddefinitions $end\n'
	time=0
	while read -r acv acr acaddr acsnoop crv crr crresp cdv cdr cdlast cddata _; do
		printf '#%d\n0k\n%sacvalid\n%sacready\nb%s acaddr\nb%s acsnoop\n%scrvalid\n%scrready\nb%s crresp\n' \
			$time "$acv" "$acr" "$acaddr" "$acsnoop" "$crv" "$crr" "$crresp"
		printf '%scdvalid\n%scdready\n%scdlast\nb%s cddata\n#%d\n1k\n' "$cdv" "$cdr" "$cdlast" "$cddata" $((time + 1))
		time=$((time + 2))
	done
} <<'END' >snoop.vcd
1 0 1000000 0111 0 0 0 0 0 0 0 AC waits
1 1 1000000 0111 0 0 0 0 0 0 0 AC, ReadUnique of 0x40
1 0 10000000 1 1 0 1 0 0 0 0 AC waits, CR waits
1 0 11000000 1 1 0 101 0 0 0 0 both move
1 1 100000000 1 1 1 1 1 0 0 0 AC of 0x100 and CR of 0x40 move and are accepted; CD waits
0 0 0 0 1 0 1001 1 1 0 0 CR waits; CD is accepted
0 0 0 0 0 0 0 1 1 1 1 CR is given up; the last CD, of 0x40
0 0 0 0 1 1 1001 0 0 0 0 CR of 0x100
0 0 0 0 1 1 0 1 0 1 10 CR of nothing; CD waits
0 0 0 0 0 0 0 1 0 1 11 CD moves
0 0 0 0 0 0 0 1 1 1 100 the last CD moves and is accepted, of 0x100
1 0 1000000 0 0 0 0 1 1 1 0 AC waits; CD of nothing
0 0 0 0 0 0 0 1 0 0 0 AC is given up; CD waits
0 0 0 0 0 0 0 0 0 0 0 CD is given up
END
$NFARUN -q --pretty -e 'true* any' -p ace-snoop --at top. snoop.vcd
$NFARUN -q --latency -p ace-snoop --at top. snoop.vcd
$NFARUN -q -t csv -e 'true* breach' -p ace-snoop --at top. snoop.vcd | cut -d, -f1 | uniq | tr '\n' ' '
echo
