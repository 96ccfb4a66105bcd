filter f = R12 R13;
filter g = ÿ;
