// $ $NFACC --overlay counters $SELF -o x 2>&1 | head -n 2; $NFACC --overlay none $SELF --stats -o x 2>&1 | grep ^rep
let req = Any(R12);
let other = None(R13);
filter f = true* (req other){200,300} RA2;
