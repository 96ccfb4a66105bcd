// $ $NFACC --emit=ast $SELF >one.re && cat one.re && $NFACC --emit=ast one.re | diff one.re -
protocol eci; tick 0x64; window 8, 2; log = all;
substream rreqid from 3 count 2, from 0x10 count 16;
let ns = any [ ns == 0 ,
	rreqid in 3..0x1f ][dmask & 0x3 != 1];
let quiet = None(ns, tick)* None(ns, notick);
filter slow = true* ns[addr & 0xf80 == 0x80] quiet{2};
filter open = true* R13@6 [ns!=1] !RA3[fillo==2]* Any(end, "MREQ_RC*"[addr in 0..0xfff]);
