# $ sh $SELF
# Compact traces keep ticks, the end and losses as records. Questions see the same as in other forms:
# ticks and the end are no batches, losses are gaps.
cat >a.bt <<'T'
10 cpu.MREQ_RLDD@6:0x8080
40 cpu.MREQ_RLDX@6:0x8100
2500 !lost 3
2600 fpga.MRSP_PEMD@4:0x8080
4100 cpu.MREQ_RLDD@6:0x8080
4300 fpga.MRSP_PEMD@4:0x8080
T
$NFACC --overlay none -o a.bin - <<'F'
protocol eci;
tick 1000;
filter every = true+;
filter last = true* end;
F
for form in text records compact; do
	echo "$form"
	$NFARUN -q -t $form a.bin a.bt >out
	$NFARUN -q --rate 2000 out
	$NFARUN --latency out
done
