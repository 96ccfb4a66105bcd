// What can't stand in a machine.
machine m {
	counter c at 3;
	counter d at 1 output;
	state start;
	state b start output throttle;
	count c : @c | true;
	stat b;
	a -> b : true && true;
	coutn c : true;
	b -> b : true when when;
}
machin o { }
param = 3;
