// $ $NFACC --check --no-pass=always --stats $SELF 2>&1 | grep '^final'
let req = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI, cpu.MREQ_RLDX);
filter inflight = true* req None(fpga.MRSP_PEMD, fpga.MRSP_PSHA)* req;
