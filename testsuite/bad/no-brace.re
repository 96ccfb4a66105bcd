automaton m {
	state s start;
