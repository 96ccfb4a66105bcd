# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Filters with ticks and the end, compiled for overlays with time. With each kind of decoder the
# output is that of the sparse image, and the proof holds. The image shows its rows of time.
exec 2>&1
cat >t.re <<'.'
protocol eci-coherence; tick 10;
let req = cpu.MREQ_RLDD; let rsp = fpga.MRSP_PEMD;
let quiet = None(rsp, tick)* None(rsp, notick);
filter slow = true* req quiet{2};
filter open = true* req !rsp* end;
filter late = true* Any(tick, rsp) Any(end);
.
cat >t.bt <<'.'
5 cpu.MREQ_RLDD@6:0x80
42 fpga.MRSP_PEMD@4:0x80
50 cpu.MREQ_RLDD@6:0x80
.
$NFACC --overlay none t.re -o none.bin
$NFARUN -q --until 69 none.bin t.bt
for decoder in rows ste 'bank; bank 9'; do
	echo "overlay t; clique 3; length 5; rings 2; reach 1; decoder $decoder; time yes;" >t.ov
	$NFACC --stats --overlay t.ov t.re -o t.bin 2>&1 | grep -o "proof: .*streams"
	$NFARUN -q --until 69 none.bin t.bt >none.out
	$NFARUN -q --until 69 t.bin t.bt | diff none.out - && echo "same with decoder $decoder"
done
$NFACC --emit=map --overlay t.ov t.re | grep -e "(time " -e ' tick ' -e ' end '
$NFACC --check --overlay default t.re
sed -i 's/time yes/& ; shadow yes/' t.ov
$NFACC --check --overlay t.ov t.re
