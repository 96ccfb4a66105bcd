# $ sh $SELF
# --fit for an overlay with a histogram: the overlays that are found have it, too, and what it takes.
echo 'protocol eci-coherence; filter f = true* "MREQ_*" any "MRSP_*";' >f.re
for bits in 0 3 9 10 12; do
	printf 'overlay with;\nprotocol eci-coherence;\nhistogram %s;\n' $bits >with.ov
	$NFACC --overlay ./with.ov --fit f.re -o fitted.ov | grep histogram
	grep histogram fitted.ov
	$NFACC --overlay ./fitted.ov --estimate f.re | grep histogram
	$NFACC --overlay ./fitted.ov --check f.re || echo "exit code $?"
done
