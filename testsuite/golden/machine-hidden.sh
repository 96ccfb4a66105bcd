# $ sh $SELF
# Transitions of machines that are never taken; the overlay has no machines.
cat >m.re <<'END'
param k = 3;
machine m {
	counter c at k;
	state a start;
	state b accept;
	count c : Any(cpu.any);
	a -> b : Any(cpu.any) when a, b;
	a -> a : Any(cpu.MREQ_RLDD) & @c;
	b -> b : !@c;
	* -> a : true;
	b -> b : @c;
	b -> a : tick;
}
tick 10;
END
"$NFACC" m.re -Dk=7 -o m.bin
echo "exit code $?"
"$NFACC" --emit=ast -Dk=7 m.re >again.re
"$NFACC" --emit=ast again.re
