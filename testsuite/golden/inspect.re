// $ $NFACC $SELF --overlay 4,1,1,0 -o x && $NFACC --inspect x; $NFACC $SELF --overlay none -o y && $NFACC --inspect y
window 2;
filter f = true* R12 R13;
