// A machine with `orders` takes messages one by one: it has no counters, and plain conditions.
protocol eci;
machine many orders 5 {
	state a start;
	a -> a : Any(R12);
}
machine none orders 0 {
	state a start;
	a -> a : Any(R12);
}
machine wrong orders 2 {
	counter c at 2;
	state a start;
	state b;
	state bad accept;
	count c : Any(R12);
	* -> b : Any(R12);
	a -> b : Any(R13) & Any(R12);
	a -> b : @c;
	b -> a : Any(RA2) when b;
	bad -> a : Any(RA2);
	bad -> bad : true;
}
machine marked orders 1 {
	state a start accept;
	a -> a : Any(R12);
}
machine word order 1 {
	state a start;
}
