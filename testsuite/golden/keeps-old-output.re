// $ echo old >x; $NFACC $SELF -o x; cat x; ls
filter f = R12 no_such;
