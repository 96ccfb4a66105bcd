// a downgrade that crosses an invalidation, line by line: V21 before the F21 is answered by A11
substream cl from 0x8000 count 4;
window 1;
log = true* (F21 | A11);
filter crossed = true* F21 None(A21, A11)* V21 None(A21, A11)* A11;
filter clean = true* F21 None(A11, V21)* A21;
