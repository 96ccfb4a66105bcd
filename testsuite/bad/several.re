// every independent error in one run
protocol eci;
let rq = Any(cpu.MREQ_RLDD, cpu.MREQ_RLDIX);
let no_rsp = None(fpga.MRSP_PEMD, fpga.MRSP_PSHA@10);
window 16; window 17;
filter f = true* rq no_rps* MREQ_RLD* rq;
filter g = R12 {3,2} cpu.any@9,14;
automaton m { state a start; a -> b : R12; state b accept; b -> a : R12 R13; }
filter f = R31;
