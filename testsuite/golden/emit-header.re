// $ $NFACC -Wno-anchored --emit=header --overlay 2,2,1,0,1 $SELF | grep -v 'define NFACC_[A-HJ-Z]' | sed 's/0x[0-9a-f]*,/W/g'; $NFACC -Wno-anchored --emit=header --overlay none $SELF
protocol bytes;
filter f = 'a';
filter g = true 'b';
