# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Events that no message shares, which takes all tests of both to see: the image keeps the rules, and engines follow them.
# A second A in a row is an error.
exec 2>&1
cat >net.proto <<'END_'
protocol net;
header 32; opcode 28..31; idle 15; address 0..9 line 64;
groups rn, hn;
channels 0..0;
types R from rn { READ 1 address; }
types H from hn { GO 4 address; }
field src 10..13;
event read from rn = R_READ; event go from hn = H_GO;
END_
printf '%s rn@0=0x1000%s\n' 10 0401 20 1000 30 0401 40 0401 >a.bt
try() {
	cat >net.coh <<END_
protocol net;
checker n;
node rn: s = 0 1;
node hn: q = -;
event A from rn = read[$1];
event B from rn = read[$2];
flight rn 1;
rn: s=0 ! A: s=1;
rn: s=1 ! B: s=0;
hn: q=- ? A, B: q=-;
END_
	echo "--- $1 | $2"
	for form in any follow; do
		"$NFACC" -I . --overlay none --form=$form -Wno-checker-lines -Wno-flight net.coh -o net.bin &&
			"$NFARUN" -q --explain 40 net.bin a.bt
	done
}
try 'src in 0..3' 'src & 4 == 4'
try 'addr in 0x40..0x7f' 'addr & 0x40 == 0'
try 'src in 1..2' 'src != 1, src != 2'
try 'src & 12 != 4' 'src in 4..7'
