// $ $NFACC -Wno-anchored $SELF --overlay violet -o x && $NFARUN --inspect x | grep protocol
filter f = cpu.MREQ_RLDD;
