# $ sh $SELF
# Explanations of guards: which test failed, and by how much.
cat >a.re <<F
protocol eci;
let few = Any(R12[rreqid == 3, ns != 0], RA2[dirty in 1..3], R13);
filter here = true* few[addr in 0x9000..0x9fff] None(few[addr & 0xf80 == 0x80])* R23;
filter masked = true* !cpu.MREQ_RLDI[rreqid & 3 != 1][addr == 0x80];
filter both = true* Any(R12[ns == 1], R12[dmask == 0]);
filter wide = true* any[addr in 0x100000..0x2fffff];
F
cat >t <<F
5 cpu@6=0x0804000000000080 fpga@4=0x4804000000009080 cpu@7=0x2800000000008080
7 cpu@6=0x080c200000009100
9 cpu@6=0x080c200000009180 fpga@4=0x4804020000000000
11 cpu@6=0x0808000000000080
12 cpu@6=0x080a400000000080
13 fpga@4=0x5000000000000000
14 cpu.MREQ_RC2D_S@6:0x80
F
for how in '--source --overlay none' '--source --overlay none -O0' '--overlay none --no-names'; do
	$NFACC $how a.re -o a || continue
	for x in '5 --label here' '9 --label here' '14 --label here' '12 --label masked' \
		'12 --label both' '7 --label wide'; do
		echo
		echo "$how: $x"
		$NFARUN --explain $x a t
	done
done
