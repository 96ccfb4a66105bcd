# $ sh $SELF
# The models of the block layer: what they refuse, faults, and what is in the blocks that T figure 25b
# keeps of the bandwidth benchmark (T table 3).
wrong() {
	echo "nfagen $*"
	$NFAGEN -q "$@"
	echo "exit code $?"
}
wrong --model blocks --protocol eci
wrong --model streams -f ila
wrong --model blocks --fault lost-ack
wrong --fault lost-block
wrong --model streams --plain
wrong --model misses --idle
$NFAGEN --model blocks -n 3000 --rate 0.2 --fault lost-block@60% --fault credit-overrun@80% \
	-o blocks.bt
$NFARUN --count --by type -p eci-block blocks.bt
$NFAGEN --model streams --rounds 2 -f compact -o streams.nft
$NFARUN -q -t compact -o kept.nft \
	-e 'protocol eci-block; filter load = true* Any(in.any[vcs & 0x00c0 != 0], out.any[vcs & 0x0030 != 0]);' \
	streams.nft
$NFARUN --count --by type -p eci-block kept.nft
$NFARUN --latency -p eci-block kept.nft
$NFAGEN --model streams --rounds 2 --protocol eci | $NFARUN --latency
