// The opcodes, window and labels that engine_tb.v knows of its first image.
protocol tiny;
window 3;
log = true* Any(#2);
filter hit = true* Any(#1);
filter first = eps Any(#3);
