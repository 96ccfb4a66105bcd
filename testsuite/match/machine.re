// A regulator, a sequence that a trigger waits for, and a filter beside them.
protocol eci;
param budget = 3;
param period = 10;
tick period;
machine pr {
	counter used at budget roll;
	state ok start;
	state over accept output(throttle);
	count used : Any(cpu.MREQ_RLDD, cpu.MREQ_RLDI) when ok;
	reset used : tick when ok;
	ok -> over : @used;
	over -> ok : tick & None(fpga.any);
}
machine trigger {
	counter seen at budget - 1 latch;
	counter late at 2;
	state wait start;
	state armed output(led) output(throttled);
	state fired accept(hit) log output(led);
	count seen : Any(cpu.MREQ_RLDX);
	reset seen : end;
	count late : @seen & notick when armed, fired;
	* -> wait : @late;
	wait -> armed : @seen & Any(cpu.any[addr == 0x80]);
	armed -> fired : !@late & Any(fpga.any) & tick;
}
filter store = true* Any(cpu.MREQ_RLDX) end?;
log = all;
window 1, 0;
