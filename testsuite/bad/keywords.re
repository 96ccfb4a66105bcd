fliter f = true* R12;
protcol eci;
let first = ANY(R12) none(R13) TRUE EPS;
Filter g = true* R12;
filter h = Cpu.MREQ_RLDD gpu.R12 fpag.any fpga.ANY r13 cpu.mreq_rldd;
lgo = all;
log = al;
widnow 3;
substream CL from 3 count 3;
substream cl from 3 conut 3;
automaton m { stat s strat; state t acept; s -> t : R12; }
counter c = first at 3 plse;
counter d = first reste first at 3;
filter x = no_such_thing;
