// $ $NFACC -Wno-anchored $SELF --overlay violet -o x && $NFARUN --inspect x | grep protocol; sed 's/MREQ_RLDI/any@0/' $SELF >y.re; $NFACC -Wno-anchored y.re --overlay violet -o y
automaton a {
	state s start;
	state t accept;
	s -> s : true;
	s -> t : cpu.MREQ_RLDI;
	t -> s : eps;
}
