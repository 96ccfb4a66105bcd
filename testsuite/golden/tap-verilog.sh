# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Taps as Verilog, and what can't be a module.
exec 2>&1
cat >hand.proto <<'END'
protocol hand;
param LINE = 4;
opcode auto; idle auto; address auto 8 line LINE;
groups m; channels 0..1;
types on 0 { ASK address; DROP; WAIT; }
types on 1 { TELL; }
field id : 2 of ASK, TELL;
clock clk or clock;
reset !rst_n or rst;
signal valid, ready = 1, addr[8], id[2], done, tag[2];
tap m@0 {
	ASK when valid && ready: addr = addr, id = id;
	DROP when past(valid && !ready) && !valid;
	WAIT when valid;
}
tap m@1 { TELL when rose(done) || tag == 3: id = tag; }
END
echo '# one interface'
$NFACC --emit=tap --protocol ./hand.proto
echo '# its bind'
$NFACC --emit=bind --protocol ./hand.proto --at top.a.m_ --signal rst_n='!reset' --signal clk=clock
cat >two.proto <<'END'
protocol two;
use hand as a at "top.a_";
use hand as b at "top.b.";
END
echo '# two'
$NFACC --emit=bind --protocol ./two.proto
$NFACC --emit=bind --protocol two -I . --at b=top.c.d.x_ --at a=top.c.e. | sed -n '2p;/id\|rst/p'
echo '# monitors'
$NFACC --emit=monitor --protocol ./hand.proto --at top.a.m_ --signal clk=clock
$NFACC --emit=monitor --protocol ./hand.proto --at a. --signal clk=clock | grep -v '^	\.[^sN]'
$NFACC --emit=monitor --protocol ./two.proto | grep -v '^	\.[^sN]'
printf 'protocol down; clock falling ck;\n' >down.proto
sed '1d; /^clock/d' hand.proto >>down.proto
$NFACC --emit=monitor --protocol ./down.proto --at 'a.m_x.[1]' | sed -n '/_monitor/,$p'
echo '# what can not be'
mkdir folder.proto
usage() {
	echo "# $*"
	$NFACC "$@" | head -n 3
}
usage --emit=tap --protocol bytes
usage --emit=tap --protocol ./none.proto
usage --emit=tap --protocol ./hand.proto -D NONE=1
usage --emit=bind --protocol ./hand.proto
usage --emit=bind --protocol ./hand.proto --at m_
usage --emit=bind --protocol ./two.proto --at top.
usage --emit=bind --protocol ./hand.proto --at top. --signal x=1
usage --emit=tap --protocol ./hand.proto --at top.
usage --emit=monitor --protocol ./hand.proto
usage --emit=tap --protocol ./hand.proto f.re
other() { # NAME CLOCK SIGNAL
	cat >$1.proto <<-END
	protocol $1; opcode auto; idle auto; groups m; channels 0..0; types on 0 { A; }
	$2
	signal $3;
	tap m@0 { A when $4; }
	END
}
other fall 'clock falling clk;' a a
other far 'clock other;' a a
other out 'clock clk;' s_valid s_valid
other wide 'clock clk;' 'clk[2]' 'clk[1]'
other none '' 'a' 'rose(a)'
other words 'clock reg;' 'wire, reg, A, a[2]' 'wire && !reg && a == 2'
for q in fall far; do
	printf 'protocol both; use hand as a; use %s as b;\n' $q >both.proto
	usage --emit=tap --protocol ./both.proto
done
usage --emit=tap --protocol ./out.proto
usage --emit=bind --protocol axi4-lite --at 'dut s.'
usage --emit=tap --protocol ./wide.proto
usage --emit=tap --protocol ./folder.proto
echo '# no clock'
$NFACC --emit=tap --protocol ./none.proto | sed -n '/^	always/,$p'
echo '# words of Verilog'
$NFACC --emit=tap --protocol ./words.proto | sed -n '/^module/,$p'
