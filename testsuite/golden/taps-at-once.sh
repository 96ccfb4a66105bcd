# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Transfers that are answered in the cycle in which they are asked for are in no pair, so that they
# do not shift the pairs of those after them. A transfer that is given up does not, either.
exec 2>&1
# wave FILE NAME... : reads rows of bits, one for each cycle, a bit for each signal of one bit.
wave() {
	file=$1
	shift
	{
		echo '$scope module t $end'
		echo '$var wire 1 ! clk $end'
		i=0
		for name; do
			i=$((i + 1))
			echo "\$var wire 1 s$i $name \$end"
		done
		echo '$upscope $end'
		echo '$enddefinitions $end'
		time=0
		while read -r row; do
			echo "#$time"
			echo 0!
			i=0
			for bit in $row; do
				i=$((i + 1))
				echo "${bit}s$i"
			done
			echo "#$((time + 5))"
			echo 1!
			time=$((time + 10))
		done
	} >"$file"
}
ask() {
	echo "== $1"
	"$NFARUN" convert -q -t text -p "$@" 2>/dev/null
	"$NFARUN" ask --latency --by type -p "$@" 2>&1 | grep -v '^tap: no signal'
}
# A read at once, a write at once, a read that waits two cycles, one at once directly after it.
wave wb.vcd cyc stb we ack adr <<'EOF'
0 0 0 0 0
1 1 0 1 0
1 1 1 1 1
1 1 0 0 1
1 1 0 0 1
1 1 0 1 1
1 1 0 1 0
0 0 0 0 0
EOF
ask wishbone wb.vcd
# Two at once, one that waits, one at once, one that waits longer.
wave axis.vcd tvalid tready tdata tlast <<'EOF'
0 0 0 0
1 1 0 0
1 1 1 0
1 0 0 0
1 1 0 0
1 1 1 1
1 0 1 0
1 0 1 0
1 1 1 0
0 0 0 0
EOF
ask axi-stream axis.vcd
# A transfer that is given up, and one that takes two cycles.
wave apb.vcd psel penable pwrite paddr pready <<'EOF'
0 0 0 0 0
1 0 0 1 0
1 1 0 1 0
0 0 0 0 0
1 0 0 0 0
1 1 0 0 0
1 1 0 0 1
0 0 0 0 0
EOF
ask apb apb.vcd
# A read that waits, and an address that changes before it is taken.
wave ahb.vcd htrans hwrite haddr hready <<'EOF'
0 0 0 1
0 0 0 1
EOF
sed -i 's/wire 1 s1 htrans/wire 2 s1 htrans/; s/^[01]s1$/b00 s1/' ahb.vcd
cat >>ahb.vcd <<'EOF'
#20
0!
b10 s1
#25
1!
#30
0!
0s4
1s3
#35
1!
#40
0!
1s4
0s3
#45
1!
#50
0!
b00 s1
#55
1!
EOF
ask ahb-lite ahb.vcd
