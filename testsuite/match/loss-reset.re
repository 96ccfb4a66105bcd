// a gap puts the automaton back to its start
log = all; window 2;
filter f = R12 R13 R12;
filter g = true* R13 R13;
