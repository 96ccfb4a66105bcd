// $ $NFACC --overlay counters $SELF --stats -o x 2>&1 | sed "s, [0-9]* steps,," | grep "^split\|^proof:\|error"
protocol bytes;
counter c0 = true* 'a' 'b'{1} reset true* 'z' at 3;
filter f0 = @c0 'c'* 'x';
counter c1 = true* 'a' 'b'{2} reset true* 'z' at 3;
filter f1 = @c1 'd'* 'x';
counter c2 = true* 'a' 'b'{3} reset true* 'z' at 3;
filter f2 = @c2 'e'* 'x';
counter c3 = true* 'a' 'b'{4} reset true* 'z' at 3;
filter f3 = @c3 'f'* 'x';
counter c4 = true* 'a' 'b'{5} reset true* 'z' at 3;
filter f4 = @c4 'g'* 'x';
counter c5 = true* 'a' 'b'{1} reset true* 'z' at 3;
filter f5 = @c5 'h'* 'x';
counter c6 = true* 'a' 'b'{2} reset true* 'z' at 3;
filter f6 = @c6 'i'* 'x';
counter c7 = true* 'a' 'b'{3} reset true* 'z' at 3;
filter f7 = @c7 'j'* 'x';
