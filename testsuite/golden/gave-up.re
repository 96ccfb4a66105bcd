// $ $NFACC -Wno-anchored $SELF --overlay none -o x
filter f = (R12?){20000};
