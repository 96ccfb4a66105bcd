// windows that overlap, touch and miss each other; a limit that ends in one
window 2; limit 9;
log = true* None(RA2);
filter f = true* RA3;
