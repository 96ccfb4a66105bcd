// $ echo "overlay few; clique 60; length 2; rings 1; reach 0; counters 1;" >few.ov; $NFACC --overlay few.ov $SELF --stats -o x 2>&1 | grep -E "^rep|^error|^note: rep"
protocol bytes;
filter short = true* 'a' 'b'{20} 'z';
filter middle = true* 'b' 'c'{21} 'z';
filter long = true* 'c' 'd'{41} 'z';
filter longer = true* 'd' 'e'{43} 'z';
