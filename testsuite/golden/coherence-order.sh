# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Batches do not tell the order of their messages, so a checker in the form any can have false alarms: nfacc
# warns if messages of a checker come in several slots, nfarun if any of a line did share a batch.
exec 2>&1
cat >ask.coh <<'END'
protocol eci;
checker answers;
node cpu: p = - asked;
node fpga: r = - owed;
tap at fpga;
cpu:  p=-     ! V21 : p=asked;
cpu:  p=asked ? F21 : p=-;
fpga: r=-     ? V21 : r=owed;
fpga: r=owed  ! F21 : r=-;
END
$NFACC --overlay none --substream 0x8080,8 ask.coh -o any.bin
$NFACC --overlay none --substream 0x8080,8 --form=only ask.coh -o only.bin
$NFACC --overlay none --substream 0x8080,8 --no-names -Wno-checker-order ask.coh -o bare.bin
cat >one.proto <<'END'
protocol one;
header 16; opcode 12..15; address 4..7 line 64;
groups cpu, fpga;
types T from cpu { ASK 1 address; }
types U from fpga { ANSWER 2 address; }
event Q from cpu = T_ASK;
event W from fpga = U_ANSWER;
END
sed 's/eci/one/; s/V21/Q/; s/F21/W/' ask.coh >two.coh
echo two slots
$NFACC -I . --overlay none --substream 0,8 --check two.coh
echo one slot
$NFACC -I . --overlay none --substream 0,8 --project Q -Wno-empty-filter --check two.coh
# An answer in the same batch as its request, twice; a batch with messages of two lines; and one with a message
# that the checker does not see.
cat >shared.bt <<'END'
10 cpu.MRSP_VICS@10:0x8080
20 cpu.MRSP_VICS@10:0x8080 fpga.MFWD_SINV_H@8:0x8080
30 cpu.MRSP_VICS@10:0x8100 fpga.MFWD_SINV_H@8:0x8080
40 cpu.MRSP_VICS@10:0x8080 cpu.MREQ_RLDI@6:0x8080
50 cpu.MRSP_VICS@11:0x8180 fpga.MFWD_SINV_H@9:0x8180
END
grep -v '^[25]0' shared.bt >apart.bt
for c in any only bare; do
	for t in shared apart; do
		echo "$c, $t"
		$NFARUN -o out.bt $c.bin $t.bt | grep 'answers\|share'
		$NFARUN -q -o out.bt $c.bin $t.bt
	done
done
# Both messages are errors alone; the next time one is fine, and yet no order explains the three of them. A checker
# in the form only finds both.
cat >wrong.bt <<'END'
10 cpu.MRSP_VICS@10:0x8080
20 cpu.MRSP_VICS@10:0x8080 cpu.MRSP_VICS@11:0x8080
30 cpu.MRSP_VICS@10:0x8100
40 cpu.MRSP_VICS@10:0x8100 cpu.MRSP_VICS@11:0x8100 fpga.MFWD_SINV_H@8:0x8100
END
echo wrong, only
$NFARUN -q only.bin wrong.bt
echo swapped
$NFARUN --swap 2 only.bin -o out.bt any.bin shared.bt | grep share
# Messages that fail the tests of their event are not seen, and share no batch.
cat >net.proto <<'END'
protocol net;
header 32; opcode 28..31; address 0..9 line 64;
groups rn, hn; channels 0..0;
types R from rn { READ 1 address; }
types H from hn { GO 4 address; }
field src 10..13;
event read from rn = R_READ;
event go from hn = H_GO;
END
sed 's/eci/net/; s/cpu/rn/; s/fpga/hn/; s/^tap.*/event ask from rn = read[src == 1];\nevent ans from hn = go[src == 1];\n&/
	s/V21/ask/; s/F21/ans/' ask.coh >net.coh
$NFACC -I . --overlay none --substream 0,16 -Wno-checker-order net.coh -o net.bin
cat >net.bt <<'END'
10 rn@0=0x10000401
20 rn@0=0x10000801 hn@0=0x40000401
30 rn@0=0x10000401 hn@0=0x40000801
END
echo unseen
$NFARUN -o out.bt net.bin net.bt
echo '40 rn@0=0x10000401 hn@0=0x40000401' >>net.bt
echo seen
$NFARUN -o out.bt net.bin net.bt | grep share
