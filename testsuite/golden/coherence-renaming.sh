# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Equal nodes: states are counted up to renaming, in the derived text, in limits and in what is said of them, and a
# trace that leads to where nobody can move has the names that it would have.
exec 2>&1
cat >three.proto <<'END'
protocol three;
header 64;
opcode 60..63;
idle 15;
address 6..47 line 64;
groups c0, c1, c2, home;
channels 0..3;
types A from c0 on 0 { ASK 0 address; }
types B from c1 on 1 { ASK 0 address; }
types C from c2 on 2 { ASK 0 address; }
types H from home on 3 { T0 0 address; T1 1 address; T2 2 address; }
event Ask0 from c0 = A_ASK;
event Ask1 from c1 = B_ASK;
event Ask2 from c2 = C_ASK;
event Tell0 from home = H_T0;
event Tell1 from home = H_T1;
event Tell2 from home = H_T2;
END
cat >rules.coh <<'END'
protocol three;
checker renamed;
node c[3]: x = a b c d e f g h;
node home: q = - r*;
tap at home;
flight c# 1; flight home 1;
c#: x=a ! Ask# : x=b;
c#: x=b ? Tell# : x=c;
home: q=- ? Ask# : q=r#;
home: q=r# ! Tell# : q=-;
END
for step in 'c d' 'd e' 'e f' 'f g' 'g h' 'h a'; do echo "c#: x=${step% *} : x=${step#* };"; done >>rules.coh
OVERLAY='--overlay none'
states() {
	$NFACC -I . $OVERLAY --emit=re "$@" 2>&1 | sed -n '/ error: /,$p; s,^// ,,p'
}
echo '--- all three can be renamed'
states rules.coh
echo '--- two, because the third has a rule of its own, or another limit, or the tap'
(cat rules.coh; echo 'c1: x=c : x=a;') >two.coh
states two.coh
sed 's/flight c# 1;/& flight c2 2;/' rules.coh >two.coh
states two.coh
sed 's/tap at home/tap at c0/' rules.coh >two.coh
states two.coh
echo '--- none, because each is compared with another one'
(sed 's/node home: /&n = - r*, /' rules.coh; echo 'home: q=r0 n=r1 : n=r2; home: q=r1 n=- : n=r1; home: q=r2 n=- : n=r0;') >none.coh
states none.coh
echo '--- limits, for an overlay, which needs the states listed'
OVERLAY=
states --checker-states 200 rules.coh
states --checker-states 700 rules.coh
OVERLAY='--overlay none'
echo '--- nobody can move'
sed 's/home: q=r#.*/home: q=r# n=0 ! Tell# : q=- n=1; home: q=r# n=1 ! Tell# : q=- n=2;/; s/node home:/& n = 0 1 2,/' rules.coh |
	grep -v 'x=[c-h] :' >stuck.coh
states stuck.coh
