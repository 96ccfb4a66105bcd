// $ $NFACC -O2 --count=off --stats --check --overlay none $SELF 2>&1 | grep 'not done'
// Too many states for passes that compare pairs: they say so.
protocol bytes;
filter f = 'a'{1100} ('b' | 'c') 'd';
