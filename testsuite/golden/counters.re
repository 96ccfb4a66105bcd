// $ $NFACC $SELF --overlay none -o x
counter many = true* R12 at 3;
filter f = @many R13;
