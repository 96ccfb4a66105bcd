// $ $NFACC -Wno-anchored --emit=mem --overlay 4,1,1,0,1 $SELF
protocol bytes;
filter f = 'a';
