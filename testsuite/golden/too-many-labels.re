// $ $NFACC $SELF --overlay table8-300 -o x
protocol eci-coherence;
filter f = R12; filter g = R13;
