# $ sh $SELF
# With --lines a tick, the end or a broadcast message names the lines that had no message, but not
# more than 2^24 of them.
echo '1 fpga@4=0x4804000000000080' >many.bt
for count in 3 16777218; do
	for when in tick end; do
		echo "tick 10; substream cl from 0x80 count $count; filter t = true* $when;" >many.re
		$NFACC --overlay none many.re -o many || exit
		for how in '-q' '-q --lines' '-q --lines -j2'; do
			echo
			echo "$count lines, $when, $how"
			$NFARUN $how --until 12 many many.bt || echo "exit code $?"
		done
	done
done
