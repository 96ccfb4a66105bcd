filter f = cpu .MREQ_RLDD cpu.any@6, 7;
