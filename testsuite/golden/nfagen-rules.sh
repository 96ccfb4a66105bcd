# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Runs of the rules that an image keeps: what an image, an option or a fault must be, and that the same options give
# the same trace.
exec 2>&1
cat >tiny.proto <<'END'
protocol tiny;
header 8; opcode 0..3; address 4..7 line 64;
groups a, b; channels 0..1;
types T from a on 0 { X 1 address; }
types U from b on 1 { Y 2 address; }
event x from a = T_X;
event y from b = U_Y;
END
cat >tiny.coh <<'END'
protocol tiny;
checker k;
node a: s = - w;
node b: s = - w;
tap between;
a: s=- ! x : s=w;
a: s=w ? y : s=-;
b: s=- ? x : s=w;
b: s=w ! y : s=-;
END
echo 'protocol tiny; filter f = true* x;' >none.re
for f in tiny.coh none.re; do
	$NFACC -I . --overlay none -Wno-checker-lines -Wno-checker-order $f -o ${f%.*}.bin
done
try() {
	echo "nfagen $*"
	$NFAGEN -q "$@"
	echo "exit code $?"
}
try --rules tiny.bin
try --rules tiny.bin --base 0 --lines 2 -n 6
try --rules tiny.bin --base 0 --lines 1 -n 6 --fault doubled@1 --fault dropped@4
try --rules none.bin
try --rules nothere.bin
try --rules tiny.bin --rate 1
try --rules tiny.bin --fault lost-ack
try --rules tiny.bin --protocol eci
try --rules tiny.bin -f ila
try --model rules
try --fault dropped
# Messages pass all tests of their event together, and what replaces one can be on the line.
cat >net.proto <<'EOF'
protocol net;
header 32; opcode 28..31; address 0..9 line 64;
groups rn, hn; channels 0..0;
types R from rn { READ 1 address; }
types H from hn { GO 4 address; NO 5 address; }
field src 10..13;
field tgt 14..17;
event read from rn = R_READ;
event go from hn = H_GO;
event no from hn = H_NO;
EOF
cat >net.coh <<'EOF'
protocol net;
checker n;
node rn: s = - asked;
node hn: q = - ask;
event ask from rn = read[src & 1 == 1, src in 4..7, src != 5];
event ans from hn = go[tgt != 8, tgt != 9, tgt & 12 == 8];
event away from hn = no[addr in 0x80..0xfff];
rn: s=- ! ask: s=asked;
rn: s=asked ? ans: s=-;
hn: q=- ? ask: q=ask;
hn: q=ask ! ans: q=-;
rn: s=asked ? away: s=-;
hn: q=ask ! away: q=-;
EOF
compile() {
	"$NFACC" -I . --overlay none --verify=off -Wno-checker-order -Wno-checker-lines --substream 0,16 "$@"
}
compile net.coh -o net.bin
compile --form=follow --checker-states 1 -Wno-checker-sets net.coh -o composed.bin
for f in net composed; do
	try --rules $f.bin --base 0x80 --lines 2 -n 2000 -o run.bt
	cut -d " " -f 2 run.bt | sort -u
	"$NFARUN" -q --count $f.bin run.bt | head -n 3
	"$NFARUN" -q --count --by rule $f.bin run.bt
done
try --rules net.bin --lines 3 --base 0x40
sed '/away/d' net.coh >homes.coh
cat >>homes.coh <<'EOF'
home hn0 [addr & 0x40 == 0]: any[tgt == 10];
home hn1 [addr & 0x40 == 0x40]: any[tgt == 11];
EOF
compile homes.coh -o homes.bin
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	$NFAGEN -q --rules homes.bin --seed $seed --lines 2 --base 0 -n 60 --fault replaced@50% -o run.bt 2>said
	awk -v "said=$(cat said)" 'BEGIN { split(said, word, " ") }
		$1 == word[4] { found = 1 } END { if (!found) print "not there: " said }' run.bt
done
# No other event has a message on the line.
cat >one.coh <<'EOF'
protocol net;
checker n;
node rn: s = - asked;
node hn: q = - ask;
event ask from rn = read[tgt == 8];
home hn0 [addr in 0..0x7f]: any[tgt == 8];
rn: s=- ! ask: s=asked;
hn: q=- ? ask: q=ask;
hn: q=ask : q=-;
rn: s=asked: s=-;
EOF
compile -Wno-bounded -Wno-flight -Wno-unused-let one.coh -o one.bin
try --rules one.bin --lines 1 --base 0 -n 2 --fault replaced@0
