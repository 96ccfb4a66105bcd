# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Waveforms as traces: where signals are found and what is said if not, filters and images over
# them, several interfaces, wide values.
exec 2>&1
cat >hand.proto <<'EOF'
protocol hand;
param LINE = 4;
opcode auto; idle auto; address auto 8 line LINE;
groups m; channels 0..1;
types on 0 { ASK address; WAIT; }
types on 1 { TELL; }
field id : 2 of ASK, TELL;
clock clk;
reset !rst_n;
signal valid, ready = 1, addr[8], id[2], done, tag[2];
tap m@0 { ASK when valid && ready: addr = addr, id = id; WAIT when valid; }
tap m@1 { TELL when done: id = tag; }
EOF
cat >two.proto <<'EOF'
protocol two;
use hand as a at "top.a_";
use hand as b at "top.b.";
EOF
# wave FILE CLOCK_OF_B: two interfaces, of which the second lacks `ready`
cat >two.vcd <<'EOF'
$timescale 1ns $end
$scope module top $end
$var wire 1 ! clk $end
$var wire 1 " rst_n $end
$var wire 1 # a_valid $end
$var wire 1 $ a_ready $end
$var wire 8 % a_addr [7:0] $end
$var wire 2 & a_id [1:0] $end
$var wire 1 ' a_done $end
$var wire 2 ( a_tag [1:0] $end
$scope module b $end
$var wire 1 ) CLK $end
$var wire 1 * valid $end
$var wire 8 + addr [7:0] $end
$var wire 2 , id [1:0] $end
$var wire 1 - done $end
$var wire 2 . tag [1:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0! 0" 0# 0$ b0 % b0 & 0' b0 ( 0) 0* b0 + b0 , 0- b0 .
#5
1! 1)
#10
0! 0) 1" 1# b1011 % b10 & 1* b100 + b1 ,
#15
1! 1)
1$
#20
0! 0) x-
#25
1! 1)
0# 1' b10 ( 0* 1-
#30
0! 0)
#35
1! 1)
EOF
run() {
	echo "== $*"
	"$NFARUN" "$@"
	echo "exit code $?"
}
echo '== where signals are'
run inspect --list-signals -p ./hand.proto two.vcd
run convert -q -t text -p ./hand.proto two.vcd
run convert -q -t text -p ./hand.proto --at top.a_ two.vcd
run convert -q -t text -p ./hand.proto --at TOP.B. --signal ready=top.a_ready two.vcd
run convert -q -t text -p ./hand.proto --at top.c. two.vcd
run convert -q -t text -p ./hand.proto --at top.a_ --signal read=top.a_ready two.vcd
run convert -q -t text -p ./hand.proto --at top.a_ --signal ready two.vcd
run convert -q -t text -p ./hand.proto --at top.a_ --signal ready=top.a_reedy two.vcd
run convert -q -t text two.vcd
echo '== several interfaces'
run convert -q -t text -p ./two.proto two.vcd
run convert -q -t text -p ./two.proto --time wave two.vcd
run convert -q -t text -p ./two.proto --time=wave --at b=top.a_ two.vcd
run convert -q -t text -p ./two.proto --at top.a_ two.vcd
"$NFACC" -I . --list two
echo '== filters and images'
run run -q -t text -e 'true* ASK (!ASK)* TELL' -p ./hand.proto --at top.a_ two.vcd
run run -q -t text -e 'true* WAIT' -p ./hand.proto -D LINE=8 --at top.a_ two.vcd
run run -q -t text -e ASK -p ./hand.proto -D LIME=8 --at top.a_ two.vcd
run convert -q -t text -p ./hand.proto -D LIME=8 --at top.a_ two.vcd
echo 'protocol hand; filter f = true* ASK (!ASK)* TELL;' >f.re
"$NFACC" -I . --overlay none -o f.bin f.re
run run -q -t text -I . --at top.a_ f.bin two.vcd
run run -q -t text -I . -D LINE=8 --at top.a_ f.bin two.vcd
run run -q -t text --at top.a_ f.bin two.vcd
gzip -c two.vcd | "$NFARUN" ask --count -p ./hand.proto --at top.a_
"$NFARUN" convert -q -t text -p ./hand.proto --at top.a_ - <two.vcd
echo '== values of more than 64 bits'
cat >wide.proto <<'EOF'
protocol wide;
opcode auto; idle auto; groups m; channels 0..9;
types on 0 { A; } types on 1 { B; } types on 2 { C; } types on 3 { D; } types on 4 { E; }
types on 5 { F; } types on 6 { G; } types on 7 { H; } types on 8 { I; } types on 9 { J; }
field v : 16;
signal x[40], y[40], n[8];
tap m@0 { A when {x, y} == {y, x} || {x, y} < {y, x}: v = ({x, y} + {y, x})[79:64]; }
tap m@1 { B when ({x, y, n} << n) != {x, y, n}: v = ({x, y, n} << n)[87:72]; }
tap m@2 { C when ({x, y} >> n) != 0: v = ({x, y} >> n)[47:32]; }
tap m@3 { D when (-{x, y}) > {y, x}: v = (-{x, y})[70:55]; }
tap m@4 { E when ({x, y} - {y, x}) >= {x, x}: v = ({x, y} - {y, x})[66:51]; }
tap m@5 { F when ^{x, y, n} && !(&{x, y}) && |{x, y}: v = (~{x, y})[65:50]; }
tap m@6 { G when ({x, y} & {y, x}) != 0: v = ({x, y} & {y, x})[79:64]; }
tap m@7 { H when ({x, y} | {y, x}) != 0 && ({x, y} ^ {y, x}): v = ({x, y} | {y, x})[68:53]; }
tap m@8 { I when past({x, y}) == {x, y} || !stable({x, y}, n): v = past({y, x})[71:56]; }
tap m@9 { J when 1: v = ({x, y} ? {y, n, x} : {x, y})[79:64]; }
EOF
cat >wide.vcd <<'EOF'
$scope module t $end
$var wire 40 ! x $end
$var wire 40 " y $end
$var wire 8 # n $end
$upscope $end
$enddefinitions $end
#0
b1010101111001101111011110001001000110100 !
b1111000011110000111100001111000011110001 "
b111 #
#1
b1000001 #
#2
bx1 !
#3
b11xx #
#4
b11110000 !
b0 #
#5
b11110000 "
b11111111 #
EOF
run convert -q -t text -p ./wide.proto wide.vcd
echo '== events of several interfaces'
sed 's/^clock/event TOLD from m = TELL;\n&/' hand.proto >told.proto
sed 's/^clock/event TOLD from m = ASK;\n&/; s/hand/asked/' hand.proto >asked.proto
cat >events.proto <<'EOF'
protocol events;
use told as a at "top.a_";
use asked as b at "top.b.";
EOF
sed -i 's/hand/told/' told.proto
for e in TOLD a.TOLD b.TOLD; do
	run run -q -t text -e "true* $e" -p ./events.proto --time=wave two.vcd
done
