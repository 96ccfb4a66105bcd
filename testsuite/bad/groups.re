filter f = cpuu.any gpga.MREQ_RLDD@6;
