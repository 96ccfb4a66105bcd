// $ $NFACC --emit=ast $SELF
protocol eci; window 0x10; limit 3; substream cl from 0x8080 count 4;
let a = Any(cpu.MREQ_RLDD@6,7, R12, #0x10..0x13@6, "MRSP_VIC*");
let e = (a | !None(R13)) . eps;
log = all;
counter c = true* a reset e at 3 latch;
filter f = @c e{2,} a{0,3}+ !!a;
automaton m { state s start log; state t accept accept(u); s -> t : a; t -> s : eps; }
