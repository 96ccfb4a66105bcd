# $ sh $SELF
# Explanations of machines: transitions, counters, outputs, and what did not happen.
cat >pr.re <<'END'
tick 10;
machine pr {
	counter used at 3 roll;
	counter full at 2 latch;
	state ok start;
	state over accept output(throttle);
	state hold accept(long) output(throttle) log;
	count used : Any(cpu.MREQ_RLDD) when ok;
	reset used : tick when ok;
	count full : @used;
	ok -> over : @used & !@full;
	ok -> hold : @full & Any(cpu.any);
	over -> over : Any(fpga.any);
	over -> ok : tick;
}
filter load = true* Any(cpu.MREQ_RLDX);
END
cat >pr.bt <<'END'
1 cpu.MREQ_RLDD@6:0x80
2 cpu.MREQ_RLDX@6:0x80
3 cpu.MREQ_RLDD@6:0x80
4 cpu.MREQ_RLDD@6:0x80
6 cpu.MREQ_RLDD@6:0x80
8 fpga.MRSP_PEMD@4:0x80
12 fpga.MRSP_PEMD@4:0x80
21 cpu.MREQ_RLDD@6:0x80
31 cpu.MREQ_RLDD@6:0x80
32 cpu.MREQ_RLDD@6:0x80
33 cpu.MREQ_RLDD@6:0x80
34 cpu.MREQ_RLDD@6:0x80
END
"$NFACC" --overlay none --source pr.re -o pr.bin
"$NFACC" --overlay none --no-names pr.re -o bare.bin
"$NFARUN" -q pr.bin pr.bt
why() {
	echo
	echo "why $*"
	image=$1
	shift
	"$NFARUN" --explain "$@" "$image" pr.bt || echo "exit code $?"
}
why pr.bin 4
why pr.bin 8
why pr.bin 12
why pr.bin 30
why pr.bin 31 --label throttle
why pr.bin first --label long
why pr.bin first --label none
why bare.bin 33 --label long
why pr.bin 2 --label over
echo
"$NFARUN" --explain all --label throttle pr.bin pr.bt | grep '^output'
# One machine a line; all of them see ticks.
sed 's/^tick 10;/substream cl from 0x80 count 2; &/' pr.re >lines.re
"$NFACC" --overlay none lines.re -o lines.bin
why lines.bin 4 --label over
why lines.bin 10 --label throttle
# No transition ever reached the state.
printf '1 fpga.MRSP_PEMD@4:0x80\n' >pr.bt
why pr.bin first --label throttle
