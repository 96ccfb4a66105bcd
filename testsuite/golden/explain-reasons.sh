# $ sh $SELF
# Explanations where lines, losses, counters, window and limit matter.
cat >a.re <<F
protocol eci; substream cl from 0x80 count 2; window 1; limit 3; log = true* R13;
counter many = true* R12 reset true* RA2 at 2 latch;
filter second = true* R12 None(RA2)* R12;
filter whole = R12 R12;
filter counted = @many R12;
F
$NFACC -Wno-anchored --overlay none a.re -o a
cat >t <<F
1 cpu.MREQ_RLDX@6:0x80
2 cpu.MREQ_RLDI@6:0x80 cpu.MREQ_RLDI@7:0x100
3 cpu.MREQ_GSYNC@6 cpu.MREQ_RLDI@7:0x180
4 cpu.MRSP_VICD@4:0x80
5 fpga.MRSP_PSHA@4:0x80
6 !lost 2
7 cpu.MREQ_RLDI@6:0x80
8 cpu.MREQ_RLDI@6:0x80
9 cpu.MREQ_RLDI@6:0x80
11 cpu.MREQ_RLDX@6:0x100
12 cpu.MREQ_RLDX@6:0x80
13 cpu.MREQ_RLDI@6:0x100
14 cpu.MREQ_RLDI@6:0x80 cpu.MREQ_RLDI@7:0x100
F
for x in '1 --label log' 1 3 5 6 7 8 9 10 11 12 14 99 first 'all --label whole'; do
	echo
	echo "$x"
	$NFARUN --on-loss reset --explain $x a t
done
echo
$NFARUN --explain 13 --substream 0x100,1 a t
$NFARUN --explain 8 --label whole a t
