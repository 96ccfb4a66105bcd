// Each line has machines of its own; ticks are for all of them.
substream cl from 0x80 count 3;
tick 8;
machine m {
	counter n at 2;
	state a start;
	state b accept output(on);
	state c accept output(on) output(off);
	count n : Any(cpu.any);
	a -> b : @n;
	b -> c : tick;
	c -> a : Any(cpu.MREQ_RLDX);
}
