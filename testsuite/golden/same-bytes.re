// $ mkdir d && cp $SELF d/x.re && cp $SELF x.re && $NFACC x.re -o a && cd d && $NFACC x.re -o b && cmp ../a b && echo same
filter f = true* (R12 | R13 RA3){2,5} RA2;
