// $ $NFACC $SELF -o x
filter f = R12{301};
