// $ $NFACC --check --stats --overlay none $SELF 2>&1 | grep construction
// T eq. 38 to 44
filter f = R12 None(RA2)* R12;
