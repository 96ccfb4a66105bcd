# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Registers and queues of taps: what each sample must show is beside it.
exec 2>&1
cat >memory.proto <<'END'
protocol memory;
opcode auto; idle auto; groups m; channels 0..1;
types on 0 { TAKEN; NOTHING; }
types on 1 { FIFO; }
field v : 4 of TAKEN, FIFO;
field n : 3 of TAKEN, NOTHING;
reset rst;
signal put, pk[2], val[4], take, tk[2];
queue v[4] of 2, there {
	put val by pk when put;
	take by tk when take;
}
// What was taken comes out of the second queue in its order, when `n` was odd in the sample before.
queue next[4] of 4, waits {
	put v + 1 when take && there;
	take when odd;
}
register odd = n[0];
register n[3] = take ? n + 1 : n;
tap m@0 { TAKEN when take && there: v = v, n = n; NOTHING when take: n = n; }
tap m@1 { FIFO when odd && waits: v = next; }
END
{
	printf '$scope module top $end\n$var wire 1 r rst $end\n$var wire 1 p put $end\n$var wire 2 k pk $end\n'
	printf '$var wire 4 v val $end\n$var wire 1 t take $end\n$var wire 2 l tk $end\n'
	printf '$upscope $end\n$enddefinitions $end\n'
	time=0
	# The columns: reset; put, its key and value; take, and its key; what must come.
	while read -r rst put pk val take tk _; do
		printf '#%d\n%sr\n%sp\nb%s k\nb%s v\n%st\nb%s l\n' $time "$rst" "$put" "$pk" "$val" "$take" "$tk"
		time=$((time + 1))
	done
} <<'END' >memory.vcd
0 1 01 0101 0 00
0 1 10 0110 0 00
0 0 00 0000 1 10 6, n 0
0 1 01 0111 0 00
0 0 00 0000 1 01 5, n 1, and 7 from the other queue
0 1 11 1001 1 11 9, which is put in this sample, n 2, and 6
0 0 00 0000 1 01 7, n 3
0 0 00 0000 1 01 nothing, n 4, and 10
0 1 01 0001 0 00 n stays
0 1 01 0010 0 00 8
0 1 01 0011 0 00 there is no room: 1 goes; nor does anything wait in the other queue
0 0 00 0000 1 01 2, n 5, and 3, which is put in this sample
1 0 00 0000 0 00
0 0 00 0000 1 01 nothing, n 0
0 x 00 0000 0 00 nobody knows
0 0 00 0000 1 x1 nobody knows; so the second row holds, n 1
END
$NFARUN -q -p ./memory.proto --at top. --to text memory.vcd
echo "exit code $?"

# A made signal is none of the design.
$NFARUN -q -p ./memory.proto --at top. --signal n=top.put --to text memory.vcd
echo "exit code $?"
# All errors at once.
sed 's/odd = n\[0\]/odd = n/; s/reset rst/reset n[0]/; s/val by pk/next by pk/; s/take by tk/take/
	s/register n\[3\].*/register n[3] = past(n);/' memory.proto >wrong.proto
$NFARUN -q -p ./wrong.proto --at top. --to text memory.vcd
echo "exit code $?"
sed 's/of 2, there/of 65, there/' memory.proto >deep.proto
$NFARUN -q -p ./deep.proto --at top. --to text memory.vcd
sed 's/of 2, there {/of 2, v {/' memory.proto >twice.proto
$NFARUN -q -p ./twice.proto --at top. --to text memory.vcd
sed 's/^register odd.*/register odd;/' memory.proto >none.proto
$NFARUN -q -p ./none.proto --at top. --to text memory.vcd
# What lasts is counted in each sample, though no signal changes.
cat >hold.proto <<'END'
protocol hold;
opcode auto; idle auto; groups m; channels 0..0; types { NONE; }
clock clk;
signal valid, done;
queue line[8] of 4, asked { put 1 when valid; take when done; }
tap m@0 { NONE when valid; }
END
{
	printf '$scope module top $end\n$var wire 1 c clk $end\n$var wire 1 v valid $end\n$var wire 1 d done $end\n'
	printf '$upscope $end\n$enddefinitions $end\n#0\n0c\n0v\n1d\n'
	for i in 1 3 5 7 9; do printf '#%d\n1c\n#%d\n0c\n' $i $((i + 1)); done
	printf 'xd\n'
	for i in 11 13 15; do printf '#%d\n1c\n#%d\n0c\n' $i $((i + 1)); done
} >hold.vcd
$NFARUN -q -p ./hold.proto --at top. --to text hold.vcd
