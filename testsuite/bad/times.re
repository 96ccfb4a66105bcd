tick 0; tick 4294967296;
filter a = tick@3 cpu.tick;
filter b = notick [ns == 0] end[addr == 0];
let end = R13;
automaton m { state tick start; }
filter c = emd notik;
window 1, 2, 3;
window 1, 18446744073709551616;
