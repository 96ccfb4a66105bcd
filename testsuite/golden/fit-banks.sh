# $ sh $SELF
# --fit and --estimate for an overlay with two banks, which cost twice an NFA and something that joins
# them. One line needs no second bank, and without states in memory there is none.
echo 'protocol eci-coherence; substream cl from 0 count 64; filter f = true* "MREQ_*" any "MRSP_*";' >64.re
echo 'protocol eci-coherence; filter f = true* "MREQ_*" any "MRSP_*";' >1.re
for banks in 1 2; do
	printf 'overlay with;\nprotocol eci-coherence;\nlines 64; state memory; banks %s;\n' $banks >with.ov
	$NFACC --estimate --overlay ./with.ov --protocol eci-coherence | grep '^nfacc '
	for filter in 64 1; do
		$NFACC --overlay ./with.ov --fit $filter.re -o fitted.ov | head -n 2
		grep -E 'lines|state|banks' fitted.ov
		$NFACC --overlay ./fitted.ov --check $filter.re || echo "exit code $?"
	done
done
for wrong in 'lines 64; banks 2' 'lines 1; state memory; banks 2' 'lines 64; state memory; banks 3'; do
	echo "overlay wrong; $wrong;" >wrong.ov
	$NFACC --estimate --overlay ./wrong.ov --protocol eci-coherence
	echo "exit code $?"
done
