// $ $NFACC -Wno-anchored --overlay none --emit=map $SELF
protocol bytes;
log = all;
filter f = 'a' None('b')* 'b';
