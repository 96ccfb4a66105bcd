// $ $NFACC $SELF --overlay none -o x && $NFACC --emit=map $SELF --overlay none | grep "counters\|counter" ; $NFARUN --inspect x | grep ^counter; $NFACC $SELF -o y; $NFACC $SELF --overlay counters -o y && $NFARUN --inspect y | grep ^counter; $NFACC --emit=nfa $SELF --overlay none
counter many = true* R12 at 3;
filter f = @many R13;
counter nested = @many at 2 roll;
counter wide = true* (R12 R13)+ reset true* V21 at 100000 latch;
filter g = @nested;
filter h = @wide true* R12;
