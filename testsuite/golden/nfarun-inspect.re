// $ $NFACC --no-names --overlay 4,1,1,0,8 $SELF -o x && $NFARUN --inspect x
window 2; limit 9; substream cl from 0x80 count 2;
filter f = true* R12 R13;
