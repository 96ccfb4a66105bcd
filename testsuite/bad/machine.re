// Names and rules of machines.
machine m {
	counter used at 3;
	counter other at 0;
	counter used at 2;
	state ok start;
	state over start output(throttle);
	state cpu output(off) output(MREQ_RLDD);
	count usd : MREQ_RLDD & !@other when ok, ovr;
	count used : !!@other & (MREQ_RLDD);
	count other : (@used | true);
	reset other : eps when late;
	ok -> ovr : @oher & None(cpu.any);
	over -> ok : @used & @other;
	ok -> late : true;
	state late;
}
machine m {
	state a accept(one);
	counter c at 1 roll;
	state b output(throttle);
}
filter one = @used MREQ_RLDD;
