// $ $NFACC $SELF -o y; $NFACC $SELF --overlay counters -o y; echo "overlay few; clique 9; length 1; rings 1; reach 0; counters 1; counter_width 20;" >few.ov; $NFACC $SELF --overlay few.ov -o y
counter many = true* R12 at 3;
counter wide = true* (R12 R13)+ reset true* V21 at 100000 latch;
filter f = @many R13;
filter h = @wide true* R12;
