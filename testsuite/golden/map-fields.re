// $ $NFACC --emit=map $SELF --overlay none | grep -E '^  words .* (letters|guards|tests|clock|key 0:|ranges|after)'; $NFACC --emit=nfa $SELF --overlay none; $NFACC $SELF; $NFACC --fit $SELF
tick 100;
window 3, 5;
substream rreqid from 3 count 2, from 9 count 1;
let req = cpu.MREQ_RLDD@6[addr in 0x1000..0x1fff, ns == 1];
let last = end;
filter f = true* req None(fpga.MRSP_PEMD, tick)* tick;
