// the 20 slots of the coherence channels; unnamed opcodes, raw headers, globs and channels
protocol eci-coherence;
filter odd = true* any@3,5,7,9,11;
filter vic = true* "MRSP_VIC?"@10;
filter unnamed = true* Any(cpu.#12, fpga.#25..26);
