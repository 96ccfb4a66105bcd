// Parameters.
param budget;
param period = 6000;
param budget = 29;
param huge = 0x10000000000000000;
param half = period / 2;
param MREQ_RLDD = 1;
param filter = 1;
param broken = ;
window budgt;
limit period / 0;
let a = Any(cpu.MREQ_RLDD[addr in period..half, dmask & half == huge]);
let b = any{half - 3001};
let d = any{period * 1000};
let e = any{broken} any{period - half};
counter c = any at half + 18446744073709551615;
tick half * 65536000;
filter f = a b;
