// $ $NFACC --emit=nfa -O0 $SELF
filter f = true* R12 (R13 | eps) RA2?;
