// $ $NFACC --check --stats --overlay 2,40,1,0 $SELF 2>&1 | grep -c '^split: a state of line 3, column 18 into'
protocol bytes;
filter f = true* 'a' ('b' 'c' | 'd' 'e' | 'f' 'g' | 'h' 'i' | 'j' 'k' | 'l' 'm');
