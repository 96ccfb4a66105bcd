// $ $NFACC $SELF --overlay violet -o x
filter f = cpu.MREQ_RLDD;
filter g = true* cpu.any@0;
