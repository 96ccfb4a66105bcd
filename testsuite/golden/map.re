// $ $NFACC -Wno-anchored --no-names --overlay 4,1,1,0,1 --emit=map $SELF
protocol bytes;
filter f = 'a' 'b';
