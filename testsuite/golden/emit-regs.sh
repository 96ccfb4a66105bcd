# $ $NFACC --emit=regs --overlay 2,2,1,0 --protocol bytes
