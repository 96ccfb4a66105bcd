// $ $NFACC --emit=nfa --stats --overlay none $SELF 2>&1 | grep -v 'ms\|^ \|^[a-z]* *[0-9]'; $NFACC -O0 --check --stats --overlay none $SELF 2>&1 | grep '^repetition\|^final'; $NFACC --check --stats $SELF 2>&1 | grep '^repetition\|^final'; $NFACC --count=1 $SELF
protocol bytes; filter f = true* 'a' 'b'{30,50} 'c';
