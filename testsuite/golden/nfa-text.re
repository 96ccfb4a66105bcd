// $ $NFACC --emit=nfa $SELF | tee one | $NFACC -x nfa --emit=nfa - >two; diff one two && echo same
let req = R13; substream cl from 0x100 count 2;
log = all;
filter f = true* req None(RA3)* req;
filter g = true* F21 None(A21)* F21;
