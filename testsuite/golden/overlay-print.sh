# $ $NFACC -Wno-anchored --overlay 3,4,5,1,16 --emit=overlay -o x.ov; cat x.ov; echo 'filter f = R12;' | $NFACC -Wno-anchored --overlay x.ov - -o y && $NFARUN --inspect y | grep overlay
