// $ ($NFACC -Wno-anchored $SELF --overlay table8-300 -o x; echo "exit code $?") 2>&1 | grep -v cheapest
protocol eci-coherence;
filter f = R12; filter g = R13;
