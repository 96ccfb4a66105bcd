# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Equal nodes, and the signs that stand for their numbers: the same rules written out give the same text.
exec 2>&1
cat >net.proto <<'END'
protocol net;
header 16; opcode 12..15; address 4..7 line 64;
groups cpu0, cpu1, cpu2, home;
types T from cpu0 { ASK 1 address; DONE 2 address; }
types U from cpu1 { ASK 3 address; DONE 4 address; }
types V from cpu2 { ASK 5 address; DONE 6 address; }
types W from home { STOP0 7 address; STOP1 8 address; STOP2 9 address; GO0 10 address; GO1 11 address; GO2 12 address; }
event ask0 from cpu0 = T_ASK; event done0 from cpu0 = T_DONE;
event ask1 from cpu1 = U_ASK; event done1 from cpu1 = U_DONE;
event ask2 from cpu2 = V_ASK; event done2 from cpu2 = V_DONE;
event stop0 from home = W_STOP0; event stop1 from home = W_STOP1; event stop2 from home = W_STOP2;
event go0 from home = W_GO0; event go1 from home = W_GO1; event go2 from home = W_GO2;
END
cat >short.coh <<'END'
protocol net;
checker n;
node cpu[3]: s = - asked, d = - owed;
node home: q = - ask*, t = - told, w* = - wait;
tap at home;
flight cpu# 2;
order stop*, go*;
group stops = stop*;
cpu#: s=- ! ask# : s=asked;
cpu#: s=asked d=- ? go# : s=-;
cpu~: d=- ? stop# : d=owed;
cpu#: d=owed ! done# : d=-;
home: q=- ? ask# : q=ask#;
home: q=ask# t=- ! stop# : w~=wait t=told;
home: w#=wait q=ask~ ? done# : w#=-;
home: q=ask# t=told w*=- ! go# : q=- t=-;
END
cat >long.coh <<'END'
protocol net;
checker n;
node cpu0: s = - asked, d = - owed;
node cpu1: s = - asked, d = - owed;
node cpu2: s = - asked, d = - owed;
node home: q = - ask0 ask1 ask2, t = - told, w0 = - wait, w1 = - wait, w2 = - wait;
tap at home;
flight cpu0 2; flight cpu1 2; flight cpu2 2;
order stop0, stop1, stop2, go0, go1, go2;
group stops = stop0, stop1, stop2;
cpu0: s=- ! ask0 : s=asked; cpu1: s=- ! ask1 : s=asked; cpu2: s=- ! ask2 : s=asked;
cpu0: s=asked d=- ? go0 : s=-; cpu1: s=asked d=- ? go1 : s=-; cpu2: s=asked d=- ? go2 : s=-;
cpu1: d=- ? stop0 : d=owed; cpu2: d=- ? stop0 : d=owed;
cpu0: d=- ? stop1 : d=owed; cpu2: d=- ? stop1 : d=owed;
cpu0: d=- ? stop2 : d=owed; cpu1: d=- ? stop2 : d=owed;
cpu0: d=owed ! done0 : d=-; cpu1: d=owed ! done1 : d=-; cpu2: d=owed ! done2 : d=-;
home: q=- ? ask0 : q=ask0; home: q=- ? ask1 : q=ask1; home: q=- ? ask2 : q=ask2;
home: q=ask0 t=- ! stop0 : w1=wait w2=wait t=told;
home: q=ask1 t=- ! stop1 : w0=wait w2=wait t=told;
home: q=ask2 t=- ! stop2 : w0=wait w1=wait t=told;
home: w0=wait q=ask1|ask2 ? done0 : w0=-; home: w1=wait q=ask0|ask2 ? done1 : w1=-;
home: w2=wait q=ask0|ask1 ? done2 : w2=-;
home: q=ask0 t=told w0=- w1=- w2=- ! go0 : q=- t=-;
home: q=ask1 t=told w0=- w1=- w2=- ! go1 : q=- t=-;
home: q=ask2 t=told w0=- w1=- w2=- ! go2 : q=- t=-;
END
for f in short long; do
	$NFACC -I . --overlay none -Wno-checker-lines -Wno-checker-order --emit=re $f.coh | sed 's,//.*next.*,,' >$f.re
	$NFACC -I . --overlay none --project stops --emit=re -Wno-checker-lines -Wno-checker-order $f.coh | sed 's,//.*next.*,,' >>$f.re
done
# Without signs no node can be renamed, and the automaton is the same.
grep -h '//' short.re long.re
sed -i '/^\/\//d' short.re long.re
cmp short.re long.re && echo the same
# A rule that no run reaches is told once, with its events; a value is told for each node.
sed 's/^cpu#: d=owed.*/&\ncpu#: s=asked d=owed ! ask# : d=-;/; s/s = - asked/& never/; s/^cpu#: s=asked d=-/cpu#: s=asked|never d=-/' \
	short.coh | sed 's/^cpu#: s=asked d=owed/cpu#: s=never/' >unreached.coh
$NFACC -I . --overlay none -Wno-checker-lines -Wno-checker-order --check unreached.coh
# What is wrong with them. All errors of a file are reported.
check() {
	$NFACC -I . --overlay none --check $1.coh
	echo "exit code $?"
}
cat >signs.coh <<'END'
protocol net;
checker n;
node home: q = - ask*;
END
check signs
cat >equal.coh <<'END'
protocol net;
checker n;
node cpu[3]: s = - asked;
node home: q = - ask#;
END
check equal
cat >many.coh <<'END'
protocol net;
checker n;
node cpu[4]: s = - asked;
node cpu[9]: s = - asked;
END
check many
cat >names.coh <<'END'
protocol net;
checker n;
node cpu[2]: s = - asked;
node home: q = - ask*;
cpu#: s=- ! asks# : s=asked;
home: q=ask2 ! go# : q=-;
home: v#=- ? ask# : q=ask#;
cpu~: s=- ? ask# : s=asked;
node cpu[2]: s = - asked;
END
check names
cat >one.coh <<'END'
protocol net;
checker n;
node cpu[3]: s = - asked;
node home: q = - ask*;
tap at cpu*;
cpu~: s=- ! ask~ : s=asked;
END
check one
cat >others.coh <<'END'
protocol net;
checker n;
node cpu[3]: s = - asked;
node home: q = - ask*;
tap at home;
cpu#: s=- ! ask# : s=asked;
home: q=- ? ask~ : q=-;
END
check others
