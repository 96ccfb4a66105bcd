// $ $NFACC $SELF
filter f = R12;
