// $ $NFACC --emit=nfa $SELF
window 4;
log = all;
filter f = true* R12 (R13 | eps) RA2?;
