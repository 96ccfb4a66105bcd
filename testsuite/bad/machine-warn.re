// What machines are warned of.
machine m {
	counter idle at 3 latch;
	state ok start accept;
	state lost;
	reset idle : true;
	ok -> ok : @idle;
	lost -> lost : true;
	lost -> ok : Any(MREQ_RLDD);
	state extra;
}
let unused = true;
filter wrong = unknown;
