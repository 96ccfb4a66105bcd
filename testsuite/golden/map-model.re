// $ for m in auto search ilp ilp-baseline ilp-symmetry ilp-clique ilp-clique-symmetry; do $NFACC -Wno-anchored $SELF --map=$m --overlay 2,3,1,0 -o x && $NFACC -Wno-anchored --inspect x | head -n 1; done; $NFACC -Wno-anchored $SELF --map=ilp-baseline --map-rows 20 --overlay 1,4,1,0 -o y 2>err; echo $?; grep error err
filter f = R12 (R12|R13) RA2;
