// $ $NFACC --fit $SELF -o x | grep -v tried && $NFACC --check --overlay ./x $SELF && cat x && $NFACC --fit --fit-range 1,2,1,0 $SELF
protocol bytes;
filter f = true* 'a' ('b' 'c' | 'd' 'e' | 'f' 'g' | 'h' 'i') 'j';
