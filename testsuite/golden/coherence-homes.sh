# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Equal nodes that share a group, and say by a field who they are; and two homes that each have every second line. A
# message from nobody is not seen, one for the other node is an error, and so is one for the wrong home, in all forms.
exec 2>&1
cat >net.proto <<'END'
protocol net;
header 32; opcode 28..31; idle 15; address 0..9 line 64;
groups rn, hn;
channels 0..0;
types R from rn { READ 1 address; DONE 2 address; }
types H from hn { STOP 3 address; GO 4 address; }
field src 10..13;
field tgt 14..17;
event read from rn = R_READ; event done from rn = R_DONE; event stop from hn = H_STOP; event go from hn = H_GO;
END
cat >net.coh <<'END'
protocol net;
checker n;
node rn[3]: s = - asked, d = - owed;
node hn: q = - ask*, t = - told, w* = - wait;
event ask# from rn# = read[src == # + 4];
event done# from rn# = done[src == # + 4];
event stop# from hn = stop[src == # + 4];
event go# from hn = go[tgt == # + 4];
home hn0 [addr & 0x40 == 0x00]: any[tgt == 8];
home hn1 [addr in 0x40..0x7f]: any[tgt == 9];
tap at hn;
flight rn# 2;
order stop*, go*;
rn#: s=- ! ask# : s=asked;
rn#: s=asked d=- ? go# : s=-;
rn~: d=- ? stop# : d=owed;
rn#: d=owed ! done# : d=-;
hn: q=- ? ask# : q=ask#;
hn: q=ask# t=- ! stop# : w~=wait t=told;
hn: w#=wait q=ask~ ? done# : w#=-;
hn: q=ask# t=told w*=- ! go# : q=- t=-;
END
"$NFACC" -I . --overlay none --emit=re net.coh | grep 'let n_\(ask1\|go1\|hn\)'
# On line 0x40: rn0 asks hn1, hn asks the others, rn1 answers the wrong home, nobody answers, rn0 answers, and
# rn1 and rn2 answer.
cat >net.bt <<'END'
10 rn@0=0x10025001
20 hn@0=0x30001001
30 rn@0=0x20021401
40 rn@0=0x20000001
50 rn@0=0x20011001
END
for form in any only states follow; do
	"$NFACC" -I . --overlay none --form=$form -Wno-checker-order --substream 0,16 net.coh -o net-$form.bin &&
		"$NFARUN" -q --lines net-$form.bin net.bt
	"$NFAGEN" -q --rules net-$form.bin --seed 3 --lines 2 --base 0 -n 2000 -o run.bt
	"$NFARUN" -q net-$form.bin run.bt
done
"$NFARUN" -q --explain 30 net-any.bin net.bt
# What needs a rule is counted with and without listed states.
"$NFACC" -I . --overlay none --form=follow --checker-states 10 -Wno-checker-sets --substream 0,16 net.coh -o composed.bin
for form in any follow; do "$NFARUN" -q --count --by rule net-$form.bin run.bt >$form.txt; done
"$NFARUN" -q --count --by rule composed.bin run.bt >composed.txt
cmp any.txt follow.txt && cmp any.txt composed.txt && awk '$4 > 0' composed.txt | head -n 4
"$NFACC" --overlay default -I . --form=only net.coh -o x.bin
sed 's/event ask# from rn# = read\[.*/order read;/' net.coh >shared.coh
"$NFACC" -I . --overlay none shared.coh -o x.bin
# A projection sees what its events send to the wrong home.
for project in stop1,done1 stop1,done1,hn1; do
	"$NFACC" -I . --overlay none --project $project -Wno-checker-order --substream 0,16 net.coh -o project.bin &&
		"$NFARUN" -q --lines project.bin net.bt
done
