// $ $NFACC --check --no-pass=always --stats $SELF 2>&1 | grep '^final'
// T figure 33: 4 states and 4 edges, with log = all
let req = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);
log = all;
filter inflight = true* req None(fpga.MRSP_PEMD, fpga.MRSP_PSHA)* req;
