// $ $NFACC -Wno-anchored --emit=dot $SELF
log = all;
filter f = R12 None(RA2)* R12;
