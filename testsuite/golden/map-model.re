// $ for m in auto search propagate; do $NFACC -Wno-anchored $SELF --map=$m --overlay 2,3,1,0 -o x && $NFACC -Wno-anchored --inspect x | head -n 1; done; $NFACC -Wno-anchored $SELF --map-steps 0 --overlay 2,3,1,0 -o y 2>err; echo $?; grep error err
filter f = R12 (R12|R13) RA2;
