// an automaton with several starts, epsilon out of start states, a cycle of them, states that only log
window 1;
automaton m {
	state a start; state b; state c start accept(one); state d accept(two) log; state e log;
	a -> b : eps; b -> c : eps; c -> a : eps;
	b -> d : R12; c -> e : R13; d -> d : !R12; e -> c : V31; e -> d : eps;
}
