// And of its second.
protocol tiny;
window 1;
limit 40;
log = true* Any(#2);
filter hit = true* Any(#4);
filter first = eps Any(#3);
