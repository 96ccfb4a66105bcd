// $ $NFACC --emit=nfa --stop-after=epsilon $SELF
automaton m { state a start; state b; state c accept; a -> b : R12; b -> c : eps; c -> b : eps; c -> c : R13; }
