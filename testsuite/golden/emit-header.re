// $ $NFACC --emit=header --overlay 4,1,1,0,1 $SELF | grep -v 'define NFACC_'; $NFACC --emit=header --overlay none $SELF
protocol bytes;
filter f = 'a';
filter g = true 'b';
