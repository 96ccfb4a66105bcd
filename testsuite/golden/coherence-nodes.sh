# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Rules with more than two nodes: a message to several of them, what is known of it at each tap, and what is
# wrong with such rules.
exec 2>&1
cat >nine.proto <<'END'
protocol nine;
header 16; opcode 12..15; address 4..7 line 64;
groups a, b, c, d, e, f, g, h, i;
types T from a { ASK 1 address; STOP 2 address; }
types U from b { ANSWER 3 address; }
types V from c { ANSWER 4 address; }
event ask from a = T_ASK;
event stop from a = T_STOP;
event b_done from b = U_ANSWER;
event c_done from c = V_ANSWER;
END
cat >rules.coh <<'END'
protocol nine;
checker n;
node a: s = - asked, wb = - wait, wc = - wait;
node b: s = - owed;
node c: s = - owed;
tap between;
flight a 2;
a: s=-     ! ask : s=asked wb=wait wc=wait;
a: wb=wait ? b_done : wb=-;
a: wc=wait ? c_done : wc=-;
a: s=asked wb=- wc=- : s=-;
b: s=-     ? ask : s=owed;
b: s=owed  ! b_done : s=-;
c: s=-     ? ask : s=owed;
c: s=owed  ! c_done : s=-;
END
compile() {
	$NFACC -I . --overlay none -Wno-checker-lines -Wno-checker-order "$@"
	echo "exit code $?"
}
for tap in between 'at a' 'at b'; do
	echo "tap $tap"
	sed "s/^tap.*/tap $tap;/" rules.coh >tap.coh
	compile --emit=re tap.coh
done
# A message to two nodes counts twice.
sed 's/^flight a 2/flight a 1/' rules.coh >room.coh
compile --check room.coh
# Nobody receives a message.
sed 's/^b: s=-     ? ask/b: s=-/; s/^c: s=-     ? ask/c: s=-/' rules.coh >nobody.coh
compile --check nobody.coh
# No node can move.
sed 's/^c: s=owed.*/c: s=owed ! c_done : s=owed;/; s/^a: wc.*/a: wc=wait wb=wait ? c_done : wc=-;/' rules.coh >stuck.coh
compile --check stuck.coh
# Too many nodes.
sed '3,$d' rules.coh >many.coh
for node in a b c d e f g h i; do echo "node $node: x = 0;"; done >>many.coh
compile --check many.coh
