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
